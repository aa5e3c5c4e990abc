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

    /** The maximum number of words in a traceback. */
    long MAX_WORDS = GotohTable.MAX_KEPT / Integer.BYTES;

    List<DiagonalTable> ALL = VectorClasses.load(DiagonalTable.class, "DiagonalVectors");

    /**
     * Solves a pair for which {@link #of} returned this implementation; stores the traceback if {@code keeps} is true.
     */
    Solved solve(int[] a, int[] b, AlignmentMode mode, Scoring scoring, ExtensionLimits limits, boolean keeps);

    /** Returns the number of words for a group of diagonals whose traceback bits share words. */
    int stride(int aLength, int bLength, int band);

    /** Returns the number of words in a traceback. */
    default long words(int aLength, int bLength, Scoring scoring, int band) {
        return (((long) aLength + bLength >> wordShift(scoring)) + 1) * stride(aLength, bLength, band);
    }

    /**
     * Reserves memory for a table: nine numbers per row, three more if gap costs have two pieces, two more for an
     * extension, one number per column, and the traceback if it is stored.
     */
    default void take(
            int aLength, int bLength, AlignmentMode mode, Scoring scoring, ExtensionLimits limits, boolean keeps) {
        int numbersOfARow = 9 + (scoring.hasTwoPieces() ? 3 : 0) + (mode == AlignmentMode.EXTENSION ? 2 : 0);
        long numbers = (long) numbersOfARow * aLength
                + bLength
                + (keeps ? words(aLength, bLength, scoring, limits.band()) : 0);
        TaskMemory.take(Integer.BYTES * numbers, () -> "the table for %,d by %,d letters".formatted(aLength, bLength));
    }

    /**
     * Returns the binary logarithm of the number of diagonals whose traceback bits share a word. A cell has four bits,
     * or eight if gap costs have two pieces.
     */
    static int wordShift(Scoring scoring) {
        return scoring.hasTwoPieces() ? 2 : 3;
    }

    /** Returns the position of the traceback bits of diagonal {@code d} in their words. */
    static int bit(int d, int wordShift) {
        return (d & (1 << wordShift) - 1) << 5 - wordShift;
    }

    /** Returns the first row that has a word for diagonal {@code d}. */
    static int firstRow(int d, int wordShift, int bLength, int band) {
        int first = d >> wordShift << wordShift;
        return Math.max(0, Math.max(first - bLength, first - band + 1 >> 1));
    }

    /**
     * A solved table: the best score, and the first end position with this score.
     *
     * @param ways the traceback, with the bits of {@link Walk}: row {@code i} of diagonal {@code d} is in word {@code i
     *     - firstRow(d)} of group {@code d >> wordShift}, starting at bit {@code bit(d)}
     */
    record Solved(long score, int endA, int endB, int[] ways, int stride, int wordShift, int bLength, int band) {
        int way(int i, int j) {
            int d = i + j;
            return ways[(d >> wordShift) * stride + i - firstRow(d, wordShift, bLength, band)] >>> bit(d, wordShift);
        }
    }

    /**
     * Returns an implementation that can solve this pair, or empty if vector instructions are not available, a string
     * is empty, a value may exceed 32 bits, or the traceback would be too large.
     */
    static Optional<DiagonalTable> of(int aLength, int bLength, Scoring scoring, int band, boolean keeps) {
        if (aLength == 0 || bLength == 0) {
            return Optional.empty();
        }
        long values = (scoring.magnitude() + 1) * ((long) aLength + bLength + 2);
        return ALL.stream()
                .filter(table -> values < Integer.MAX_VALUE / 4
                        && (!keeps || table.words(aLength, bLength, scoring, band) <= MAX_WORDS))
                .findFirst();
    }
}
