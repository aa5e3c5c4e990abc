package dev.bellman.fold.rna.energy;

import dev.bellman.fold.Bases;

/**
 * The indexes of loops in the tables of a model. The loop is closed by the bases {@code i} and {@code j}, and an
 * internal one ends with {@code p} and {@code q}, {@code i < p < q < j}.
 */
final class LoopIndex {
    private static final int PAIRS = EnergyTables.PAIRS;
    private static final int BASES = Bases.COUNT;

    private LoopIndex() {}

    /** A pair and the unpaired bases next to it. */
    static int mismatch(int pair, int x, int y) {
        return (pair * BASES + x) * BASES + y;
    }

    /** A pair and the unpaired base on one side of it. */
    static int dangle(int pair, int x) {
        return pair * BASES + x;
    }

    /** Two pairs, for a stack and for the methods below. */
    static int pairs(int outer, int inner) {
        return outer * PAIRS + inner;
    }

    /** A single base on both sides. */
    static int int11(int pairs, byte[] bases, int i, int j) {
        return (pairs * BASES + bases[i + 1]) * BASES + bases[j - 1];
    }

    /** One base on the left, two on the right. */
    static int int21(int pairs, byte[] bases, int i, int j, int q) {
        return ((pairs * BASES + bases[i + 1]) * BASES + bases[q + 1]) * BASES + bases[j - 1];
    }

    /** Two bases on the left, one on the right: the table of {@link #int21}, seen from the inner pair. */
    static int int12(int turned, byte[] bases, int i, int p, int q) {
        return ((turned * BASES + bases[q + 1]) * BASES + bases[i + 1]) * BASES + bases[p - 1];
    }

    /** Two bases on both sides. */
    static int int22(int pairs, byte[] bases, int i, int j, int p, int q) {
        return (((pairs * BASES + bases[i + 1]) * BASES + bases[p - 1]) * BASES + bases[q + 1]) * BASES + bases[j - 1];
    }

    /** Whether some hairpins of a size have a special energy. */
    static boolean mayBeSpecial(int size) {
        return size == 3 || size == 4 || size == 6;
    }

    /** The key of a hairpin by its letters. */
    static int special(String loop) {
        int key = 0;
        for (char base : loop.toCharArray()) {
            key = key << 3 | Bases.LETTERS.indexOf(base);
        }
        return key;
    }

    /** The key of a hairpin that may have a special energy: its bases, three bits each. */
    static int special(byte[] bases, int i, int j) {
        int key = 0;
        for (int at = i; at <= j; at++) {
            key = key << 3 | bases[at];
        }
        return key;
    }
}
