package dev.bellman.join;

import java.io.Serializable;
import java.util.Arrays;

/** Some distinct strings in the form sent between processes: their concatenated bytes, and the attributes of each. */
public final class StringBlock implements Serializable {
    private static final long serialVersionUID = 1L;

    /** A block that takes more memory should be split; a single string may be larger. */
    private static final int ENOUGH_BYTES = 1 << 24;

    private final boolean grouped;
    private byte[] bytes = new byte[1 << 10];
    private int[] ends = new int[64];
    private long[] left = new long[64];
    private long[] right = new long[64];
    private long[] groups;
    private int count;

    /** @param grouped whether strings have groups */
    public StringBlock(boolean grouped) {
        this.grouped = grouped;
        groups = new long[grouped ? 64 : 0];
    }

    /**
     * Adds a string.
     *
     * @param group only strings of the same group make pairs
     * @param leftRows the rows of the left side that have it
     * @param rightRows the rows of the right side that have it
     */
    public void add(byte[] string, long group, long leftRows, long rightRows) {
        int start = count == 0 ? 0 : ends[count - 1];
        int end = Math.addExact(start, string.length);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Math.max(2L * bytes.length, end), Integer.MAX_VALUE - 8));
        }
        System.arraycopy(string, 0, bytes, start, string.length);
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
            left = Arrays.copyOf(left, 2 * count);
            right = Arrays.copyOf(right, 2 * count);
            groups = Arrays.copyOf(groups, grouped ? 2 * count : 0);
        }
        ends[count] = end;
        left[count] = leftRows;
        right[count] = rightRows;
        if (grouped) {
            groups[count] = group;
        }
        count++;
    }

    /** Whether the next string should begin another block. */
    public boolean isFull() {
        return memory() >= ENOUGH_BYTES;
    }

    private long memory() {
        return start(count) + (long) StringTotals.BYTES_A_STRING * count;
    }

    /** Trims unused space. */
    public StringBlock trimmed() {
        bytes = Arrays.copyOf(bytes, start(count));
        ends = Arrays.copyOf(ends, count);
        left = Arrays.copyOf(left, count);
        right = Arrays.copyOf(right, count);
        groups = Arrays.copyOf(groups, grouped ? count : 0);
        return this;
    }

    /** The strings of each chunk, without empty blocks: {@code blocks[chunk]} is null if there are none. */
    public StringBlock[] split(Passes passes) {
        StringBlock[] blocks = new StringBlock[passes.chunks()];
        for (int index = 0; index < count; index++) {
            int chunk = passes.chunk(this, index);
            if (blocks[chunk] == null) {
                blocks[chunk] = new StringBlock(grouped);
            }
            blocks[chunk].add(
                    Arrays.copyOfRange(bytes, start(index), end(index)), group(index), left(index), right(index));
        }
        for (StringBlock block : blocks) {
            if (block != null) {
                block.trimmed();
            }
        }
        return blocks;
    }

    public StringTotals totals() {
        int seen = 0;
        for (int at = 0; at < start(count); at++) {
            seen |= bytes[at];
        }
        int longest = 0;
        double equalRows = 0;
        double leftRows = 0;
        for (int index = 0; index < count; index++) {
            longest = Math.max(longest, end(index) - start(index));
            equalRows += (double) left[index] * right[index];
            leftRows += left[index];
        }
        return new StringTotals(count, memory(), longest, seen >= 0, equalRows, leftRows);
    }

    /** Adds the memory that the strings take to that of their cells. */
    public void addTo(long[] bytesOfCells) {
        for (int index = 0; index < count; index++) {
            bytesOfCells[cell(index)] += end(index) - start(index) + StringTotals.BYTES_A_STRING;
        }
    }

    /** The cell of {@link Passes} of a string. */
    int cell(int index) {
        return (int) hash(index) & Passes.CELLS - 1;
    }

    /** A hash of a string and its group that tells nothing of the one that numbers the strings. */
    long hash(int index) {
        long hash = Hash.mix(group(index) + 0x1F83_D9AB_FB41_BD6BL);
        for (int at = start(index); at < end(index); at++) {
            hash = 31 * hash + bytes[at];
        }
        return Hash.mix(hash);
    }

    public int count() {
        return count;
    }

    /** How many strings have at least {@code 2^i} rows, by {@code i}. */
    int[] rowsReach() {
        int[] counts = new int[Long.SIZE];
        for (int index = 0; index < count; index++) {
            counts[Long.SIZE - 1 - Long.numberOfLeadingZeros(left[index] + right[index])]++;
        }
        for (int power = Long.SIZE - 2; power >= 0; power--) {
            counts[power] += counts[power + 1];
        }
        return counts;
    }

    byte[] bytes() {
        return bytes;
    }

    int start(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    int end(int index) {
        return ends[index];
    }

    long left(int index) {
        return left[index];
    }

    long right(int index) {
        return right[index];
    }

    long group(int index) {
        return grouped ? groups[index] : 0;
    }

    boolean grouped() {
        return grouped;
    }
}
