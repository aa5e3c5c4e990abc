package dev.bellman.fold.rna.energy;

import dev.bellman.fold.Bases;

/**
 * Computes the indices of loops in a model's tables. A loop is closed by the bases {@code i} and {@code j}; an internal
 * loop ends at the bases {@code p} and {@code q}, where {@code i < p < q < j}.
 */
final class LoopIndex {
    private static final int PAIRS = EnergyTables.PAIRS;
    private static final int BASES = Bases.COUNT;

    private LoopIndex() {}

    /** Returns the index of a pair and the bases on both sides of it. */
    static int mismatch(int pair, int x, int y) {
        return (pair * BASES + x) * BASES + y;
    }

    /** Returns the index of a pair and the base on one side of it. */
    static int dangle(int pair, int x) {
        return pair * BASES + x;
    }

    /** Returns the index of a combination of two pairs, which is used for stacks and by the methods below. */
    static int pairs(int outer, int inner) {
        return outer * PAIRS + inner;
    }

    /** Returns the index of an internal loop with one unpaired base on each side. */
    static int int11(int pairs, byte[] bases, int i, int j) {
        return (pairs * BASES + bases[i + 1]) * BASES + bases[j - 1];
    }

    /** Returns the index of an internal loop with one unpaired base on the left and two on the right. */
    static int int21(int pairs, byte[] bases, int i, int j, int q) {
        return ((pairs * BASES + bases[i + 1]) * BASES + bases[q + 1]) * BASES + bases[j - 1];
    }

    /**
     * Returns the index of an internal loop with two unpaired bases on the left and one on the right: the index {@link
     * #int21} of the loop as seen from the inner pair.
     */
    static int int12(int turned, byte[] bases, int i, int p, int q) {
        return ((turned * BASES + bases[q + 1]) * BASES + bases[i + 1]) * BASES + bases[p - 1];
    }

    /** Returns the index of an internal loop with two unpaired bases on each side. */
    static int int22(int pairs, byte[] bases, int i, int j, int p, int q) {
        return (((pairs * BASES + bases[i + 1]) * BASES + bases[p - 1]) * BASES + bases[q + 1]) * BASES + bases[j - 1];
    }

    /** Whether hairpins of the given size may have a special energy. */
    static boolean mayBeSpecial(int size) {
        return size == 3 || size == 4 || size == 6;
    }

    /** Returns the key of the hairpin with the given letters. */
    static int special(String loop) {
        int key = 0;
        for (char base : loop.toCharArray()) {
            key = key << 3 | Bases.LETTERS.indexOf(base);
        }
        return key;
    }

    /** Returns the key of a hairpin that may have a special energy, with three bits for each base. */
    static int special(byte[] bases, int i, int j) {
        int key = 0;
        for (int at = i; at <= j; at++) {
            key = key << 3 | bases[at];
        }
        return key;
    }
}
