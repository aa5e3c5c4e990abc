package dev.bellman.align.score;

import dev.bellman.align.Backtrace;
import dev.bellman.align.Move;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Computes the global alignment of a pair after Marco-Sola et al., "Fast gap-affine pairwise alignment using the
 * wavefront algorithm" (2021). The amount of work grows with the square of the {@linkplain Penalties penalty}, not with
 * the lengths, so pairs of similar sequences take little work.
 *
 * <p>Cell {@code (i, j)} of Gotoh's table is on diagonal {@code k = i - j}. For each diagonal, row {@code s} has three
 * numbers, each of which is the largest {@code i} of a cell that can be reached with the penalty {@code s}: by any
 * alignment, by an alignment that ends in a gap against {@code a}, and by an alignment that ends in a gap against
 * {@code b}.
 *
 * <pre>
 * insert(s, k) = max(best(s - insertOpen, k - 1), insert(s - insertExtend, k - 1)) + 1
 * delete(s, k) = max(best(s - deleteOpen, k + 1), delete(s - deleteExtend, k + 1))
 * best(s, k)   = max(best(s - mismatch, k) + 1, insert(s, k), delete(s, k)), and on, for as long as letters are equal
 * </pre>
 *
 * <p>A number beyond the end of its diagonal is replaced with that end. The penalty of the pair is the first {@code s}
 * for which {@code best} is at the end of both sequences.
 *
 * <p><b>The canonical alignment.</b> Let {@code p(i, j)} be the smallest penalty of an alignment of the first {@code i}
 * and {@code j} letters, and {@code pi(i, j)} the smallest penalty of alignments of these letters that end in a gap
 * against {@code a}. Neither decreases along a diagonal. To see this for {@code p}, take an alignment of one more
 * letter of each sequence, and remove the last letter of each. If these two letters are aligned with each other, their
 * column is removed. If one of them is aligned with a letter {@code y}, and the other is in the gap after these two
 * letters, {@code y} takes the other letter's place in the gap. If both are in gaps, the gaps get shorter. No gap gets
 * longer and no gap is opened, so the penalty does not increase. For {@code pi}, note that {@code pi(i, j)} is the
 * minimum over {@code g} of {@code p(i - g, j)} plus the cost of a gap. No term decreases along a diagonal, except for
 * the longest gap, which gets shorter.
 *
 * <p>Therefore, {@code best(s, k) >= i} implies {@code p <= s} at row {@code i} of the diagonal, even if the number was
 * cut off at the end of the diagonal or belongs to a later cell. If {@code p = s}, the recurrence yields
 * {@code best(s, k) >= i}, by induction on the last step. The same holds for {@code insert} and {@code pi}, and, with
 * the sequences swapped, for {@code delete}. The traceback of {@link GotohTable} needs to know whether {@code p} or
 * {@code pi} of a neighbouring cell equals the penalty that remains for this cell on the path. The value is never
 * smaller than the remaining penalty, so the two are equal if and only if the number in the row of this penalty is at
 * least {@code i}. If both letters are equal, {@code p} equals its value in the previous cell of the diagonal, because
 * {@code p} does not decrease and aligning equal letters is free.
 *
 * <p><b>Memory.</b> As long as memory allows, all rows are stored for the traceback. After that, only groups of rows
 * are stored, at multiples of a {@code period}, which doubles as often as necessary. A group has as many rows as the
 * recurrence looks back, so the traceback can recompute the rows after the group.
 */
final class Wavefronts {
    /** The value that represents a missing alignment. It remains below 0 regardless of how many letters are added. */
    private static final int NONE = Integer.MIN_VALUE / 2;

    /** The number of values that a row has for each diagonal. */
    private static final int KINDS = 3;

    /**
     * The maximum number of values in the stored rows, unless memory is short. The traceback may need the same amount
     * of memory in addition.
     */
    static final long MAX_KEPT = 1L << 26;

    /** The measured time to compute one value of each kind, relative to the time for a cell of {@link GotohTable}. */
    private static final int CELLS_OF_A_NUMBER = 6;

    /** The measured overhead per row, as the number of diagonals that can be computed in the same time. */
    private static final int NUMBERS_OF_A_ROW = 16;

    /**
     * The fraction of the table's time, {@code 1 / MIN_PART}, after which a pair may be abandoned if it will probably
     * take longer than the table.
     */
    private static final int MIN_PART = 12;

    private static final int ROWS_BETWEEN_LOOKS = 8;

    private final int[] a;
    private final int[] b;
    private final Penalties penalties;
    private final int end;
    private final int window;

