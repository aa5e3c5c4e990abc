package dev.bellman.align.subsequence;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.Backtrace;
import dev.bellman.align.BackwardText;
import dev.bellman.align.Move;
import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.align.subsequence.paper.PaperStrategy;
import dev.bellman.align.subsequence.paper.SupersequenceTable;
import java.util.Optional;

/**
 * Computes a shortest common supersequence of two strings: a shortest string that contains both as subsequences. Both
 * strings are merged at the characters of a longest common subsequence: Maier, "The complexity of some problems on
 * subsequences and supersequences" (1978). Therefore, the length is {@code n + m} minus the length of the
 * {@link LongestCommonSubsequence}, and the fastest strategies are the same. The other strategies are Zhao's, which
 * compute a {@link SupersequenceTable}.
 */
public final class ShortestCommonSupersequence {
    public enum Strategy {
        /** Makes the same choice as {@link LongestCommonSubsequence.Strategy#AUTO}. */
        AUTO,
        /** Computes Zhao's equation (2) cell by cell. */
        SERIAL(PaperStrategy.SERIAL),
        /** Computes equation (2) in parallel along anti-diagonals. On a GPU, runs one kernel per anti-diagonal. */
        ANTI_DIAGONAL(PaperStrategy.ANTI_DIAGONAL),
        /**
         * Computes Zhao's equations (8) and (9) in parallel, row by row. On a GPU, runs one kernel per row, as in the
         * paper.
         */
        ROW_WISE(PaperStrategy.ROW_WISE),
        /**
         * Works like {@link #ROW_WISE}, but a GPU runs a single kernel, in which each block computes a stripe of the
         * table.
         */
        ROW_WISE_PERSISTENT(PaperStrategy.ROW_WISE_PERSISTENT),
        /** Uses {@link LongestCommonSubsequence.Strategy#BIT_PARALLEL}. */
        BIT_PARALLEL;

        private final PaperStrategy paper;

        Strategy() {
            this(null);
        }

        Strategy(PaperStrategy paper) {
            this.paper = paper;
        }

        /** Returns the corresponding strategy of Zhao's paper, or empty if there is none. */
        public Optional<PaperStrategy> paper() {
            return Optional.ofNullable(paper);
        }
    }

    /** The minimum number of cells per thread in a row; with fewer cells, an additional thread does not pay off. */
    private static final int CELLS_PER_THREAD = 256;

    private ShortestCommonSupersequence() {}

    /**
     * Returns the length in characters.
     *
     * @param threads the number of threads that a parallel strategy uses for a long pair
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the length exceeds 2,147,483,647; or if the strategy
     *     is row-wise, and the number of distinct characters that occur in both strings, times the length of {@code b},
     *     exceeds 67,108,864
     */
    public static int length(Text a, Text b, Strategy strategy, int threads) {
        long length;
        if (strategy.paper().isPresent()) {
            try (SymbolPair pair = SymbolPair.core(a, b)) {
                int rest =
                        SupersequenceTable.length("scs_length", strategy.paper().get(), pair, team(pair, threads));
                length = (long) a.length() - pair.aLength() + rest;
            }
        } else {
            length = (long) a.length() + b.length() - LongestCommonSubsequence.length(a, b, onSubsequences(strategy));
        }
        if (length > Integer.MAX_VALUE) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "scs_length: the length is %,d; the maximum is %,d. Use shorter strings"
                            .formatted(length, Integer.MAX_VALUE));
        }
        return (int) length;
    }

    /**
     * Returns the supersequence along the canonical backtrace of {@link LongestCommonSubsequence#subsequence}.
     *
     * @param threads the number of threads that a parallel strategy uses for a long pair
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the result does not fit in a string, or the strategy
     *     is one of Zhao's and the table has more than 67,108,864 cells
     */
    public static Text supersequence(Text a, Text b, Strategy strategy, int threads) {
        try (SymbolPair pair = SymbolPair.withoutSuffix(a, b)) {
            BackwardText text = new BackwardText("scs", a, pair.suffix());
            Backtrace.walk(
                    pair,
                    moves(pair, strategy, threads),
                    (move, equal, i, j) -> text.prepend(move == Move.B ? pair.characterOfB(j) : pair.characterOfA(i)));
            return text.text();
        }
    }

    private static Backtrace.Moves moves(SymbolPair pair, Strategy strategy, int threads) {
        if (pair.aLength() == 0 || pair.bLength() == 0) {
            return Backtrace.NO_MOVES;
        }
        if (strategy.paper().isPresent()) {
            return SupersequenceTable.whole(
                    "scs",
                    strategy.paper().get(),
                    pair.a(),
                    pair.aLength(),
                    pair.b(),
                    pair.bLength(),
                    team(pair, threads))::move;
        }
        return LongestCommonSubsequence.moves("scs", pair, onSubsequences(strategy));
    }

    private static LongestCommonSubsequence.Strategy onSubsequences(Strategy strategy) {
        return strategy == Strategy.AUTO
                ? LongestCommonSubsequence.Strategy.AUTO
                : LongestCommonSubsequence.Strategy.BIT_PARALLEL;
    }

    private static int team(SymbolPair pair, int threads) {
        return Math.max(1, Math.min(threads, Math.min(pair.aLength(), pair.bLength()) / CELLS_PER_THREAD));
    }
}
