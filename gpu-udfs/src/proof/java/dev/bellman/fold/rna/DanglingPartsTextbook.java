package dev.bellman.fold.rna;

import dev.bellman.fold.rna.RnaTextbook.Best;
import dev.bellman.fold.rna.RnaTextbook.Part;
import dev.bellman.fold.rna.energy.CoaxialStacks;
import dev.bellman.fold.rna.energy.LoopEnergies;

/**
 * Defines the structures of branches and multiloops with the options {@code dangles 1} and {@code dangles 3}, including
 * the bases that dangle on them.
 */
final class DanglingPartsTextbook {
    private final RnaTextbook parts;
    private final LoopEnergies energies;
    private final byte[] bases;

    DanglingPartsTextbook(RnaTextbook parts, LoopEnergies energies, byte... bases) {
        this.parts = parts;
        this.energies = energies;
        this.bases = bases;
    }

    /** Returns the energy of a branch, given the bases that dangle on it. */
    private interface BranchEnergy {
        int of(byte[] bases, int p, int q, int set);
    }

    /** Returns the structure of the bases i to j if they are a branch of the exterior loop and its dangling bases. */
    Part exterior(int i, int j) {
        return branch(i, j, energies::exterior, 0);
    }

    /**
     * Returns the structure of the bases i to j if they are a branch of a multiloop and its dangling bases, or two
     * branches that stack on each other.
     */
    Part branch(int i, int j) {
        Best best = new Best();
        best.or(branch(i, j, energies::branch, energies.unpaired));
        best.or(stacked(i, j));
        return best.part();
    }

    private Part branch(int i, int j, BranchEnergy energy, int unpaired) {
        Best best = new Best();
        for (int set = 0; set < LoopEnergies.DANGLING_SETS; set++) {
            int before = set % 2;
            int after = set / 2;
            boolean areFree = parts.areFree(i, i + before) && parts.areFree(j + 1 - after, j + 1);
            Part pair = areFree && i + before < j - after ? parts.pair(i + before, j - after) : null;
            if (pair != null) {
                int ends = energy.of(bases, i + before, j - after, set) + (before + after) * unpaired;
                best.or(pair.around(".".repeat(before), ".".repeat(after), ends));
            }
        }
        return best.part();
    }

    /** Returns the structure of two branches of a multiloop that stack on each other, from i to j. */
    private Part stacked(int i, int j) {
        Best best = new Best();
        for (int k = i; k < j && energies.doHelicesStack(); k++) {
            Part first = parts.pair(i, k);
            Part second = first == null ? null : parts.pair(k + 1, j);
            if (second != null) {
                int energy = CoaxialStacks.stacked(energies, bases, k, i, k + 1, j);
                best.or(first.around("", second.structure(), second.energy() + energy));
            }
        }
        return best.part();
    }

    /** Adds the structures of a multiloop in which the closing pair stacks on the first or the last branch. */
    private void orStacked(Best best, int i, int j) {
        for (int k = i + 1; k < j - 1; k++) {
            Part branch = parts.pair(i + 1, k);
            Part rest = branch == null ? null : parts.multi(k + 1, j - 1);
            if (rest != null) {
                int energy = energies.closing + CoaxialStacks.stacked(energies, bases, i, j, i + 1, k);
                best.or(branch.around("(", rest.structure() + ")", rest.energy() + energy));
            }
        }
        for (int k = i + 1; k < j - 1; k++) {
            Part branch = parts.pair(k + 1, j - 1);
            Part rest = branch == null ? null : parts.multi(i + 1, k);
            if (rest != null) {
                int energy = energies.closing + CoaxialStacks.stacked(energies, bases, i, j, k + 1, j - 1);
                best.or(branch.around("(" + rest.structure(), ")", rest.energy() + energy));
            }
        }
    }

    /** Returns the structure of a multiloop that i and j close. */
    Part multiloop(int i, int j) {
        Best best = new Best();
        for (int set = 0; set < LoopEnergies.DANGLING_SETS; set++) {
            int before = set % 2;
            int after = set / 2;
            boolean areFree = parts.areFree(i + 1, i + 1 + after) && parts.areFree(j - before, j);
            Part several = areFree ? parts.several(i + 1 + after, j - 1 - before) : null;
            if (several != null) {
                int energy = energies.closing(bases, i, j, set) + (after + before) * energies.unpaired;
                best.or(several.around("(" + ".".repeat(after), ".".repeat(before) + ")", energy));
            }
        }
        if (energies.doHelicesStack()) {
            orStacked(best, i, j);
        }
        return best.part();
    }
}
