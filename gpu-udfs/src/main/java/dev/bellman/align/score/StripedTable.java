package dev.bellman.align.score;

import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.TaskMemory;
import dev.bellman.columns.VectorClasses;
import java.util.BitSet;
import java.util.List;

/** Computes scores with vectors of one number type. Implementations need the module {@code jdk.incubator.vector}. */
interface StripedTable {
    /** The implementations for 8, 16 and 32 bits. */
    List<StripedTable> ALL = VectorClasses.load(StripedTable.class, "StripedBytes", "StripedShorts", "StripedInts");

    /** The result if the score might not fit in the type. */
    long BEYOND = Long.MIN_VALUE;

    /** The number of values for each letter of a, in addition to the letter's scores with the letters of b. */
    int ROWS = 4;

    /** The number of cells below which the different letters of b are not counted. */
    long SMALL = 1 << 22;

    /**
     * Returns the score of two non-empty sequences that this table {@linkplain #holds}; for local alignments, {@link
     * #BEYOND} as soon as a value might not fit in the type.
     */
    long score(int[] a, int[] b, AlignmentMode mode, Scoring scoring);

    /**
     * Whether gap costs have one piece, the mode is not an extension, and all values in a pair's table fit in the type.
     * For local alignments, checks only whether the scores of letters and the costs of gaps fit.
     */
    boolean holds(int aLength, int bLength, AlignmentMode mode, Scoring scoring);

    /**
     * Reserves memory for a pair's table, which has a row of scores for each letter that occurs in b. Returns false if
     * the task has too little memory.
     */
    static boolean take(int[] a, int[] b, Scoring scoring) {
        long numbers = (ROWS + letters(a, b, scoring)) * a.length + 2L * b.length;
        if (Integer.BYTES * numbers > TaskMemory.left()) {
            return false;
        }
        TaskMemory.take(
                Integer.BYTES * numbers, () -> "the table for %,d by %,d letters".formatted(a.length, b.length));
        return true;
    }

    /** Returns an upper bound on the number of different letters in b, which are counted only if necessary. */
    private static long letters(int[] a, int[] b, Scoring scoring) {
        if (!scoring.compares()) {
            return scoring.table().length;
        }
        if ((long) a.length * b.length < SMALL) {
            return b.length;
        }
        BitSet seen = new BitSet();
        int others = 0;
        for (int letter : b) {
            // the numbers of malformed characters are scattered, so they cannot index a bitmap
            if (Character.isValidCodePoint(letter)) {
                seen.set(letter);
            } else {
                others++;
            }
        }
        return seen.cardinality() + others;
    }

    /**
     * Counts pairs. Returns whether to solve this pair with a wider type because the values of a recent pair exceeded
     * this type.
     */
    boolean passesOn();

    /**
     * Whether one of the types {@linkplain #holds} a pair's table. Returns false if vector instructions are not
     * available or a string is empty.
     */
    static boolean any(int aLength, int bLength, AlignmentMode mode, Scoring scoring) {
        return aLength > 0
                && bLength > 0
                && ALL.stream().anyMatch(table -> table.holds(aLength, bLength, mode, scoring));
    }

    /**
     * Returns the score, computed with the narrowest type in which a pair's values fit, or {@link #BEYOND} if there is
     * no such type.
     */
    static long narrowest(int[] a, int[] b, AlignmentMode mode, Scoring scoring) {
        StripedTable widest = ALL.get(ALL.size() - 1);
        for (StripedTable table : ALL) {
            boolean tried = table.holds(a.length, b.length, mode, scoring)
                    && (mode != AlignmentMode.LOCAL || table == widest || !table.passesOn());
            long score = tried ? table.score(a, b, mode, scoring) : BEYOND;
            if (score != BEYOND) {
                return score;
            }
        }
        return BEYOND;
    }
}
