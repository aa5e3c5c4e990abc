package dev.bellman.join;

import java.io.Serializable;
import java.util.Arrays;

/** Some distinct strings in the form sent between processes: their concatenated bytes, and the attributes of each. */
public final class StringBlock implements Serializable {
    private static final long serialVersionUID = 1L;

    /** A block with more bytes should be split; a single string may be larger. */
    private static final int ENOUGH_BYTES = 1 << 26;

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
        return count > 0 && ends[count - 1] >= ENOUGH_BYTES;
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

    public int count() {
        return count;
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
