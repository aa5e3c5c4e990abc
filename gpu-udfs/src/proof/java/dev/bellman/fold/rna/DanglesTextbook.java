package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.energy.LoopEnergies.AFTER;
import static dev.bellman.fold.rna.energy.LoopEnergies.BEFORE;
import static dev.bellman.fold.rna.energy.LoopEnergies.DANGLING_SETS;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.CoaxialStacks;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Defines the options {@code dangles 1} and {@code dangles 3}: tries all ways in which the bases of a loop may dangle
 * and in which its helices may stack coaxially, and all structures of an RNA.
 */
final class DanglesTextbook {
    private final LoopEnergies energies;
    private final byte[] bases;
    private final int i;
    private final int j;
    private final List<int[]> branches;
    /** The unpaired bases of the loop that do not dangle. */
    private final Set<Integer> free = new HashSet<>();
    /** The indices of the branches that stack on an earlier one. */
    private final Set<Integer> stacked = new HashSet<>();

    private DanglesTextbook(LoopEnergies energies, byte[] bases, int i, int j, List<int[]> branches) {
        this.energies = energies;
        this.bases = bases;
        this.i = i;
        this.j = j;
        this.branches = branches;
        for (int k = i + 1; k < j; k++) {
            free.add(k);
        }
        branches.forEach(branch -> {
            for (int k = branch[0]; k <= branch[1]; k++) {
                free.remove(k);
            }
        });
    }

    /**
     * Returns the minimum energy of the branches of the exterior loop, or of the branches and the closing pair of a
     * multiloop, without the cost of its unpaired bases.
     *
     * @param i the base before the loop; -1 for the exterior loop
     * @param j the base after the loop
     */
    static int loop(LoopEnergies energies, byte[] bases, int i, int j, List<int[]> branches) {
        DanglesTextbook loop = new DanglesTextbook(energies, bases, i, j, branches);
        return loop.from(i < 0 ? 0 : -1);
    }

    /** Returns the minimum energy of the branches from an index on; the closing pair has the index -1. */
    private int from(int at) {
        if (at == branches.size()) {
            return 0;
        }
        if (stacked.contains(at)) {
            return from(at + 1);
        }
        int p = at < 0 ? j : branches.get(at)[0];
        int q = at < 0 ? i : branches.get(at)[1];
        int best = i < 0 || !energies.doHelicesStack() ? LoopEnergies.NONE : stacking(at, p, q);
        for (int set = 0; set < DANGLING_SETS; set++) {
            List<Integer> dangling = new ArrayList<>();
            if ((set & BEFORE) != 0) {
                dangling.add(p - 1);
            }
            if ((set & AFTER) != 0) {
                dangling.add(q + 1);
            }
            if (free.containsAll(dangling)) {
                dangling.forEach(free::remove);
                best = Math.min(best, branch(at, p, q, set) + from(at + 1));
                free.addAll(dangling);
            }
        }
        return best;
    }

    /** Returns the minimum energy from an index on, if its branch stacks on a later one. */
    private int stacking(int at, int p, int q) {
        int best = LoopEnergies.NONE;
        for (int other = at + 1; other < branches.size(); other++) {
            int[] branch = branches.get(other);
            boolean isAdjacent = q + 1 == branch[0] || branch[1] + 1 == p;
            boolean areOnlyBranches = at >= 0 && branches.size() == 2;
            if (isAdjacent && !areOnlyBranches && stacked.add(other)) {
                int energy = CoaxialStacks.stacked(energies, bases, q, p, branch[0], branch[1]);
                best = Math.min(best, energy + (at < 0 ? energies.closing : 0) + from(at + 1));
                stacked.remove(other);
            }
        }
        return best;
    }

    private int branch(int at, int p, int q, int set) {
        if (i < 0) {
            return energies.exterior(bases, p, q, set);
        }
        return at < 0 ? energies.closing(bases, i, j, set) : energies.branch(bases, p, q, set);
    }

    /** Returns the minimum energy of all structures of an RNA in kcal/mol. */
    static double minimum(String seq, String options) {
        byte[] bases = RnaTextbook.bases(UTF8String.fromString(seq));
        LoopEnergies loops = FoldOptions.of("rna_eval", options).energies();
        return structures(bases, 0, bases.length).stream()
                .mapToDouble(structure ->
                        RnaEvalTextbook.solve(bases, structure, loops).getDouble(0))
                .min()
                .orElseThrow();
    }

    /** Returns all structures of the bases from {@code from} (inclusive) to {@code to} (exclusive). */
    private static List<String> structures(byte[] bases, int from, int to) {
        if (from == to) {
            return List.of("");
        }
        List<String> all = new ArrayList<>();
        structures(bases, from + 1, to).forEach(rest -> all.add("." + rest));
        for (int j = from + 4; j < to; j++) {
            if (Bases.pair(bases[from], bases[j]) > 0) {
                for (String inside : structures(bases, from + 1, j)) {
                    structures(bases, j + 1, to).forEach(rest -> all.add("(" + inside + ")" + rest));
                }
            }
        }
        return all;
    }
}
