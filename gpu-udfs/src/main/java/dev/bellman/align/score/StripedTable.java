package dev.bellman.align.score;

import java.util.List;
import java.util.Optional;

/** Scores by vectors of a number type. They need the module {@code jdk.incubator.vector}. */
interface StripedTable {
    /** For 16 and 32 bits. */
    List<StripedTable> ALL = VectorClasses.load(StripedTable.class, "StripedShorts", "StripedInts");

    /** The score of two sequences that are not empty and that it {@linkplain #holds}. */
    long score(int[] a, int[] b, AlignmentMode mode, Scoring scoring);

    /** Whether all values in the table of a pair fit the type. */
    boolean holds(int aLength, int bLength, Scoring scoring);

    /** The one with the narrowest type that holds a pair's table; none without vectors, or for an empty side. */
    static Optional<StripedTable> of(int aLength, int bLength, Scoring scoring) {
        return aLength == 0 || bLength == 0
                ? Optional.empty()
                : ALL.stream()
                        .filter(table -> table.holds(aLength, bLength, scoring))
                        .findFirst();
    }
}
