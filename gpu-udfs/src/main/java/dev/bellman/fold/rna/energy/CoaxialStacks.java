package dev.bellman.fold.rna.energy;

import static dev.bellman.fold.rna.energy.LoopEnergies.MIN_HAIRPIN;
import static dev.bellman.fold.rna.energy.LoopEnergies.NONE;

import dev.bellman.fold.Bases;

/**
 * Finds the helices of multiloops that stack coaxially, which {@code dangles 3} allows. Two neighbouring helices of a
 * multiloop can stack if no unpaired base is between them; the closing pair is one of the helices. Each helix stacks on
 * at most one other. The two branches of a multiloop without further branches do not stack on each other.
 *
 * <p>The energy of two stacked helices is that of a stack of their pairs, plus the cost of two branches. No base
 * dangles on a stacked helix, and its end has no penalty for AU and GU.
 */
public final class CoaxialStacks {
    /** Half of {@link LoopEnergies#NONE}. An energy of at least this value means that there is no such structure. */
    private static final int INFEASIBLE = NONE / 2;

    /**
     * The minimum energies of subsequences; at least half of {@link LoopEnergies#NONE} if there is no such structure.
     */
    public interface Parts {
        /** Returns the minimum energy of the bases i to j, if i and j pair. */
        int pair(int i, int j);

        /** Returns the minimum energy of the bases i to j within a multiloop, with at least one branch. */
        int multi(int i, int j);
    }

    private final LoopEnergies energies;
    private final byte[] bases;
    private final Parts parts;

    public CoaxialStacks(LoopEnergies energies, byte[] bases, Parts parts) {
        this.energies = energies;
        this.bases = bases;
        this.parts = parts;
    }

    /**
     * Returns the energy of a branch (p, q) that stacks on the closing pair (i, j). The energy of two branches (i, k)
     * and (k + 1, j) that stack is {@code stacked(energies, bases, k, i, k + 1, j)}.
     */
    public static int stacked(LoopEnergies energies, byte[] bases, int i, int j, int p, int q) {
        int outer = Bases.pair(bases[i], bases[j]);
        int inner = Bases.pair(bases[q], bases[p]);
        return 2 * energies.branch + energies.stack[LoopIndex.pairs(outer, inner)];
    }

    /**
     * Returns the minimum energy of two stacked branches of a multiloop; the first begins at i, and the second ends at
     * j.
     */
    public int branches(int i, int j) {
        int best = NONE;
        if (energies.doHelicesStack()) {
            for (int k = i + MIN_HAIRPIN + 1; k < j - MIN_HAIRPIN - 1; k++) {
                best = Math.min(best, branches(i, k, j));
            }
        }
        return best;
    }

    private int branches(int i, int k, int j) {
        int first = parts.pair(i, k);
        int second = first < INFEASIBLE ? parts.pair(k + 1, j) : NONE;
        return second < INFEASIBLE ? first + second + stacked(energies, bases, k, i, k + 1, j) : NONE;
    }

    /** Returns the last base of the first of two stacked branches with the minimum energy. Ties: the lowest base. */
    public int end(int i, int j) {
        int energy = branches(i, j);
        int k = i + MIN_HAIRPIN + 1;
        while (branches(i, k, j) != energy) {
            k++;
        }
        return k;
    }

    /** Returns the minimum energy of the multiloop that i and j close if the closing pair stacks on a branch. */
    public int closing(int i, int j) {
        int best = NONE;
        if (energies.doHelicesStack()) {
            for (int k = i + MIN_HAIRPIN + 2; k < j - MIN_HAIRPIN - 2; k++) {
                best = Math.min(best, Math.min(closing(i, j, k, true), closing(i, j, k, false)));
            }
        }
        return best;
    }

    /**
     * Returns the minimum energy of the multiloop if its closing pair stacks on the first branch, which ends at k, or
     * on the last branch, which begins after k.
     */
    private int closing(int i, int j, int k, boolean isFirst) {
        int branch = isFirst ? parts.pair(i + 1, k) : parts.pair(k + 1, j - 1);
        if (branch >= INFEASIBLE) {
            return NONE;
        }
        int rest = isFirst ? parts.multi(k + 1, j - 1) : parts.multi(i + 1, k);
        int first = isFirst ? i + 1 : k + 1;
        int last = isFirst ? k : j - 1;
        return rest < INFEASIBLE
                ? branch + rest + energies.closing + stacked(energies, bases, i, j, first, last)
                : NONE;
    }

    /**
     * Returns the branch that the closing pair stacks on in a multiloop with the minimum energy: the shortest first
     * branch or, if no first branch is possible, the longest last branch.
     *
     * @return the last base k of a first branch, or {@code ~k} for the base before a last branch
     */
    public int onClosing(int i, int j) {
        int energy = closing(i, j);
        for (int k = i + MIN_HAIRPIN + 2; k < j - MIN_HAIRPIN - 2; k++) {
            if (closing(i, j, k, true) == energy) {
                return k;
            }
        }
        int k = i + MIN_HAIRPIN + 2;
        while (closing(i, j, k, false) != energy) {
            k++;
        }
        return ~k;
    }
}
