package dev.bellman.align.score;

import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.TaskMemory;
import dev.bellman.columns.VectorClasses;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Scores by vectors of a number type. They need the module {@code jdk.incubator.vector}. */
interface StripedTable {
    /** For 16 and 32 bits. */
    List<StripedTable> ALL = VectorClasses.load(StripedTable.class, "StripedShorts", "StripedInts");

    /** Of a cell, for {@link dev.bellman.columns.Cancellation}: vectors are slow until they are compiled. */
    int STEPS = 16;

    /** Numbers for each row besides scores. */
    int ROWS = 4;

    /** A table of fewer cells is small. */
    long SMALL = 1 << 22;

    /** The score of two sequences that are not empty and that it {@linkplain #holds}. */
    long score(int[] a, int[] b, AlignmentMode mode, Scoring scoring);

    /** Whether all values in the table of a pair fit the type. */
    boolean holds(int aLength, int bLength, Scoring scoring);

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

    /** The one with the narrowest type that holds a pair's table; none without vectors, or for an empty side. */
    static Optional<StripedTable> of(int aLength, int bLength, Scoring scoring) {
        return aLength == 0 || bLength == 0
                ? Optional.empty()
                : ALL.stream()
                        .filter(table -> table.holds(aLength, bLength, scoring))
                        .findFirst();
    }
}
