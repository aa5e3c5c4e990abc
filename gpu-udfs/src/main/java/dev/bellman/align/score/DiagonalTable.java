package dev.bellman.align.score;

import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.TaskMemory;
import dev.bellman.columns.VectorClasses;
import java.util.List;
import java.util.Optional;

/**
 * Solves tables along anti-diagonals with vector instructions, with or without the traceback. Implementations need the
 * module {@code jdk.incubator.vector}.
 */
interface DiagonalTable {
    /** The maximum number of diagonals whose traceback bits share a word in each row. */
    int MAX_DIAGONALS_OF_A_WORD = 8;

    /** A number below all values, but far enough from the limit that no sum overflows. */
    int NONE = Integer.MIN_VALUE / 2;

    /** The maximum number of words of a traceback that are stored at a time. */
    int MAX_WORDS = (int) (GotohTable.MAX_KEPT / Integer.BYTES);

    /** The maximum number of values that are saved to compute a traceback in segments. */
    int MAX_SAVED = MAX_WORDS / 4;

    List<DiagonalTable> ALL = VectorClasses.load(DiagonalTable.class, "DiagonalVectors");

    /**
     * Solves a pair for which {@link #of} returned this implementation.
     *
     * @param mostWords {@link #MAX_WORDS}, or less in tests; 0 if no traceback is needed
     */
    Solved solve(int[] a, int[] b, AlignmentMode mode, Scoring scoring, ExtensionLimits limits, int mostWords);

    /** Returns the number of words for a group of diagonals whose traceback bits share words. */
    int stride(int aLength, int bLength, int band);

    /** Returns the number of words in a traceback. */
    default long words(int aLength, int bLength, Scoring scoring, int band) {
        return (((long) aLength + bLength >> wordShift(scoring)) + 1) * stride(aLength, bLength, band);
    }

    /** Returns the number of values to save if at most {@code mostWords} words of a traceback are stored at a time. */
    default long saved(int aLength, int bLength, Scoring scoring, int band, int mostWords) {
        long words = words(aLength, bLength, scoring, band);
        if (words <= mostWords) {
            return 0;
        }
        int stride = stride(aLength, bLength, band);
        long segments = words / ((long) DiagonalTraceback.groups(mostWords, stride) * stride) + 1;
        return segments * (scoring.hasTwoPieces() ? 6 : 4) * stride;
    }

    /**
     * Reserves memory for a table: nine numbers per row, three more if gap costs have two pieces, two more for an
     * extension, one number per column, and the traceback or a segment of it.
     */
    default void take(
            int aLength, int bLength, AlignmentMode mode, Scoring scoring, ExtensionLimits limits, int mostWords) {
        int numbersOfARow = 9 + (scoring.hasTwoPieces() ? 3 : 0) + (mode == AlignmentMode.EXTENSION ? 2 : 0);
        long numbers = (long) numbersOfARow * aLength
                + bLength
                + Math.min(mostWords, words(aLength, bLength, scoring, limits.band()))
                + (mostWords == 0 ? 0 : saved(aLength, bLength, scoring, limits.band(), mostWords));
        TaskMemory.take(Integer.BYTES * numbers, () -> "the table for %,d by %,d letters".formatted(aLength, bLength));
    }

    /**
     * Returns the binary logarithm of the number of diagonals whose traceback bits share a word. A cell has four bits,
     * or eight if gap costs have two pieces.
     */
    static int wordShift(Scoring scoring) {
        return scoring.hasTwoPieces() ? 2 : 3;
    }

    /** A solved table: the best score, the first end position with this score, and the traceback. */
    record Solved(long score, int endA, int endB, Walk.Ways ways) {}

    /**
     * Returns an implementation that can solve this pair, or empty if vector instructions are not available, a string
     * is empty, a value may exceed 32 bits, or the segments of the traceback would be too many.
     */
    static Optional<DiagonalTable> of(int aLength, int bLength, Scoring scoring, int band, boolean keeps) {
        if (aLength == 0 || bLength == 0) {
            return Optional.empty();
        }
        long values = (scoring.magnitude() + 1) * ((long) aLength + bLength + 2);
        return ALL.stream()
                .filter(table -> values < Integer.MAX_VALUE / 4
                        && (!keeps || table.saved(aLength, bLength, scoring, band, MAX_WORDS) <= MAX_SAVED))
                .findFirst();
    }
}
