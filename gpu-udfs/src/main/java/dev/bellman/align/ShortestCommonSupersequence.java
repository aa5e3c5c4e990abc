package dev.bellman.align;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;

/**
 * The shortest common supersequence of two strings: the shortest text that has both as subsequences. It is both strings with
 * the characters of a longest common subsequence merged, so that the strategies are those of {@link
 * LongestCommonSubsequence}: D. Maier, "The complexity of some problems on subsequences and supersequences" (1978).
 */
public final class ShortestCommonSupersequence {
    private ShortestCommonSupersequence() {}

    /**
     * The length in code points.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if it is more than 2,147,483,647
     */
    public static int length(String a, String b, LongestCommonSubsequence.Strategy strategy) {
        long length = (long) a.codePointCount(0, a.length())
                + b.codePointCount(0, b.length())
                - LongestCommonSubsequence.length(a, b, strategy);
        if (length > Integer.MAX_VALUE) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "scs_length: the length is %,d; it must be at most %,d. Use shorter strings"
                            .formatted(length, Integer.MAX_VALUE));
        }
        return (int) length;
    }

    /**
     * The supersequence along the canonical backtrace of {@link LongestCommonSubsequence#subsequence}.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the result fits no string, or the strategy is serial and the
     *     table has more than 67,108,864 cells
     */
    public static String supersequence(String a, String b, LongestCommonSubsequence.Strategy strategy) {
        try (SymbolPair pair = SymbolPair.withoutSuffix(a, b)) {
            BackwardText text = new BackwardText("scs", pair.suffix());
            Backtrace.walk(
                    pair,
                    LongestCommonSubsequence.moves("scs", pair, strategy),
                    (move, equal, i, j) -> text.prepend(move == Move.B ? pair.codePointOfB(j) : pair.codePointOfA(i)));
            return text + a.substring(a.length() - pair.suffix());
        }
    }
}
