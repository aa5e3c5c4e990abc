package dev.bellman.align.subsequence;

import static dev.bellman.align.PairSolvers.PAIR;
import static dev.bellman.align.PairSolvers.pair;
import static dev.bellman.align.TokenSolvers.TOKENS;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.align.Text;
import dev.bellman.align.TokenSolvers;
import dev.bellman.columns.TaskCores;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.StrategyTraits;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the functions for common subsequences and supersequences. */
public final class SubsequenceFunctions {
    private static final Problem<LongestCommonSubsequence.Strategy> LCS =
            new Problem<>("lcs", LongestCommonSubsequence.Strategy.class, LongestCommonSubsequence.Strategy.SERIAL);
    private static final Problem<ShortestCommonSupersequence.Strategy> SCS = new Problem<>(
            "scs", ShortestCommonSupersequence.Strategy.class, ShortestCommonSupersequence.Strategy.SERIAL);
    private static final Problem<SupersequenceOfAll.Strategy> SCS_ALL =
            new Problem<>("scs_all", SupersequenceOfAll.Strategy.class, SupersequenceOfAll.Strategy.EXACT);

    private SubsequenceFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(lcsLength(), lcs(), scsLength(), scs(), scsAll(), lineDiff());
    }

    static BellmanFunction<LongestCommonSubsequence.Strategy> lcsLength() {
        return TokenSolvers.pair(
                        lcsEntry("lcs_length").signature(PAIR, IntegerType, pair(LongestCommonSubsequence::length)),
                        IntegerType,
                        LongestCommonSubsequence::length)
                .description("Returns the length of a longest common subsequence of `a` and `b`." + TOKENS)
                .example("lcs_length('kitten', 'sitting')", "4")
                .function();
    }

    private static BellmanFunction<?> lcs() {
        return TokenSolvers.selection(
                        lcsEntry("lcs").signature(PAIR, StringType, pair(LongestCommonSubsequence::subsequence)),
                        LongestCommonSubsequence::indexes)
                .description("Returns a longest common subsequence: a longest string whose characters occur in both "
                        + "`a` and `b`, in the same order. Ties are broken while tracing back from the ends of both "
                        + "strings: equal characters are matched; otherwise, a character of `a` is skipped if that "
                        + "does not shorten the result, and a character of `b` if it does." + TOKENS)
                .example("lcs('kitten', 'sitting')", "ittn")
                .function();
    }

    private static BellmanFunction<?> lineDiff() {
        return Entry.of("line_diff", LCS)
                .signature(PAIR, LineDiff.LINES, LineDiff::of)
                .kernels(LongestCommonSubsequence.Strategy.AUTO)
                .description("Compares two texts line by line, as `diff` does, with as few deleted and inserted lines "
                        + "as possible. The result contains an entry for each line: its `kind` (`equal`, `delete` or "
                        + "`insert`), its 1-based line numbers in both texts (`a_line` and `b_line`), and its `text`. "
                        + "`a_line` is NULL for inserted lines, and `b_line` is NULL for deleted lines. In each run of "
                        + "changed lines, deleted lines come before inserted lines. Lines end with a line feed, which "
                        + "may be missing after the last line. Ties are broken as in `lcs`.")
                .example("line_diff('kitten', 'sitting')", "[{delete, 1, null, kitten}, {insert, null, 1, sitting}]")
                .function();
    }

    private static Entry<LongestCommonSubsequence.Strategy> lcsEntry(String name) {
        return Entry.of(name, LCS)
                .kernels(
                        LongestCommonSubsequence.Strategy.AUTO,
                        LongestCommonSubsequence.Strategy.R_WAY,
                        LongestCommonSubsequence.Strategy.BIT_PARALLEL);
    }

    private static BellmanFunction<?> scsLength() {
        return scsEntry("scs_length")
                .signature(
                        PAIR,
                        IntegerType,
                        pair((a, b, strategy) -> ShortestCommonSupersequence.length(a, b, strategy, TaskCores.count())))
                .description("Returns the length of a shortest common supersequence of `a` and `b`.")
                .example("scs_length('kitten', 'sitting')", "9")
                .function();
    }

    static BellmanFunction<ShortestCommonSupersequence.Strategy> scs() {
        return scsEntry("scs")
                .signature(
                        PAIR,
                        StringType,
                        pair((a, b, strategy) ->
                                ShortestCommonSupersequence.supersequence(a, b, strategy, TaskCores.count())))
                .description("Returns a shortest common supersequence: a shortest string that contains `a` and `b` as "
                        + "subsequences. Ties: the result is `lcs(a, b)` with the other characters inserted. If "
                        + "characters of both strings are inserted at the same place, those of `b` come first.")
                .example("scs('kitten', 'sitting')", "skittieng")
                .function();
    }

    private static Entry<ShortestCommonSupersequence.Strategy> scsEntry(String name) {
        return Entry.of(name, SCS)
                .kernels(
                        ShortestCommonSupersequence.Strategy.AUTO,
                        ShortestCommonSupersequence.Strategy.ANTI_DIAGONAL,
                        ShortestCommonSupersequence.Strategy.ROW_WISE,
                        ShortestCommonSupersequence.Strategy.ROW_WISE_PERSISTENT,
                        ShortestCommonSupersequence.Strategy.BIT_PARALLEL);
    }

    /**
     * Returns {@code scs_all}, which reports as cells the total for the tables of all pairs of strings. Strategies that
     * never merge two strings at a time have no kernel.
     */
    private static BellmanFunction<?> scsAll() {
        return Entry.of("scs_all", SCS_ALL)
                .signature(
                        List.of(new Parameter("texts", DataTypes.createArrayType(StringType))),
                        StringType,
                        (strategy, options, arguments) -> {
                            ArrayData array = arguments.array(0);
                            List<Text> texts = SupersequenceOfAll.checked(
                                    array.numElements(),
                                    i -> array.isNullAt(i) ? null : Text.of(array.getUTF8String(i)));
                            Text all = SupersequenceOfAll.of(texts, strategy);
                            options.cells().add(SupersequenceOfAll.pairCells(texts));
                            return UTF8String.fromBytes(all.bytes());
                        })
                .kernels(SupersequenceOfAll.Strategy.AUTO, SupersequenceOfAll.Strategy.PROGRESSIVE_MERGE)
                .description("Returns a common supersequence of all strings in `texts`. For two strings, the result "
                        + "is a shortest common supersequence. For more strings, it is a shortest one if the product "
                        + "of `length + 1`, over all strings that are not subsequences of others, is at most "
                        + "4,194,304; otherwise, it is the shorter of a majority merge and a progressive merge. "
                        + "Returns the empty string for an empty array. Only merges of two strings run on the GPU.")
                .rejects("`texts` with a NULL entry")
                .example("scs_all(array('kitten', 'sitting', 'mitten'))", "mskittieng")
                .traits(StrategyTraits.asDefinedBy(
                        Set.of(SupersequenceOfAll.Strategy.AUTO, SupersequenceOfAll.Strategy.EXACT)))
                .function();
    }
}
