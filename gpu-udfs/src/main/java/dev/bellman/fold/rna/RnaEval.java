package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.energy.LoopEnergies.AFTER;
import static dev.bellman.fold.rna.energy.LoopEnergies.BEFORE;
import static dev.bellman.fold.rna.energy.LoopEnergies.NONE;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.CoaxialStacks;
import dev.bellman.fold.rna.energy.DanglingBases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntBinaryOperator;

/**
 * Computes the energy of a given RNA structure, which is the sum of its loops' energies. If each base dangles on at
 * most one branch, the bases of each loop dangle so that the energy is minimal. If helices may stack coaxially, the
 * minimum is also over the helices that stack.
 */
final class RnaEval {
    /**
     * A loop. Bases are counted from 1.
     *
     * @param i the 5' base of the pair that closes the loop; 0 for the exterior loop
     * @param p the 5' base of the inner pair of a stack, a bulge or an internal loop; 0 for other loops
     * @param energy in hundredths of kcal/mol
     */
    record Loop(Kind kind, int i, int j, int p, int q, int energy) {}

    enum Kind {
        EXTERIOR,
        HAIRPIN,
        STACK,
        BULGE,
        INTERNAL,
        MULTILOOP
    }

    private final String function;
    private final byte[] bases;
    private final LoopEnergies energies;
    private final int[] partners;
    private final List<Loop> loops = new ArrayList<>();

    private RnaEval(String function, byte[] bases, byte[] structure, LoopEnergies energies) {
        this.function = function;
        this.bases = bases;
        this.energies = energies;
        partners = partners(function, structure);
    }

    /**
     * Returns the loops of a structure: the exterior loop first, then the others in the order of their 5' bases.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if the string is not a structure of the sequence
     */
    static List<Loop> loops(String function, byte[] bases, byte[] structure, LoopEnergies energies) {
        if (structure.length != bases.length) {
            throw BellmanException.inRow(
                    function,
                    "`sequence` has %,d bases, but `structure` has %,d characters; the two lengths must be equal"
                            .formatted(bases.length, structure.length));
        }
        RnaEval eval = new RnaEval(function, bases, structure, energies);
        eval.exterior();
        for (int i = 0; i < bases.length; i++) {
            if (eval.partners[i] > i) {
                eval.closed(i, eval.partners[i]);
            }
        }
        return eval.loops;
    }

    /** Returns the partner of each base; -1 for unpaired bases. */
    private static int[] partners(String function, byte[] structure) {
        int[] partners = new int[structure.length];
        int[] open = new int[structure.length];
        int depth = 0;
        for (int i = 0; i < structure.length; i++) {
            partners[i] = -1;
            switch (structure[i]) {
                case '.' -> {}
                case '(' -> open[depth++] = i;
                case ')' -> {
                    if (depth == 0) {
                        throw unbalanced(function, i, ")");
                    }
                    partners[i] = open[--depth];
                    partners[partners[i]] = i;
                }
                default ->
                    throw BellmanException.inRow(
                            function,
                            "character %d of `structure` is '%s'; each character must be '.', '(' or ')'"
                                    .formatted(i + 1, (char) (structure[i] & 0xff)));
            }
        }
        if (depth > 0) {
            throw unbalanced(function, open[depth - 1], "(");
        }
        return partners;
    }

    private static BellmanException unbalanced(String function, int at, String bracket) {
        return BellmanException.inRow(
                function, "the '%s' at character %d of `structure` has no partner".formatted(bracket, at + 1));
    }

    private void exterior() {
        int energy = 0;
        for (int i = 0; i < bases.length; i++) {
            if (partners[i] >= 0) {
                check(i, partners[i]);
                energy += energies.areDanglesExclusive() ? 0 : energies.exterior(bases, i, partners[i]);
                i = partners[i];
            }
        }
        if (energies.areDanglesExclusive()) {
            energy = branches(
                    0, bases.length, false, (p, dangling) -> energies.exterior(bases, p, partners[p], dangling));
        }
        loops.add(new Loop(Kind.EXTERIOR, 0, 0, 0, 0, energy));
    }

    private void check(int i, int j) {
        if (Bases.pair(bases[i], bases[j]) == 0) {
            throw BellmanException.inRow(
                    function,
                    "`structure` pairs base %d (%s) with base %d (%s); only C and G, A and U, and G and U can pair"
                            .formatted(i + 1, Bases.LETTERS.charAt(bases[i]), j + 1, Bases.LETTERS.charAt(bases[j])));
        }
    }