    private int[][] best = new int[64][];
    private int[][] insert = new int[64][];
    private int[][] delete = new int[64][];
    /** The diagonal of the first value in each row. */
    private int[] lows = new int[64];

    private long most;
    private int penalty;
    private final Cancellation cancellation = new Cancellation();

    private boolean keeps;
    private long mostKept;
    /** The total number of values in all stored rows. */
    private long kept;

    private int period;

    Wavefronts(int[] a, int[] b, Penalties penalties) {
        this.a = a;
        this.b = b;
        this.penalties = penalties;
        end = a.length - b.length;
        window = penalties.largest();
        period = window;
    }

    /**
     * Finds the score.
     *
     * @param least the smallest score of interest
     * @param tableCells the time that computing the score with a table would take, in units of the time for one cell of
     *     {@link GotohTable}. The search gives up if it would probably take longer; with {@link Long#MAX_VALUE}, it
     *     gives up only for lack of memory
     * @param keeps whether {@link #walk} will be called afterwards
     * @param mostKept {@link #MAX_KEPT}, or less in tests
     * @return whether the score was found, or is known to be below {@code least}
     */
    boolean solve(long least, long tableCells, boolean keeps, long mostKept) {
        most = penalties.most(least, (long) a.length + b.length);
        this.keeps = keeps;
        this.mostKept = Math.min(mostKept, TaskMemory.left() / 2 / Integer.BYTES);
        long letters = (long) a.length + b.length;
        double time = 0;
        for (int s = 0; ; s++) {
            if (s > most) {
                penalty = s;
                return true;
            }
            time += (row(s) + NUMBERS_OF_A_ROW) * (double) CELLS_OF_A_NUMBER;
            if (at(best, s, end) == a.length) {
                penalty = s;
                return true;
            }
            if (time > tableCells || s == Integer.MAX_VALUE - 1) {
                return false;
            }
            if (s % ROWS_BETWEEN_LOOKS == 0 && time > tableCells / MIN_PART) {
                double progress = (double) letters / furthest(s);
                if (time * progress * progress > tableCells) {
                    return false;
                }
            }
            if (!forget(s)) {
                return false;
            }
        }
    }

    /**
     * Returns the score of the pair. If the score is below the requested minimum, returns some number below that
     * minimum.
     */
    long score() {
        return penalties.score(penalty, (long) a.length + b.length);
    }

    /** Drops rows that are no longer needed. Returns whether the remaining rows fit in memory. */
    private boolean forget(int s) {
        int old = s - window;
        if (old >= 0 && (!keeps || old % period >= window)) {
            drop(old);
        }
        while (kept > mostKept) {
            long next = 2L * period;
            if (!keeps || KINDS * next * best[s].length > mostKept) {
                return false;
            }
            period = (int) next;
            for (int t = 0; t < old; t++) {
                if (t % period >= window) {
                    drop(t);
                }
            }
        }
        return true;
    }

    private void drop(int s) {
        if (best[s] != null) {
            kept -= KINDS * best[s].length;
            best[s] = null;
            insert[s] = null;
            delete[s] = null;
        }
    }

    /** Returns the largest total number of letters of both sequences that any alignment has reached. */
    private int furthest(int s) {
        int furthest = 1;
        for (int at = 0; at < best[s].length; at++) {
            furthest = Math.max(furthest, 2 * best[s][at] - (lows[s] + at));
        }
        return furthest;
    }

    private static long reach(long s, int open, int extend) {
        return s < open ? 0 : (s - open) / extend + 1;
    }

