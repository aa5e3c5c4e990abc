package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.NONE;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.Arrays;

/**
 * Finds the best internal loop for each pair of a row, in code that compiles to vector instructions.
 *
 * <p>The energy of most internal loops is a sum of three terms: one depends on the known pair and its mismatch, one on
 * the pair whose loop is computed, and one on the two numbers of unpaired bases. There are four kinds of such loops,
 * which differ in their mismatches: bulges of two or more bases, 1 x n loops, 2 x 3 loops, and all others. Therefore,
 * each row of known pairs is stored once for each kind, with the first term already added. Then, for each stored row
 * and each pair of numbers {@code l} and {@code r} of unpaired bases, the energies of all columns are lowered; one pass
 * over the columns processes up to four values of {@code r}:
 *
 * <pre>{@code
 * best[column] = min(best[column], known[row of l][column - 1 - r] + size(l + r) + asymmetry(l, r))
 * }</pre>
 *
 * <p>The energies of all other loops (stacks, bulges of one base, 1 x 1, 1 x 2 and 2 x 2) are in tables, in which the
 * caller looks up each pair.
 */
final class InternalLoops {
    static final int BULGE = 0;
    static final int ONE = 1;
    static final int TWO_THREE = 2;
    static final int OTHER = 3;
    static final int KINDS = 4;

    /**
     * The number of stored rows of known pairs: the rows that an internal loop can reach, plus the row that is being
     * written.
     */
    static final int KEPT = MAX_INTERNAL + 2;

    /** The number of values of r that one pass over the columns processes. */
    private static final int STEP = 4;

    /** The kind of each loop, indexed by the numbers l and r of unpaired bases. */
    private static final byte[][] KIND_OF = new byte[MAX_INTERNAL + 1][MAX_INTERNAL + 1];

    private static final byte[][] NEXT_OF = new byte[MAX_INTERNAL + 1][MAX_INTERNAL + 1];

    static {
        for (int l = 0; l <= MAX_INTERNAL; l++) {
            for (int r = 0; r <= MAX_INTERNAL - l; r++) {
                KIND_OF[l][r] = kindOf(l, r);
            }
            for (int r = 0; r <= MAX_INTERNAL - l; r++) {
                int next = r + 1;
                while (next - r < STEP && next <= MAX_INTERNAL - l && KIND_OF[l][next] == KIND_OF[l][r]) {
                    next++;
                }
                NEXT_OF[l][r] = (byte) next;
            }
        }
    }

    private final LoopEnergies energies;
    /**
     * The energy of each known pair plus the term that depends on this pair, indexed by kind, row and column + {@code
     * STEP}.
     */
    private final int[][][] known;

    private final int[][] best;

    InternalLoops(LoopEnergies energies, int columns) {
        this.energies = energies;
        known = new int[KINDS][KEPT][columns + STEP];
        best = new int[KINDS][columns];
    }

    /** Returns the kind of a loop, or a negative number if the loop's energy is in a table. */
    static int kind(int l, int r) {
        return KIND_OF[l][r];
    }

    private static byte kindOf(int l, int r) {
        int less = Math.min(l, r);
        int more = Math.max(l, r);
        if (more <= 2 && (less > 0 || more < 2)) {
            return -1;
        }
        return (byte) (less == 0 ? BULGE : less == 1 ? ONE : less == 2 && more == 3 ? TWO_THREE : OTHER);
    }

    /**
     * Returns one past the last r that a pass starting at r processes; a pass processes at most {@code STEP} values,
     * all for the same kind of loop.
     */
    static int next(int l, int r) {
        return NEXT_OF[l][r];
    }

    /** Clears the oldest stored row to make room for the pairs of {@code row}. */
    void start(int row) {
        for (int[][] kind : known) {
            Arrays.fill(kind[row % KEPT], NONE);
        }
    }

    /**
     * Stores the energy of a pair in a row, which {@link #start} must have cleared.
     *
     * @param pair the pair as seen from within the loop
     * @param x the neighbour of the pair's first base in the loop
     * @param y the neighbour of the pair's second base in the loop
     */
    void keep(int row, int column, int energy, int pair, int x, int y) {
        int mismatch = (pair * Bases.COUNT + x) * Bases.COUNT + y;
        int slot = row % KEPT;
        int at = column + STEP;
        known[BULGE][slot][at] = energy + energies.terminal(pair);
        known[ONE][slot][at] = energy + energies.mismatchInternal1n[mismatch];
        known[TWO_THREE][slot][at] = energy + energies.mismatchInternal23[mismatch];
        known[OTHER][slot][at] = energy + energies.mismatchInternal[mismatch];
    }

    /** Resets the best loops of the columns before {@code end}, so that a new row can begin. */
    void reset(int end) {
        for (int[] each : best) {
            Arrays.fill(each, 0, end, NONE);
        }
    }

    /**
     * For all columns before {@code end}, finds the best loops that end at a pair in a stored row.
     *
     * @param l the number of unpaired bases between the two rows
     * @param first the first column of the stored row that may contain a pair
     * @param shift the index of a base's column in the current row minus the index of its column in the stored row
     */
    void find(int l, int row, int first, int shift, int end) {
        for (int r = 0; r <= MAX_INTERNAL - l; ) {
            int kind = kind(l, r);
            int next = next(l, r);
            if (kind >= 0) {
                lower(best[kind], known[kind][row % KEPT], first, shift, end, l, r, next);
            }
            r = next;
        }
    }

    /**
     * Considers the loops with at least {@code r} but fewer than {@code behind} unpaired bases between the columns, and
     * lowers the energy of each column for which one of these loops has a lower energy.
     */
    private void lower(int[] best, int[] known, int first, int shift, int end, int l, int r, int behind) {
        int at = first + STEP;
        int from = first + shift + 1 + r;
        if (behind - r == STEP) {
            lower(
                    best,
                    from,
                    known,
                    at,
                    end - from,
                    energies.sized(l, r),
                    energies.sized(l, r + 1),
                    energies.sized(l, r + 2),
                    energies.sized(l, r + 3));
            return;
        }
        for (int each = r; each < behind; each++) {
            int to = first + shift + 1 + each;
            lower(best, to, known, at, end - to, energies.sized(l, each));
        }
    }

    static void lower(int[] best, int from, int[] terms, int at, int length, int energy) {
        for (int k = 0; k < length; k++) {
            best[from + k] = Math.min(best[from + k], terms[at + k] + energy);
        }
    }

    private static void lower(int[] best, int from, int[] terms, int at, int length, int a, int b, int c, int d) {
        for (int k = 0; k < length; k++) {
            best[from + k] = Math.min(
                    best[from + k],
                    Math.min(
                            Math.min(terms[at + k] + a, terms[at + k - 1] + b),
                            Math.min(terms[at + k - 2] + c, terms[at + k - 3] + d)));
        }
    }

    /**
     * Returns the energy of the best loop found so far for a pair.
     *
     * @param pair the pair as seen from within the loop, in which {@code x} and {@code y} are its neighbours
     */
    int least(int column, int pair, int x, int y) {
        int mismatch = (pair * Bases.COUNT + x) * Bases.COUNT + y;
        return Math.min(
                Math.min(
                        best[BULGE][column] + energies.terminal(pair),
                        best[ONE][column] + energies.mismatchInternal1n[mismatch]),
                Math.min(
                        best[TWO_THREE][column] + energies.mismatchInternal23[mismatch],
                        best[OTHER][column] + energies.mismatchInternal[mismatch]));
    }
}