    private void closed(int i, int j) {
        int branches = 0;
        int unpaired = 0;
        int first = 0;
        int ofBranches = 0;
        for (int k = i + 1; k < j; k++) {
            if (partners[k] < 0) {
                unpaired++;
                continue;
            }
            check(k, partners[k]);
            first = branches == 0 ? k : first;
            ofBranches += energies.areDanglesExclusive() ? 0 : energies.branch(bases, k, partners[k]);
            branches++;
            k = partners[k];
        }
        if (branches == 0 && unpaired < LoopEnergies.MIN_HAIRPIN) {
            throw BellmanException.inRow(
                    function,
                    "`structure` pairs bases %d and %d, with %d bases between them; a hairpin needs at least %d"
                            .formatted(i + 1, j + 1, unpaired, LoopEnergies.MIN_HAIRPIN));
        }
        if (branches == 0) {
            loops.add(new Loop(Kind.HAIRPIN, i + 1, j + 1, 0, 0, energies.hairpin(bases, i, j)));
        } else if (branches == 1) {
            int last = partners[first];
            boolean bulge = first == i + 1 || last == j - 1;
            loops.add(new Loop(
                    unpaired == 0 ? Kind.STACK : bulge ? Kind.BULGE : Kind.INTERNAL,
                    i + 1,
                    j + 1,
                    first + 1,
                    last + 1,
                    energies.internal(bases, i, j, first, last)));
        } else {
            int energy = unpaired * energies.unpaired
                    + (energies.areDanglesExclusive()
                            ? multiloop(i, j, branches)
                            : energies.closing(bases, i, j) + ofBranches);
            loops.add(new Loop(Kind.MULTILOOP, i + 1, j + 1, 0, 0, energy));
        }
    }

    /** Returns the minimum energy of the branches of a multiloop and its closing pair. */
    private int multiloop(int i, int j, int count) {
        boolean mayStack = energies.doHelicesStack() && count > 2;
        int best = energies.doHelicesStack() ? stackedClosing(i, j, mayStack) : NONE;
        for (int dangling = 0; dangling < LoopEnergies.DANGLING_SETS; dangling++) {
            int first = DanglingBases.afterOpening(i, dangling);
            int last = DanglingBases.beforeClosing(j, dangling);
            boolean areFree = (first == i + 1 || partners[i + 1] < 0) && (last == j - 1 || partners[j - 1] < 0);
            if (areFree) {
                best = Math.min(best, branches(first, last + 1, mayStack) + energies.closing(bases, i, j, dangling));
            }
        }
        return best;
    }

    /** Returns the minimum energy of the helices of a multiloop if its closing pair stacks on a branch. */
    private int stackedClosing(int i, int j, boolean mayStack) {
        int best = NONE;
        int first = partners[i + 1];
        if (first >= 0) {
            best = CoaxialStacks.stacked(energies, bases, i, j, i + 1, first) + branches(first + 1, j, mayStack);
        }
        int last = partners[j - 1];
        if (last >= 0) {
            best = Math.min(
                    best, CoaxialStacks.stacked(energies, bases, i, j, last, j - 1) + branches(i + 1, last, mayStack));
        }
        return best + energies.closing;
    }

    /** Returns the minimum energy of the branches in a part of a multiloop. */
    private int branches(int begin, int end, boolean mayStack) {
        return branches(begin, end, mayStack, (p, dangling) -> energies.branch(bases, p, partners[p], dangling));
    }

    /**
     * Returns the minimum energy of the branches in a part of a loop, where each unpaired base of this part dangles on
     * at most one branch.
     *
     * @param mayStack whether two adjacent branches may stack
     * @param energy returns the energy of the branch that begins at a base, given the bases that dangle on it
     */
    private int branches(int begin, int end, boolean mayStack, IntBinaryOperator energy) {
        int best = 0;
        // the minimum energy before the last branch
        int beforeLast = NONE;
        // the minimum energy if the last base does not dangle; NONE if it is paired
        int unlessLast = NONE;
        // the minimum energy if the next base dangles on the last branch
        int withNext = NONE;
        for (int k = begin; k < end; k++) {
            if (partners[k] < 0) {
                unlessLast = best;
                best = Math.min(best, withNext);
                withNext = NONE;
                continue;
            }
            boolean isLast = partners[k] == end - 1;
            int alone = best + energy.applyAsInt(k, 0);
            int after = isLast ? NONE : best + energy.applyAsInt(k, AFTER);
            if (unlessLast < NONE) {
                alone = Math.min(alone, unlessLast + energy.applyAsInt(k, BEFORE));
                after = isLast ? NONE : Math.min(after, unlessLast + energy.applyAsInt(k, BEFORE | AFTER));
            }
            if (mayStack && k > begin && partners[k - 1] >= 0) {
                int stacked = CoaxialStacks.stacked(energies, bases, k - 1, partners[k - 1], k, partners[k]);
                alone = Math.min(alone, beforeLast + stacked);
            }
            beforeLast = best;
            best = alone;
            unlessLast = NONE;
            withNext = after;
            k = partners[k];
        }
        return best;
    }
}
