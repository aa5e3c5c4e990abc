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
    /** The number of diagonals whose traceback bits share a word in each row. */
    int DIAGONALS_OF_A_WORD = 8;

    /** The number of traceback bits per cell. */
    int WAY_BITS = 4;

    /** The maximum number of words in a traceback. */
    long MAX_WORDS = GotohTable.MAX_KEPT / Integer.BYTES;

    List<DiagonalTable> ALL = VectorClasses.load(DiagonalTable.class, "DiagonalVectors");

    /**
     * Solves a pair for which {@link #of} returned this implementation; stores the traceback if {@code keeps} is true.
     */
    Solved solve(int[] a, int[] b, AlignmentMode mode, Scoring scoring, boolean keeps);

    /** Returns the number of words in a group of diagonals. */
    int stride(int aLength, int bLength);

    /** Returns the number of words in a traceback. */
    default long words(int aLength, int bLength) {
        return (((long) aLength + bLength) / DIAGONALS_OF_A_WORD + 1) * stride(aLength, bLength);
    }

    /** Reserves memory for a table: nine numbers per row, one per column, and the traceback if it is stored. */
    default void take(int aLength, int bLength, boolean keeps) {
        long numbers = 9L * aLength + bLength + (keeps ? words(aLength, bLength) : 0);
        TaskMemory.take(Integer.BYTES * numbers, () -> "the table for %,d by %,d letters".formatted(aLength, bLength));
    }

    /** Returns the first row that has a word for diagonal {@code d}. */
    static int firstRow(int d, int bLength) {
        return Math.max(0, d / DIAGONALS_OF_A_WORD * DIAGONALS_OF_A_WORD - bLength);
    }

    /**
     * A solved table: the best score, and the first end position with this score.
     *
     * @param ways the traceback, with the bits of {@link Walk}: row {@code i} of diagonal {@code d} is in word {@code i
     *     - firstRow(d)} of group {@code d / 8}, starting at bit {@code 4 * (d % 8)}
     */
    record Solved(long score, int endA, int endB, int[] ways, int stride, int bLength) {
        int way(int i, int j) {
            int d = i + j;
            int word = ways[d / DIAGONALS_OF_A_WORD * stride + i - firstRow(d, bLength)];
            return word >>> WAY_BITS * (d % DIAGONALS_OF_A_WORD);
        }
    }

    /**
     * Returns an implementation that can solve this pair, or empty if vector instructions are not available, a string
     * is empty, a value may exceed 32 bits, or the traceback would be too large.
     */
    static Optional<DiagonalTable> of(int aLength, int bLength, Scoring scoring, boolean keeps) {
        if (aLength == 0 || bLength == 0) {
            return Optional.empty();
        }
        long values = (scoring.magnitude() + 1) * ((long) aLength + bLength + 2);
        return ALL.stream()
                .filter(table ->
                        values < Integer.MAX_VALUE / 4 && (!keeps || table.words(aLength, bLength) <= MAX_WORDS))
                .findFirst();
    }
}
