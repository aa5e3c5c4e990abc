package dev.bellman.align.gap;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.Text;
import dev.bellman.columns.TaskMemory;
import dev.bellman.large.tiles.Schedule;

/**
 * Global alignment with arbitrary gap costs: the alignment of two whole sequences with the highest score. Two letters
 * score {@code match} if they are equal and {@code mismatch} if not, and a gap of {@code k} letters costs entry
 * {@code k} of an array. A gap is a maximal run of letters in one sequence that are not aligned with letters of the
 * other sequence. Two gaps in the same sequence are separated by a match, a mismatch, or a gap in the other sequence.
 * Therefore, a gap that costs more than its parts cannot be split.
 *
 * <p>If several alignments have the highest score, the result is the one whose columns, read from the end, come first
 * in this order: two aligned letters, a letter of {@code a} only, a letter of {@code b} only.
 *
 * <p>For arbitrary costs, the alignment takes O(nm(n + m)) steps: Waterman, Smith and Beyer, "Some biological sequence
 * metrics" (1976). If each letter of a gap after the first adds the same amount (affine costs), the alignment takes
 * O(nm) steps: Gotoh, "An improved algorithm for matching biological sequences" (1982). If no letter adds more than the
 * previous one (concave costs), the alignment takes O(nm log(nm)) steps: Miller and Myers, "Sequence comparison with
 * concave weighting functions" (1988); Galil and Giancarlo, "Speeding up dynamic programming with applications to
 * molecular biology" (1989).
 */
public final class GapAlignment {
    /** All strategies return the same alignment. */
    public enum Strategy {
        /**
         * Uses {@link #AFFINE} or {@link #CONCAVE} if the costs permit, otherwise {@link #BLOCKED}. On a GPU, short
         * sequences with concave costs also use {@link #BLOCKED}.
         */
        AUTO,
        /** Computes the table row by row; supports any costs. */
        SERIAL,
        /**
         * Computes the table tile by tile in the order of the r-way recursion (Javanmard et al., 2019), which is
         * 2-way on a CPU; supports any costs.
         */
        R_WAY,
        /** Computes the table tile by tile, one antidiagonal of tiles after the other; supports any costs. */
        BLOCKED,
        /** Supports only affine costs. */
        AFFINE,
        /** Supports only concave costs, which include affine costs. */
        CONCAVE
    }

    /** The score, and the alignment as a CIGAR. */
    public record Solution(long score, String cigar) {}

    /** The number of bytes per cell; each cell stores two numbers. */
    private static final int BYTES_OF_A_CELL = 16;
    /**
     * The number of bytes per candidate. For concave costs, each column has a list with at most one candidate per row.
     */
    private static final int BYTES_OF_A_CANDIDATE = 16;
    /**
     * The number of bytes of overhead per row and, for concave costs, per column: array headers and short lists of
     * candidates.
     */
    private static final long BYTES_OF_A_LINE = 200;

    private GapAlignment() {}

    /**
     * Returns the best alignment.
     *
     * @param threads the number of threads that fill a table for arbitrary costs
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if there are too few costs, a cost is negative, or
     *     the strategy does not support the costs; {@link ErrorCode#BELLMAN_OVERFLOW} if a sum might exceed 64 bits;
     *     {@link ErrorCode#BELLMAN_LIMIT} if the table does not fit in the heap
     */
    static Solution solve(Text a, Text b, GapScores scores, Strategy strategy, int threads) {
        int aLength = a.length();
        int bLength = b.length();
        scores.check(GapErrorContext.FUNCTION, aLength, bLength);
        Strategy chosen = choose(scores.shape(aLength, bLength), strategy);
        TaskMemory.take(
                "gap_alignment",
                bytes(aLength + 1L, bLength + 1L, chosen),
                "the job %s (which computes the table on all executors), ".formatted(GapFunctions.ONE_PAIR.name()),
                () -> "the table for %,d and %,d letters".formatted(aLength, bLength));
        GapTable table = new GapTable(a.characters(), b.characters(), scores);
        switch (chosen) {
            case AFFINE -> table.fillAffine();
            case CONCAVE -> table.fillConcave();
            case R_WAY -> table.fill(Schedule::twoWay, threads);
            case BLOCKED -> table.fill(Schedule::blocked, threads);
            default -> table.fill();
        }
        return new Solution(table.score(), table.cigar());
    }

    private static long bytes(long rows, long columns, Strategy strategy) {
        return strategy == Strategy.CONCAVE
                ? rows * columns * (BYTES_OF_A_CELL + BYTES_OF_A_CANDIDATE) + BYTES_OF_A_LINE * (rows + columns)
                : rows * columns * BYTES_OF_A_CELL + BYTES_OF_A_LINE * rows;
    }

    /**
     * Returns the strategy for costs of the given shape. Fails if the requested strategy does not support such costs.
     */
    static Strategy choose(GapScores.Shape shape, Strategy strategy) {
        if (!serves(strategy, shape)) {
            throw GapErrorContext.FUNCTION.invalid("the strategy %2$s requires %1$s costs; use auto"
                    .formatted(
                            strategy == Strategy.AFFINE ? "affine" : "concave",
                            strategy == Strategy.AFFINE ? "affine" : "concave"));
        }
        if (strategy != Strategy.AUTO) {
            return strategy;
        }
        return switch (shape) {
            case AFFINE -> Strategy.AFFINE;
            case CONCAVE -> Strategy.CONCAVE;
            case GENERAL -> Strategy.BLOCKED;
        };
    }

    static boolean serves(Strategy strategy, GapScores.Shape shape) {
        return switch (strategy) {
            case AFFINE -> shape == GapScores.Shape.AFFINE;
            case CONCAVE -> shape != GapScores.Shape.GENERAL;
            default -> true;
        };
    }
}
