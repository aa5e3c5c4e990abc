package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.FoldTable.INFEASIBLE;
import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.MIN_HAIRPIN;
import static dev.bellman.fold.rna.energy.LoopEnergies.NONE;

import dev.bellman.BellmanException;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.rna.RnaFold.Strategy;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Finds the minimum-free-energy structure of a circular RNA, as ViennaRNA's RNAfold does (Hofacker and Stadler, "Memory
 * efficient folding algorithms for circular RNA secondary structures", 2006). The loop that contains the last and the
 * first base is an ordinary loop: a hairpin, an internal loop, or a multiloop with at least three branches. A circle
 * without pairs has an energy, too.
 *
 * <p>The parts of the structure within pairs are those of a linear RNA. They are in a {@link FoldTable} of the
 * sequence, with its last base added in front and its first base added at the end. The two added bases are unpaired;
 * they are the neighbours of the branches that contain the first or the last base.
 *
 * <p>If several structures have the minimum energy, a hairpin is preferred, then an internal loop, then a multiloop,
 * and then the structure without pairs. Hairpins and internal loops are ordered by their bases i, j, p (ascending) and
 * q (descending), where i and j are the pair that contains the first paired base. The first two parts of a multiloop
 * are as short as possible.
 */
final class CircularFold {
    private final FoldTable table;
    private final int n;
    /** Two concatenated copies of the sequence. */
    private final byte[] twice;

    private final Cancellation cancellation = new Cancellation();
    private int energy = NONE;
    /** The pairs of the loop that contains the last and the first base, unless it is a multiloop. */
    private int[] pairs = new int[0];
    /** The last bases of the first two parts of the multiloop that contains the last and the first base, if any. */
    private int[] ends = new int[0];

    private CircularFold(FoldTable table, byte... bases) {
        this.table = table;
        n = bases.length;
        twice = CofoldTable.concatenated(bases, bases);
    }

    /**
     * Folds a sequence.
     *
     * @throws BellmanException as {@link RnaFold#of} does
     */
    static CircularFold of(String function, byte[] bases, FoldOptions options, Strategy strategy) {
        options.constraint().check(function, bases);
        int n = bases.length;
        TaskMemory.take(function, FoldTable.bytes(n + 2L), "", () -> "folding %,d bases".formatted(n));
        FoldTable table = new FoldTable(
                CircularLoop.padded(bases), options.with(options.constraint().padded(function, n)));
        IntConsumer rows = RnaFold.rows(table, options.constraint().isEnforced() ? Strategy.ZUKER : strategy);
        for (int i = n + 1; i > 0; i--) {
            rows.accept(i);
        }
        CircularFold folding = new CircularFold(table, bases);
        folding.close();
        if (folding.energy >= INFEASIBLE) {
            throw RnaFold.noStructure(function, n);
        }
        return folding;
    }

    /** Finds the loop that contains the last and the first base. */
    private void close() {
        for (int i = 1; i <= n; i++) {
            cancellation.count(n - i);
            for (int j = i + MIN_HAIRPIN + 1; j <= n; j++) {
                if (n - j + i - 1 >= MIN_HAIRPIN && table.pair(i, j) < INFEASIBLE && isFree(j, i)) {
                    lower(table.pair(i, j) + table.energies.hairpin(twice, j - 1, n + i - 1), i, j);
                }
            }
        }
        for (int i = 1; i <= Math.min(n, MAX_INTERNAL + 1); i++) {
            for (int j = i + MIN_HAIRPIN + 1; j <= n; j++) {
                if (table.pair(i, j) < INFEASIBLE) {
                    internal(i, j);
                }
            }
        }
        multiloop();
        int unpaired = table.free(1, n + 1) + table.energies.circle(n);
        if (unpaired < energy) {
            energy = unpaired;
            pairs = new int[0];
            ends = new int[0];
        }
    }

    /** Whether the bases after j and before i may be unpaired. */
    private boolean isFree(int j, int i) {
        return table.free(j + 1, n + 1) + table.free(1, i) == 0;
    }

    private void lower(int found, int... pairsOfLoop) {
        if (found < energy) {
            energy = found;
            pairs = pairsOfLoop;
        }
    }

    private void internal(int i, int j) {
        cancellation.count((long) MAX_INTERNAL * MAX_INTERNAL / 2);
        for (int p = j + 1; p <= n && p - j + i - 2 <= MAX_INTERNAL; p++) {
            for (int q = n; q > p + MIN_HAIRPIN && p - j + i - 2 + n - q <= MAX_INTERNAL; q--) {
                if (table.pair(p, q) < INFEASIBLE && isFree(q, i) && table.free(j + 1, p) == 0) {
                    int loop = table.energies.internal(twice, j - 1, n + i - 1, p - 1, q - 1);
                    lower(table.pair(i, j) + table.pair(p, q) + loop, i, j, p, q);
                }
            }
        }
    }

    private void multiloop() {
        for (int k = 1; k < n; k++) {
            cancellation.count(n - k);
            int first = table.multi(1, k) + table.energies.closing;
            for (int l = k + 1; l < n && first < INFEASIBLE; l++) {
                int others = table.multi(k + 1, l) + table.multi(l + 1, n);
                if (others < INFEASIBLE && first + others < energy) {
                    energy = first + others;
                    ends = new int[] {k, l};
                }
            }
        }
    }

    /** Returns the minimum energy, in hundredths of kcal/mol. */
    int energy() {
        return energy;
    }

    /** Returns the structure in dots and brackets. */
    byte[] structure() {
        byte[] structure = new byte[n];
        Arrays.fill(structure, (byte) '.');
        FoldTable.Walk walk = table.new Walk(structure, 1);
        if (ends.length > 0) {
            walk.branches(1, ends[0]);
            walk.branches(ends[0] + 1, ends[1]);
            walk.branches(ends[1] + 1, n);
            return structure;
        }
        for (int at = 0; at < pairs.length; at += 2) {
            walk.closed(pairs[at], pairs[at + 1]);
        }
        return structure;
    }
}
