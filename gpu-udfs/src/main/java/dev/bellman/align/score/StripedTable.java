package dev.bellman.align.score;

import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.TaskMemory;
import dev.bellman.columns.VectorClasses;
import java.util.BitSet;
import java.util.List;

/** Computes scores by vectors of one number type. Implementations need the module {@code jdk.incubator.vector}. */
interface StripedTable {
    /** The implementations for 8, 16 and 32 bits. */
    List<StripedTable> ALL = VectorClasses.load(StripedTable.class, "StripedBytes", "StripedShorts", "StripedInts");

    /** Stands for a score that the type may not hold. */
    long BEYOND = Long.MIN_VALUE;

    /** Numbers per row besides scores. */
    int ROWS = 4;

    /** A table of fewer cells is small. */
    long SMALL = 1 << 22;

    /**
     * The score of two sequences that are not empty and that it {@linkplain #holds}; for local alignments,
     * {@link #BEYOND} as soon as a value may be beyond the type.
     */
    long score(int[] a, int[] b, AlignmentMode mode, Scoring scoring);

    /** Whether all values in the table of a pair fit the type; for local alignments, whether small ones do. */
    boolean holds(int aLength, int bLength, AlignmentMode mode, Scoring scoring);

    /**
     * Takes the memory of a pair's table, which has a row of scores for each letter that occurs in b; returns false if
     * the task has too little.
     */
    static boolean take(int[] a, int[] b, Scoring scoring) {
        long numbers = (ROWS + letters(a, b, scoring)) * a.length + 2L * b.length;
        if (Integer.BYTES * numbers > TaskMemory.left()) {
            return false;
        }
        TaskMemory.take(Integer.BYTES * numbers, () -> "the table of %,d by %,d letters".formatted(a.length, b.length));
        return true;
    }

    /** An upper bound of the number of different letters in b; counted only where that matters. */
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
            // malformed characters have scattered numbers
            if (Character.isValidCodePoint(letter)) {
                seen.set(letter);
            } else {
                others++;
            }
        }
        return seen.cardinality() + others;
    }

    /** Counts pairs; returns whether to leave this one to a wider type because a recent one exceeded this type. */
    boolean passesOn();

    /** Whether some type holds a pair's table. False without vectors, or if a string is empty. */
    static boolean any(int aLength, int bLength, AlignmentMode mode, Scoring scoring) {
        return aLength > 0
                && bLength > 0
                && ALL.stream().anyMatch(table -> table.holds(aLength, bLength, mode, scoring));
    }

    /** Returns the score by the narrowest type that holds the values of a pair; {@link #BEYOND} if none does. */
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
