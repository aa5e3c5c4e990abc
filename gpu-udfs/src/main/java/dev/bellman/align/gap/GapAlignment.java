package dev.bellman.align.gap;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.Text;
import dev.bellman.columns.TaskMemory;
import dev.bellman.tiles.Schedule;

/**
 * Global alignment under any cost of gaps: the alignment of two whole sequences with the highest score, where two letters score {@code
 * match} if they are equal and {@code mismatch} if not, and a gap of {@code k} letters costs entry {@code k} of an array. A gap is a run of
 * letters of one sequence that face none of the other, as long as it gets: two gaps in the same sequence have something between them, a
 * pair or a gap in the other. So a gap that costs more than its parts is not cut into them.
 *
 * <p>Of several alignments with that score it is the one whose columns, read from the end, come first in the order pair, letter of {@code
 * a}, letter of {@code b}.
 *
 * <p>With costs of any kind it takes O(nm(n + m)) steps: Waterman, Smith and Beyer, Some biological sequence metrics, 1976. If each letter of
 * a gap but the first adds the same, the costs are affine, it takes O(nm): Gotoh, An improved algorithm for matching biological sequences,
 * 1982. If none adds more than the one before, they are concave, O(nm log(nm)): Miller and Myers, Sequence comparison with concave weighting
 * functions, 1988; Galil and Giancarlo, Speeding up dynamic programming with applications to molecular biology, 1989.
 */
public final class GapAlignment {
    /** All give the same alignment. */
    public enum Strategy {
        /**
         * {@link #AFFINE} or {@link #CONCAVE} where the costs are so, and else {@link #BLOCKED}. A GPU takes that for short sequences with
         * concave costs, too.
         */
        AUTO,
        /** For any costs, row by row. */
        SERIAL,
        /** For any costs, by tiles in the order of a 2-way recursion: M. M. Javanmard and others, 2019. */
        R_WAY,
        /** For any costs, by tiles, one antidiagonal of them after the other. */
        BLOCKED,
        /** For affine costs alone. */
        AFFINE,
        /** For concave costs, to which affine ones belong. */
        CONCAVE
    }

    /** The score, and the alignment as a CIGAR. */
    public record Solution(long score, String cigar) {}

    /** Two numbers for a cell; concave costs also keep candidates for a column, at worst all rows. */
    private static final int BYTES_OF_A_CELL = 16;

    private static final int BYTES_OF_A_CANDIDATE = 16;

    private GapAlignment() {}

    /**
     * The best alignment.
     *
     * @param threads that fill a table of costs of any kind
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if there are too few costs, or they are not what the strategy needs; {@link
     *     ErrorCode#BELLMAN_OVERFLOW} if a sum might leave 64 bits; {@link ErrorCode#BELLMAN_LIMIT} if the table does not fit the heap
     */
    static Solution solve(Text a, Text b, GapScores scores, Strategy strategy, int threads) {
        int aLength = a.length();
        int bLength = b.length();
        scores.check(aLength, bLength);
        Strategy chosen = choose(scores.shape(aLength, bLength), strategy);
        long cells = (aLength + 1L) * (bLength + 1L);
        TaskMemory.check(
                "gap_alignment",
                "the table of %d and %d letters".formatted(aLength, bLength),
                cells * (BYTES_OF_A_CELL + (chosen == Strategy.CONCAVE ? BYTES_OF_A_CANDIDATE : 0)),
                "");
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

    /** The strategy for costs of a shape; fails where it is none. */
    private static Strategy choose(GapScores.Shape shape, Strategy strategy) {
        if (!serves(strategy, shape)) {
            throw invalid("the costs are not %s, which the strategy %s needs; use auto"
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

    static BellmanException invalid(String what) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                "gap_alignment: %s. Correct the row, or use try_gap_alignment, which returns NULL".formatted(what));
    }
}
