package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.FoldTable.INFEASIBLE;
import static dev.bellman.fold.rna.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.LoopEnergies.MIN_HAIRPIN;
import static dev.bellman.fold.rna.LoopEnergies.NONE;

import dev.bellman.columns.Cancellation;
import dev.bellman.fold.Bases;
import java.util.Arrays;

/**
 * Fills a {@link FoldTable} with the same values as {@link ZukerFill}, but a row at a time, from the last to the first,
 * in loops over whole rows for which the processor has vector instructions.
 *
 * <p>The energy of most internal loops is a sum: a part of the inner pair, with its mismatch; a part of the outer pair;
 * and a part of the two numbers of unpaired bases. There are four kinds of such loops, which differ in their
 * mismatches: long bulges, 1 x n, 2 x 3 and the others. So each row of {@code pair} is kept with the inner part of each
 * kind added, and for a row i and each two numbers {@code l} and {@code r} of unpaired bases one loop lowers all j:
 *
 * <pre>{@code
 * best[j] = min(best[j], inner[i + 1 + l][j - 1 - r] + size(l + r) + asymmetry(l, r))
 * }</pre>
 *
 * <p>What the sum does not describe has tables, and is looked up for each pair: stacks, bulges of one base, 1 x 1, 1 x
 * 2 and 2 x 2.
 *
 * <p>Multiloops need few splits: the first part is one branch from i to k, and one that is not better than the best
 * other part from i to k never is, whatever follows. So {@code several(i, j)}, at least two branches, takes only such
 * candidates, of which there are few (Y. Wexler, C. Zilberstein and M. Ziv-Ukelson, A study of accessible motifs and
 * RNA folding complexity, 2007), each for all j at once.
 */
final class RowFill {
    static final int BULGE = 0;
    static final int ONE = 1;
    static final int TWO_THREE = 2;
    static final int OTHER = 3;
    static final int KINDS = 4;

    /** Rows of inner pairs that are kept: as many as an internal loop can skip, and one to write. */
    static final int KEPT = MAX_INTERNAL + 2;

    /** Numbers of unpaired bases that one loop does. */
    private static final int STEP = 4;

    private final FoldTable table;
    private final LoopEnergies energies;
    private final byte[] bases;
    private final int n;
    private final Cancellation cancellation = new Cancellation();

    /** By kind and row: {@code pair(p, q)} with the inner part, at {@code q + STEP}. */
    private final int[][][] inner;

    private final int[][] best;

    /** At least two branches from i + 1 to j, then from i. */
    private final int[] several;

    private final int[] inside;
    private final int[] insideBefore;

    private RowFill(FoldTable table) {
        this.table = table;
        energies = table.energies;
        bases = table.bases;
        n = table.n;
        inner = new int[KINDS][Math.min(KEPT, n)][n + STEP];
        best = new int[KINDS][n];
        several = new int[n];
        inside = new int[n];
        insideBefore = new int[n];
    }

    static void fill(FoldTable table) {
        new RowFill(table).fill();
    }

