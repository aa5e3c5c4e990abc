package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.FoldTable.INFEASIBLE;
import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.MIN_HAIRPIN;
import static dev.bellman.fold.rna.energy.LoopEnergies.NONE;

import dev.bellman.columns.Cancellation;
import dev.bellman.fold.rna.energy.DanglingBases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.Arrays;

/**
 * Fills a {@link FoldTable} entry by entry, with the recurrences of Zuker and Stiegler, "Optimal computer folding of
 * large RNA sequences" (1981), plus multiloops. Takes O(n^3) time and tries, for each pair, all internal loops with up
 * to 30 unpaired bases.
 *
 * <pre>{@code
 * pair(i, j)  = min(hairpin(i, j),
 *                   min over p, q of internal(i, j, p, q) + pair(p, q),
 *                   closing(i, j) + min over k of multi(i + 1, k) + multi(k + 1, j - 1))
 * multi(i, j) = min(multi(i + 1, j) + unpaired, multi(i, j - 1) + unpaired,
 *                   pair(i, j) + branch(i, j), min over k of multi(i, k) + multi(k + 1, j))
 * }</pre>
 *
 * <p>If each base dangles on at most one branch, the minimum is also over the bases that dangle on the branch and on
 * the closing pair. These bases then belong to the branch or to the closing pair rather than to {@code multi}. If
 * helices may stack coaxially, the minimum is also over the {@link dev.bellman.fold.rna.energy.CoaxialStacks}.
 */
final class ZukerFill {
    private final FoldTable table;
    private final LoopEnergies energies;
    private final byte[] bases;
    private final Cancellation cancellation = new Cancellation();

    /**
     * The minimum energies of pairs on which an outer pair stacks, indexed by distance; used only if lonely pairs are
     * not allowed.
     */
    private int[] inside;

    /** The values of {@link #inside} for the previous row. */
    private int[] insideBefore;

    ZukerFill(FoldTable table) {
        this.table = table;
        energies = table.energies;
        bases = table.bases;
        int columns = Math.min(table.n, table.window);
        inside = new int[columns];
        insideBefore = new int[columns];
        Arrays.fill(inside, NONE);
    }

    /** Fills a row. All rows with larger indices must be filled first. */
    void row(int i) {
        int end = table.end(i);
        table.pair[i] = new int[end - i];
        table.multi[i] = new int[end - i];
        int[] swapped = insideBefore;
        insideBefore = inside;
        inside = swapped;
        Arrays.fill(inside, NONE);
        for (int j = i; j < end; j++) {
            cancellation.count(table.canPair(i, j) ? j - i + MAX_INTERNAL * MAX_INTERNAL / 2 : j - i);
            int pair = pair(i, j);
            table.pair[i][j - i] = pair >= INFEASIBLE ? NONE : pair;
            int multi = multi(i, j);
            table.multi[i][j - i] = multi >= INFEASIBLE ? NONE : multi;
        }
    }

    private int pair(int i, int j) {
        if (!table.canPair(i, j)) {
            return NONE;
        }
        int best = Math.min(energies.hairpin(bases, i, j) + table.free(i + 1, j), loop(i, j));
        best = Math.min(best, multiloop(i, j));
        if (!table.noLonelyPairs) {
            return best;
        }
        int stacked = insideBefore[j - i - 2] < INFEASIBLE
                ? insideBefore[j - i - 2] + energies.internal(bases, i, j, i + 1, j - 1)
                : NONE;
        inside[j - i] = Math.min(best, stacked);
        return stacked;
    }

    /** Returns the minimum energy of an internal loop that a pair closes, and of everything inside it. */
    private int loop(int i, int j) {
        int best = NONE;
        for (int p = i + 1; p <= Math.min(i + MAX_INTERNAL + 1, j - MIN_HAIRPIN - 2); p++) {
            int least = Math.max(p + MIN_HAIRPIN + 1, j - 1 - (MAX_INTERNAL - (p - i - 1)));
            for (int q = j - 1; q >= least; q--) {
                int inner = table.pair(p, q);
                if (inner < INFEASIBLE && table.free(i + 1, p) + table.free(q + 1, j) == 0) {
                    best = Math.min(best, inner + energies.internal(bases, i, j, p, q));
                }
            }
        }
        return best;
    }

    /** Returns the minimum energy of a multiloop that a pair closes, and of everything inside it. */
    private int multiloop(int i, int j) {
        if (!energies.areDanglesExclusive()) {
            int parts = split(i + 1, j - 1);
            return parts < INFEASIBLE ? parts + energies.closing(bases, i, j) : NONE;
        }
        int best = table.stacks.closing(i, j);
        for (int dangling = 0; dangling < LoopEnergies.DANGLING_SETS; dangling++) {
            int parts = split(DanglingBases.afterOpening(i, dangling), DanglingBases.beforeClosing(j, dangling));
            if (parts < INFEASIBLE) {
                best = Math.min(best, parts + table.closing(i, j, dangling));
            }
        }
        return best;
    }

    private int multi(int i, int j) {
        if (j == i) {
            return NONE;
        }
        int best = energies.unpaired
                + Math.min(table.multi(i + 1, j) + table.free(i, i + 1), table.multi(i, j - 1) + table.free(j, j + 1));
        if (i > 0 && j < table.n - 1) {
            best = Math.min(best, table.branch(i, j));
        }
        return Math.min(best, split(i, j));
    }

    private int split(int i, int j) {
        int best = NONE;
        for (int k = i; k < j; k++) {
            best = Math.min(best, table.multi(i, k) + table.multi(k + 1, j));
        }
        return best;
    }
}
