package dev.bellman.join;

import java.io.Serializable;
import java.util.List;

/**
 * Totals over a set of distinct strings; these totals are known without comparing the strings.
 *
 * @param bytes the memory that the strings take in a process that searches them
 * @param longest the length of the longest string, in bytes
 * @param equalRows the number of pairs of a left row and a right row that have equal strings
 * @param leftRows the number of rows of the left side
 */
public record StringTotals(long count, long bytes, int longest, boolean allAscii, double equalRows, double leftRows)
        implements Serializable {
    /**
     * The memory that each string takes in addition to its bytes, which are stored twice: in its block, in
     * {@link Strings}, and while the strings are numbered.
     */
    static final int BYTES_A_STRING = 76;

    public static final StringTotals NONE = new StringTotals(0, 0, 0, true, 0, 0);

    static StringTotals of(List<StringBlock> blocks) {
        return blocks.stream().map(StringBlock::totals).reduce(NONE, StringTotals::plus);
    }

    public StringTotals plus(StringTotals other) {
        return new StringTotals(
                count + other.count,
                bytes + other.bytes,
                Math.max(longest, other.longest),
                allAscii && other.allAscii,
                equalRows + other.equalRows,
                leftRows + other.leftRows);
    }
}
