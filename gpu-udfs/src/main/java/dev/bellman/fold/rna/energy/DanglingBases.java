package dev.bellman.fold.rna.energy;

import static dev.bellman.fold.rna.energy.LoopEnergies.AFTER;
import static dev.bellman.fold.rna.energy.LoopEnergies.BEFORE;

/** Computes positions next to the bases that dangle on a branch or on the closing pair of a multiloop. */
public final class DanglingBases {
    private DanglingBases() {}

    /** Returns the first base of a branch in a part that begins at i; base i itself may dangle on the branch. */
    public static int first(int i, int dangling) {
        return i + (dangling & BEFORE);
    }

    /** Returns the last base of a branch in a part that ends at j; base j itself may dangle on the branch. */
    public static int last(int j, int dangling) {
        return j - (dangling & AFTER) / AFTER;
    }

    /** Returns the first base of a multiloop that does not dangle on its closing pair. */
    public static int afterOpening(int i, int dangling) {
        return i + 1 + (dangling & AFTER) / AFTER;
    }

    /** Returns the last base of a multiloop that does not dangle on its closing pair. */
    public static int beforeClosing(int j, int dangling) {
        return j - 1 - (dangling & BEFORE);
    }
}
