package dev.bellman.join;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Some distinct strings in the format sent between processes: their concatenated bytes and the attributes of each
 * string. A block may also contain the rows with these strings, encoded as words and grouped by string in the order in
 * which the strings were added.
 */
public final class StringBlock implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The memory, in bytes, from which a block is full. A single string may take more memory. */
    private static final int ENOUGH_BYTES = 1 << 24;

    private final boolean grouped;
    private byte[] bytes = new byte[1 << 10];
    private int[] ends = new int[64];
    private long[] left = new long[64];
    private long[] right = new long[64];
    private long[] groups;
    private int count;

    private long[] rows = {};
    /** The index at which the rows of each string end; empty if the block contains no rows. */
    private int[] rowEnds = {};

    /** @param grouped whether strings have groups */
    public StringBlock(boolean grouped) {
        this.grouped = grouped;
        groups = new long[grouped ? 64 : 0];
    }

    /**
     * Adds a string.
     *
     * @param group the string's group; only strings of the same group form pairs
     * @param leftRows the number of rows of the left side that contain the string
     * @param rightRows the number of rows of the right side that contain the string
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

    /**
     * Appends rows to the last string. Must be called for every string or for none.
     *
     * @param words an array whose first {@code count} words are the rows
     */
    public void addRows(long[] words, int count) {
        int last = this.count - 1;
        if (rowEnds.length <= last) {
            rowEnds = Arrays.copyOf(rowEnds, ends.length);
        }
        int start = rowEnds[last] == 0 ? firstRow(last) : rowEnds[last];
        long end = (long) start + count;
        if (end > Integer.MAX_VALUE - 8) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("the join on close strings: rows with the same string take %,d bytes, more than an array can "
                                    + "hold. Filter out empty strings and placeholders, or deduplicate the strings")
                            .formatted(Long.BYTES * end));
        }
        if (end > rows.length) {
            rows = Arrays.copyOf(rows, (int) Math.min(Math.max(2L * rows.length, end), Integer.MAX_VALUE - 8));
        }
        System.arraycopy(words, 0, rows, start, count);
        rowEnds[last] = (int) end;
    }

    /** Whether the next string should begin a new block. */
    public boolean isFull() {
        return memory() >= ENOUGH_BYTES;
    }

    private long memory() {
        return start(count) + (long) StringTotals.BYTES_A_STRING * count + rowBytes(0, count);
    }

    /** Returns the number of bytes that the rows of a range of strings take. */
    private long rowBytes(int from, int to) {
        return rowEnds.length == 0 ? 0 : (long) Long.BYTES * (firstRow(to) - firstRow(from));
    }

    /** Removes unused space, and returns this block. */
    public StringBlock trimmed() {
        bytes = Arrays.copyOf(bytes, start(count));
        ends = Arrays.copyOf(ends, count);
        left = Arrays.copyOf(left, count);
        right = Arrays.copyOf(right, count);
        groups = Arrays.copyOf(groups, grouped ? count : 0);
        if (rowEnds.length > 0) {
            rows = Arrays.copyOf(rows, firstRow(count));
            rowEnds = Arrays.copyOf(rowEnds, count);
        }
        return this;
    }

    /** Splits the strings by chunk. Returns a block for each chunk, or null for a chunk without strings. */
    public StringBlock[] split(Passes passes) {
        StringBlock[] blocks = new StringBlock[passes.chunks()];
        for (int index = 0; index < count; index++) {
            int chunk = passes.chunk(this, index);
            if (blocks[chunk] == null) {
                blocks[chunk] = new StringBlock(grouped);
            }
            blocks[chunk].add(
                    Arrays.copyOfRange(bytes, start(index), end(index)), group(index), left(index), right(index));
            if (rowEnds.length > 0) {
                long[] words = Arrays.copyOfRange(rows, firstRow(index), firstRow(index + 1));
                blocks[chunk].addRows(words, words.length);
            }
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

    /** Adds the memory that each string takes to the total of the string's cell. */
    public void addTo(long[] bytesOfCells) {
        for (int index = 0; index < count; index++) {
            bytesOfCells[cell(index)] +=
                    end(index) - start(index) + StringTotals.BYTES_A_STRING + rowBytes(index, index + 1);
        }
    }

    /** Returns the cell of {@link Passes} to which a string belongs. */
    int cell(int index) {
        return (int) hash(index) & Passes.CELLS - 1;
    }

    /** Returns a hash of a string and its group, independent of the hash by which strings are numbered. */
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

    /** Returns, for each {@code i}, the number of strings that have at least {@code 2^i} rows. */
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

    public byte[] bytes() {
        return bytes;
    }

    public int start(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    public int end(int index) {
        return ends[index];
    }

    /** Returns the number of rows of the left side that contain a string. */
    public long left(int index) {
        return left[index];
    }

    /** Returns the number of rows of the right side that contain a string. */
    public long right(int index) {
        return right[index];
    }

    /** Returns the rows in the block. */
    public long[] rows() {
        return rows;
    }

    /** Returns the index in {@link #rows} of the first row of a string. */
    public int firstRow(int index) {
        return index == 0 ? 0 : rowEnds[index - 1];
    }

    public long group(int index) {
        return grouped ? groups[index] : 0;
    }

    boolean grouped() {
        return grouped;
    }
}