    private void fill() {
        Arrays.fill(several, NONE);
        Arrays.fill(inside, NONE);
        for (int i = n - 1; i >= 0; i--) {
            cancellation.count((long) (n - i) * MAX_INTERNAL);
            int[] row = new int[n - i];
            Arrays.fill(row, NONE);
            table.pair[i] = row;
            System.arraycopy(inside, 0, insideBefore, 0, n);
            Arrays.fill(inside, NONE);
            if (bases[i] != Bases.N) {
                findInternal(i);
                for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
                    if (Bases.pair(bases[i], bases[j]) > 0) {
                        row[j - i] = pair(i, j);
                    }
                }
            }
            keep(i, row);
            fillMulti(i, row);
        }
        table.fillPrefix();
    }

    private int pair(int i, int j) {
        int pair = Bases.pair(bases[i], bases[j]);
        int mismatch = (pair * Bases.COUNT + bases[i + 1]) * Bases.COUNT + bases[j - 1];
        int least = energies.hairpin(bases, i, j);
        least = Math.min(least, best[BULGE][j] + energies.terminal(pair));
        least = Math.min(least, best[ONE][j] + energies.mismatchInternal1n[mismatch]);
        least = Math.min(least, best[TWO_THREE][j] + energies.mismatchInternal23[mismatch]);
        least = Math.min(least, best[OTHER][j] + energies.mismatchInternal[mismatch]);
        for (int l = 0; l <= 2; l++) {
            for (int r = 0; r <= 2; r++) {
                // bulges of two bases are sums
                if (l + r != 2 || l == r) {
                    least = Math.min(least, looked(i, j, i + 1 + l, j - 1 - r));
                }
            }
        }
        least = Math.min(least, several[j - 1] + energies.closing(bases, i, j));
        if (!table.noLonelyPairs) {
            return least;
        }
        int stacked = insideBefore[j - 1] < INFEASIBLE
                ? insideBefore[j - 1] + energies.internal(bases, i, j, i + 1, j - 1)
                : NONE;
        inside[j] = Math.min(least, stacked);
        return stacked;
    }

    private int looked(int i, int j, int p, int q) {
        if (q - p <= MIN_HAIRPIN) {
            return NONE;
        }
        int inside = table.pair(p, q);
        return inside < INFEASIBLE ? inside + energies.internal(bases, i, j, p, q) : NONE;
    }

    /** Sets the best internal loops of all pairs of i, by kind, without what depends on the outer pair. */
    private void findInternal(int i) {
        for (int[] each : best) {
            Arrays.fill(each, i, n, NONE);
        }
        for (int l = 0; l <= MAX_INTERNAL && i + 1 + l + MIN_HAIRPIN + 2 < n; l++) {
            int p = i + 1 + l;
            for (int r = 0; r <= MAX_INTERNAL - l; ) {
                int kind = kind(l, r);
                int next = r + 1;
                while (next - r < STEP && next <= MAX_INTERNAL - l && kind(l, next) == kind) {
                    next++;
                }
                if (kind >= 0) {
                    lower(best[kind], inner[kind][p % KEPT], p, l, r, next);
                }
                r = next;
            }
        }
    }

    /** The kind of a loop; negative if it is looked up. */
    static int kind(int l, int r) {
        int less = Math.min(l, r);
        int more = Math.max(l, r);
        if (more <= 2 && (less > 0 || more < 2)) {
            return -1;
        }
        return less == 0 ? BULGE : less == 1 ? ONE : less == 2 && more == 3 ? TWO_THREE : OTHER;
    }

    private int sized(int l, int r) {
        return l == 0 || r == 0
                ? energies.bulge[l + r]
                : energies.internal[l + r] + energies.asymmetry(Math.abs(l - r));
    }

    /** Lowers the best loops with l unpaired bases before p, and r or more, but fewer than {@code end}, behind q. */
    private void lower(int[] best, int[] inner, int p, int l, int r, int end) {
        int from = p + MIN_HAIRPIN + 2 + r;
        int at = from - 1 - r + STEP;
        if (end - r < STEP) {
            for (int each = r; each < end; each++) {
                int first = p + MIN_HAIRPIN + 2 + each;
                lower(best, first, inner, first - 1 - each + STEP, n - first, sized(l, each));
            }
        } else {
            lower(best, from, inner, at, n - from, sized(l, r), sized(l, r + 1), sized(l, r + 2), sized(l, r + 3));
        }
    }

    private static void lower(int[] best, int from, int[] inner, int at, int length, int energy) {
        for (int k = 0; k < length; k++) {
            best[from + k] = Math.min(best[from + k], inner[at + k] + energy);
        }
    }

    private static void lower(int[] best, int from, int[] inner, int at, int length, int a, int b, int c, int d) {
        for (int k = 0; k < length; k++) {
            best[from + k] = Math.min(
                    best[from + k],
                    Math.min(
                            Math.min(inner[at + k] + a, inner[at + k - 1] + b),
                            Math.min(inner[at + k - 2] + c, inner[at + k - 3] + d)));
        }
    }

    /** Keeps a row of pairs, with the inner part of each kind. */
    private void keep(int i, int... row) {
        int slot = i % KEPT;
        for (int[][] kind : inner) {
            Arrays.fill(kind[slot], NONE);
        }
        for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
            int energy = row[j - i];
            if (energy < INFEASIBLE && i > 0 && j < n - 1) {
                int pair = Bases.pair(bases[j], bases[i]);
                int mismatch = (pair * Bases.COUNT + bases[j + 1]) * Bases.COUNT + bases[i - 1];
                inner[BULGE][slot][j + STEP] = energy + energies.terminal(pair);
                inner[ONE][slot][j + STEP] = energy + energies.mismatchInternal1n[mismatch];
                inner[TWO_THREE][slot][j + STEP] = energy + energies.mismatchInternal23[mismatch];
                inner[OTHER][slot][j + STEP] = energy + energies.mismatchInternal[mismatch];
            }
        }
    }

    private void fillMulti(int i, int... row) {
        int[] multi = new int[n - i];
        table.multi[i] = multi;
        int unpaired = energies.unpaired;
        multi[0] = NONE;
        several[i] = NONE;
        for (int j = i + 1; j < n; j++) {
            int two = several[j] + unpaired;
            several[j] = two >= INFEASIBLE ? NONE : two;
        }
        // lowered by candidates before j is reached
        for (int j = i + 1; j < n; j++) {
            int others = Math.min(Math.min(table.multi(i + 1, j), multi[j - i - 1]) + unpaired, several[j]);
            int energy = row[j - i];
            if (energy < INFEASIBLE && i > 0 && j < n - 1) {
                energy += energies.branch(bases, i, j);
                if (energy < others) {
                    others = energy;
                    cancellation.count(n - j);
                    lower(several, j + 1, table.multi[j + 1], 0, n - j - 1, energy);
                }
            }
            multi[j - i] = others >= INFEASIBLE ? NONE : others;
        }
    }
}
