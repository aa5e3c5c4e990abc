package dev.bellman.align.score;

import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.TaskMemory;
import dev.bellman.columns.VectorClasses;
import java.util.BitSet;
import java.util.List;

/** Scores by vectors of a number type. They need the module {@code jdk.incubator.vector}. */
interface StripedTable {
    /** For 8, 16 and 32 bits. */
    List<StripedTable> ALL = VectorClasses.load(StripedTable.class, "StripedBytes", "StripedShorts", "StripedInts");

    /** Some value may be beyond the type. */
    long BEYOND = Long.MIN_VALUE;

    /** Numbers for each row besides scores. */
    int ROWS = 4;

    /** A table of fewer cells is small. */
    long SMALL = 1 << 22;

    /**
     * The score of two sequences that are not empty and that it {@linkplain #holds}; for local alignments, {@link
     * #BEYOND} as soon as a value may be beyond the type.
     */
    long score(int[] a, int[] b, AlignmentMode mode, Scoring scoring);

    /** Whether all values in the table of a pair fit the type, or, for local alignments, small ones. */
    boolean holds(int aLength, int bLength, AlignmentMode mode, Scoring scoring);

    /**
     * Takes the memory of a pair's table; returns false if a task has too little, since it has scores for each letter
     * that occurs in b.
     */
    static boolean take(int[] a, int[] b, Scoring scoring) {
        long numbers = (ROWS + letters(a, b, scoring)) * a.length + 2L * b.length;
        if (Integer.BYTES * numbers > TaskMemory.left()) {
            return false;
        }
        TaskMemory.take(Integer.BYTES * numbers, () -> "the table of %,d by %,d letters".formatted(a.length, b.length));
        return true;
    }

    /** The most letters that occur in b; counted only where that matters. */
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
            // the numbers of malformed characters are scattered
            if (Character.isValidCodePoint(letter)) {
                seen.set(letter);
            } else {
                others++;
            }
        }
        return seen.cardinality() + others;
    }

    /** Whether to leave a pair to a wider type, since one before it had values beyond this one. Counts the pairs. */
    boolean passesOn();

    /** Whether some type holds a pair's table; none without vectors, or for an empty side. */
    static boolean any(int aLength, int bLength, AlignmentMode mode, Scoring scoring) {
        return aLength > 0
                && bLength > 0
                && ALL.stream().anyMatch(table -> table.holds(aLength, bLength, mode, scoring));
    }

    /** The score by the narrowest type that holds the values of a pair; {@link #BEYOND} if none does. */
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