    /** Computes a row. Returns the number of diagonals in the row. */
    private int row(int s) {
        cancellation.count(NUMBERS_OF_A_ROW);
        if (s >= best.length) {
            int size = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * best.length);
            best = Arrays.copyOf(best, size);
            insert = Arrays.copyOf(insert, size);
            delete = Arrays.copyOf(delete, size);
            lows = Arrays.copyOf(lows, size);
        }
        // visit only the diagonals that gaps with penalty s can reach from the beginning, and from which gaps with the
        // remaining penalty can reach the end
        long low = -Math.min(b.length, reach(s, penalties.deleteOpen(), penalties.deleteExtend()));
        long high = Math.min(a.length, reach(s, penalties.insertOpen(), penalties.insertExtend()));
        low = Math.max(low, end - (most - s) / penalties.insertExtend());
        high = Math.min(high, end + (most - s) / penalties.deleteExtend());
        int width = (int) Math.max(0, high - low + 1);
        cancellation.count((long) CELLS_OF_A_NUMBER * width);
        lows[s] = (int) low;
        int[] inserted = new int[width];
        int[] deleted = new int[width];
        int[] values = new int[width];
        Arrays.fill(inserted, NONE);
        Arrays.fill(deleted, NONE);
        insert[s] = inserted;
        delete[s] = deleted;
        best[s] = values;
        kept += KINDS * width;
        offer(inserted, s, best, s - penalties.insertOpen(), 1, 1);
        offer(inserted, s, insert, s - penalties.insertExtend(), 1, 1);
        limit(inserted, s);
        offer(deleted, s, best, s - penalties.deleteOpen(), -1, 0);
        offer(deleted, s, delete, s - penalties.deleteExtend(), -1, 0);
        limit(deleted, s);
        for (int at = 0; at < width; at++) {
            values[at] = Math.max(inserted[at], deleted[at]);
        }
        if (s == 0 && low <= 0 && high >= 0) {
            values[(int) -low] = 0;
        }
        offer(values, s, best, s - penalties.mismatch(), 0, 1);
        limit(values, s);
        for (int at = 0; at < width; at++) {
            if (values[at] >= 0) {
                values[at] = extended(values[at], values[at] - (lows[s] + at));
            }
        }
        return width;
    }

    /**
     * Raises the values of row {@code s} to at least those of an earlier row, shifted by {@code shift} diagonals and
     * increased by {@code letters}.
     */
    private void offer(int[] to, int s, int[][] rows, int before, int shift, int letters) {
        if (before < 0) {
            return;
        }
        int[] from = rows[before];
        int by = lows[s] - lows[before] - shift;
        int last = Math.min(to.length, from.length - by);
        for (int at = Math.max(0, -by); at < last; at++) {
            to[at] = Math.max(to[at], from[at + by] + letters);
        }
    }

    private void limit(int[] to, int s) {
        int diagonal = b.length + lows[s];
        int rows = a.length;
        for (int at = 0; at < to.length; at++) {
            to[at] = Math.min(to[at], Math.min(rows, diagonal + at));
        }
    }

    private int extended(int i, int j) {
        int last = Math.min(a.length, b.length + i - j);
        int at = i;
        for (int by = j - i; at < last && a[at] == b[at + by]; at++) {
            if (at - i == 32) {
                int equal = Arrays.mismatch(a, at, last, b, at + by, last + by);
                return equal < 0 ? last : at + equal;
            }
        }
        return at;
    }

    private int at(int[][] rows, int s, int diagonal) {
        if (s < 0) {
            return NONE;
        }
        int at = diagonal - lows[s];
        return at >= 0 && at < rows[s].length ? rows[s][at] : NONE;
    }

    /** Follows the canonical traceback from its end. */
    void walk(Backtrace.Steps steps) {
        int i = a.length;
        int j = b.length;
        int s = penalty;
        int present = s;
        while (present > 0 && best[present - 1] != null) {
            present--;
        }
        Move gap = Move.DIAGONAL;
        while (i > 0 && j > 0) {
            if (gap == Move.DIAGONAL && a[i - 1] == b[j - 1]) {
                steps.step(Move.DIAGONAL, true, --i, --j);
                continue;
            }
            if (Math.max(0, s - window) < present) {
                present = again(s, present);
            }
            if (gap == Move.DIAGONAL) {
                if (at(best, s - penalties.mismatch(), i - j) >= i - 1) {
                    steps.step(Move.DIAGONAL, false, --i, --j);
                    s -= penalties.mismatch();
                    continue;
                }
                gap = at(insert, s, i - j) >= i ? Move.A : Move.B;
            }
            if (gap == Move.A) {
                steps.step(Move.A, false, --i, j - 1);
                boolean opens = at(best, s - penalties.insertOpen(), i - j) >= i;
                s -= opens ? penalties.insertOpen() : penalties.insertExtend();
                gap = opens ? Move.DIAGONAL : gap;
            } else {
                steps.step(Move.B, false, i - 1, --j);
                boolean opens = at(best, s - penalties.deleteOpen(), i - j) >= i;
                s -= opens ? penalties.deleteOpen() : penalties.deleteExtend();
                gap = opens ? Move.DIAGONAL : gap;
            }
        }
        while (i > 0) {
            steps.step(Move.A, false, --i, j - 1);
        }
        while (j > 0) {
            steps.step(Move.B, false, i - 1, --j);
        }
    }

    /**
     * Recomputes rows for the traceback at row {@code s}, and drops later rows.
     *
     * @param present the first stored row
     * @return the first stored row after the call
     */
    private int again(int s, int present) {
        for (int t = s + 1; t <= penalty && best[t] != null; t++) {
            drop(t);
        }
        int from = Math.max(0, s - window) / period * period;
        for (int t = from; t < present; t++) {
            if (best[t] == null) {
                row(t);
            }
        }
        return from;
    }
}
