package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.FoldTable.INFEASIBLE;
import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.MIN_HAIRPIN;
import static dev.bellman.fold.rna.energy.LoopEnergies.NONE;

import dev.bellman.columns.Cancellation;
import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.DanglingBases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.Arrays;

/**
 * Fills a {@link FoldTable} with the same values as {@link ZukerFill}, but row by row, from the last to the first, in
 * loops over whole rows that compile to vector instructions. The column of a base is its distance from the row's base:
 * base j is in column {@code j - i} of row i. {@link InternalLoops} finds most loops of a row.
 *
 * <p>Only a few splits of a multiloop matter. The first part of a split is a single branch from i to k. If the energy
 * of this branch is not lower than that of the best other part from i to k, the branch never helps, regardless of what
 * follows. Therefore, {@code several(i, j)}, for at least two branches, uses only the few branches that are better
 * (Wexler, Zilberstein and Ziv-Ukelson, "A study of accessible motifs and RNA folding complexity", 2007). Each such
 * branch is applied to all j at once.
 */
final class RowFill {
    private final FoldTable table;
    private final LoopEnergies energies;
    private final byte[] bases;
    private final int n;
    private final Cancellation cancellation = new Cancellation();
    private final InternalLoops loops;

    /** The energies of multiloop parts with at least two branches that begin at the base of the last filled row. */
    private int[] several;

    /** The values of {@link #several} for the row that was filled before the last one. */
    private int[] severalBefore;

    /** The minimum energies of pairs on which an outer pair stacks; used only if lonely pairs are not allowed. */
    private int[] inside;

    private int[] insideBefore;

    RowFill(FoldTable table) {
        this.table = table;
        energies = table.energies;
        bases = table.bases;
        n = table.n;
        int columns = Math.min(n, table.window);
        loops = new InternalLoops(energies, columns);
        several = none(columns);
        severalBefore = none(columns);
        inside = none(columns);
        insideBefore = none(columns);
    }

    private static int[] none(int columns) {
        int[] none = new int[columns];
        Arrays.fill(none, NONE);
        return none;
    }

    /** Fills a row. All rows with larger indices must be filled first. */
    void row(int i) {
        int columns = table.end(i) - i;
        cancellation.count((long) columns * (energies.doHelicesStack() ? columns : MAX_INTERNAL));
        int[] row = none(columns);
        table.pair[i] = row;
        int[] swapped = insideBefore;
        insideBefore = inside;
        inside = swapped;
        Arrays.fill(inside, NONE);
        loops.start(i);
        if (bases[i] != Bases.N && columns > MIN_HAIRPIN + 1) {
            loops.reset(columns);
            for (int l = 0; l <= MAX_INTERNAL && l + MIN_HAIRPIN + 3 < columns; l++) {
                loops.find(l, i + 1 + l, MIN_HAIRPIN + 1, l + 1, columns);
            }
            for (int j = i + MIN_HAIRPIN + 1; j < i + columns; j++) {
                if (table.canPair(i, j)) {
                    row[j - i] = pair(i, j);
                }
            }
            keep(i, row);
        }
        fillMulti(i, row);
    }

    private int pair(int i, int j) {
        int pair = Bases.pair(bases[i], bases[j]);
        int least = Math.min(energies.hairpin(bases, i, j), loops.least(j - i, pair, bases[i + 1], bases[j - 1]));
        for (int l = 0; l <= 2; l++) {
            for (int r = 0; r <= 2; r++) {
                // the energies of bulges of two or more bases are sums, which InternalLoops has already computed
                if (l + r != 2 || l == r) {
                    least = Math.min(least, looked(i, j, i + 1 + l, j - 1 - r));
                }
            }
        }
        least = Math.min(least, multiloop(i, j));
        if (!table.noLonelyPairs) {
            return least;
        }
        int stacked = insideBefore[j - i - 2] < INFEASIBLE
                ? insideBefore[j - i - 2] + energies.internal(bases, i, j, i + 1, j - 1)
                : NONE;
        inside[j - i] = Math.min(least, stacked);
        return stacked;
    }

    /** Returns the minimum energy of a multiloop that a pair closes, and of everything inside it. */
    private int multiloop(int i, int j) {
        if (!energies.areDanglesExclusive()) {
            return several[j - i - 2] + energies.closing(bases, i, j);
        }
        int best = table.stacks.closing(i, j);
        for (int dangling = 0; dangling < LoopEnergies.DANGLING_SETS; dangling++) {
            int first = DanglingBases.afterOpening(i, dangling);
            int[] parts = first == i + 1 ? several : severalBefore;
            best = Math.min(
                    best, parts[DanglingBases.beforeClosing(j, dangling) - first] + table.closing(i, j, dangling));
        }
        return best;
    }

    private int looked(int i, int j, int p, int q) {
        if (q - p <= MIN_HAIRPIN) {
            return NONE;
        }
        int inside = table.pair(p, q);
        return inside < INFEASIBLE ? inside + energies.internal(bases, i, j, p, q) : NONE;
    }

    private void keep(int i, int... row) {
        for (int j = i + MIN_HAIRPIN + 1; j < Math.min(i + row.length, n - 1); j++) {
            if (row[j - i] < INFEASIBLE && i > 0) {
                loops.keep(i, j - i, row[j - i], Bases.pair(bases[j], bases[i]), bases[j + 1], bases[i - 1]);
            }
        }
    }

    private void fillMulti(int i, int... row) {
        int columns = row.length;
        int[] multi = new int[columns];
        table.multi[i] = multi;
        int unpaired = energies.unpaired;
        int[] swapped = severalBefore;
        severalBefore = several;
        several = swapped;
        multi[0] = NONE;
        several[0] = NONE;
        for (int column = 1; column < columns; column++) {
            int two = severalBefore[column - 1] + unpaired;
            several[column] = two >= INFEASIBLE ? NONE : two;
        }
        // when this iteration reaches j, the branches that end before j have already lowered column j
        for (int j = i + 1; j < i + columns; j++) {
            int column = j - i;
            int others = Math.min(Math.min(table.multi(i + 1, j), multi[column - 1]) + unpaired, several[column]);
            int energy = i > 0 && j < n - 1 ? table.branch(i, j) : NONE;
            if (energy < Math.min(others, INFEASIBLE)) {
                others = energy;
                int length = columns - column - 1;
                cancellation.count(length);
                if (length > 0) {
                    InternalLoops.lower(several, column + 1, table.multi[j + 1], 0, length, energy);
                }
            }
            multi[column] = others >= INFEASIBLE ? NONE : others;
        }
    }
}
