package dev.bellman.align.bits;

import dev.bellman.align.Move;

/**
 * Computes the edit distance on 64-bit words with the algorithm by Myers, "A fast bit-vector algorithm for approximate
 * string matching based on dynamic programming" (1999), in the form by Hyyrö, "A bit-vector algorithm for computing
 * Levenshtein and Damerau edit distances" (2003).
 *
 * <p>Neighbouring cells of the table differ by -1, 0 or 1. Two vectors hold the vertical differences of a column:
 * {@code p} marks the rows in which the cell is one more than the cell above, {@code n} the rows in which it is one
 * less. Together with {@code x}, which marks the rows whose symbol equals the column's, these vectors determine {@code
 * d}, which marks the rows in which a cell equals its diagonal neighbour. An addition carries this property down along
 * runs of {@code p}. Then the horizontal differences {@code hp} and {@code hn}, shifted by one row, determine the
 * vertical differences of the next column. The horizontal difference of a word's last row is passed to the next word,
 * where a decrease acts like a match in the first row.
 *
 * <p>The history contains {@code d} and the new {@code p}. If the symbols differ, the diagonal is optimal unless the
 * cell equals its diagonal neighbour; otherwise consuming {@code a} is optimal if the cell is one more than the cell
 * above.
 */
public class EditDistanceBits implements BitRecurrence {
    public static final EditDistanceBits INSTANCE = new EditDistanceBits(-1);

    /** The recurrence with a top border of 0, which allows a match to begin at any column. */
    public static final EditDistanceBits ANYWHERE = new EditDistanceBits(0);

    /**
     * The horizontal differences of the top border: all bits set if the border increases by 1 from column to column,
     * otherwise 0.
     */
    private final long topSteps;

    EditDistanceBits(long topSteps) {
        this.topSteps = topSteps;
    }

    @Override
    public int vectors() {
        return 2;
    }

    @Override
    public long left(int vector) {
        return vector == 0 ? -1 : 0;
    }

    @Override
    public int leftStep() {
        return 1;
    }

    @Override
    public long top(int vector) {
        return vector == 0 ? topSteps : 0;
    }

    /**
     * Omits two corners of tables with at least two words: the first columns of the last word and the last columns of
     * the first word. The distance is at most the length of the longer string, so an optimal path visits only the
     * diagonals {@code lowest} to {@code highest}, as {@link BitTable} explains. The cells of the corners are on none
     * of these diagonals. At the edges of a corner, differences are assumed to be 1, as on the borders of the table, so
     * that every value is the value of some path. Even without the corners, the last cell is {@code m} plus the
     * vertical differences of all words, because the omitted columns of the first word increase its last row by 1 each.
     */
    @Override
    public int alone(int words, long[] matches, int[] columns, int m, long lastRows) {
        int n = Long.SIZE * words - Long.numberOfLeadingZeros(lastRows);
        int most = Math.max(n, m);
        int lastBegin = lastBegin(words, n, m, most);
        int firstEnd = firstEnd(n, m, most);
        return EditDistanceLoops.alone(words, matches, columns, m, lastRows, lastBegin, firstEnd);
    }

    /** Returns the first column that the last word needs if the distance is at most {@code most}. */
    static int lastBegin(int words, int n, int m, int most) {
        long lowest = -((long) most - (m - n)) / 2;
        return (int) Math.max(0, Long.SIZE * (words - 1) + lowest);
    }

    /** Returns one past the last column that the first word needs if the distance is at most {@code most}. */
    static int firstEnd(int n, int m, int most) {
        long highest = ((long) most + (m - n)) / 2;
        return (int) Math.min(m, Long.SIZE + highest);
    }

    @Override
    public int down(long[] vertical, int at, long rows) {
        return Long.bitCount(vertical[at] & rows) - Long.bitCount(vertical[at + 1] & rows);
    }

    @Override
    public int along(long[] horizontal, int at) {
        return Long.bitCount(horizontal[at]) - Long.bitCount(horizontal[at + 1]);
    }

    @Override
    public long minCost(long row, long column, long value, long[] horizontal, int at) {
        return value - Long.bitCount(horizontal[at + 1]);
    }

    @Override
    public Move move(long[] history, int at, int bit) {
        if ((history[at] >>> bit & 1) == 0) {
            return Move.DIAGONAL;
        }
        return (history[at + 1] >>> bit & 1) == 1 ? Move.A : Move.B;
    }

    @Override
    public Strip strip() {
        return EditDistanceLoops::advance;
    }
}
