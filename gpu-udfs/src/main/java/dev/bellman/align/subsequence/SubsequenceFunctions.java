package dev.bellman.align.subsequence;

import static dev.bellman.align.PairSignatures.pair;
import static dev.bellman.align.PairSignatures.wholeTables;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.align.Characters;
import dev.bellman.align.PairInstances;
import dev.bellman.columns.TaskCores;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.types.DataTypes;

/** Common subsequences and supersequences. */
public final class SubsequenceFunctions {
    static final Problem<LongestCommonSubsequence.Strategy> LCS =
            new Problem<>("lcs", LongestCommonSubsequence.Strategy.class, LongestCommonSubsequence.Strategy.SERIAL);
    static final Problem<ShortestCommonSupersequence.Strategy> SCS = new Problem<>(
            "scs", ShortestCommonSupersequence.Strategy.class, ShortestCommonSupersequence.Strategy.SERIAL);
    private static final Problem<SupersequenceOfAll.Strategy> SCS_ALL =
            new Problem<>("scs_all", SupersequenceOfAll.Strategy.class, SupersequenceOfAll.Strategy.EXACT);

    private static final InstanceGenerator STRINGS = new InstanceGenerator(PairInstances::strings, 14, 2_000, 2);

    private SubsequenceFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(lcsLength(), lcs(), scsLength(), scs(), scsAll());
    }

    private static BellmanFunction<?> lcsLength() {
        return new BellmanFunction<>(
                "lcs_length",
                LCS,
                List.of(pair(LCS, IntegerType, LongestCommonSubsequence::length, SubsequenceTextbook::lcsLength)),
                "The length of a longest common subsequence.",
                Optional.empty(),
                new Example("lcs_length('kitten', 'sitting')", "4"));
    }

    private static BellmanFunction<?> lcs() {
        return new BellmanFunction<>(
                "lcs",
                LCS,
                List.of(pair(
                        LCS,
                        StringType,
                        LongestCommonSubsequence::subsequence,
                        (a, b) -> Characters.text(SubsequenceTextbook.lcs(a, b)))),
                "A longest common subsequence: the most characters that `a` and `b` have in the same order.",
                Optional.empty(),
                new Example("lcs('kitten', 'sitting')", "ittn"),
                wholeTables(Set.of(
                        LongestCommonSubsequence.Strategy.AUTO, LongestCommonSubsequence.Strategy.BIT_PARALLEL)));
    }

    private static BellmanFunction<?> scsLength() {
        return new BellmanFunction<>(
                "scs_length",
                SCS,
                List.of(pair(
                        SCS,
                        IntegerType,
                        (a, b, strategy) -> ShortestCommonSupersequence.length(a, b, strategy, TaskCores.count()),
                        (a, b) -> a.length + b.length - SubsequenceTextbook.lcsLength(a, b))),
                "The length of a shortest common supersequence.",
                Optional.empty(),
                new Example("scs_length('kitten', 'sitting')", "9"),
                wholeTables(Set.of(
                        ShortestCommonSupersequence.Strategy.AUTO,
                        ShortestCommonSupersequence.Strategy.BIT_PARALLEL,
                        ShortestCommonSupersequence.Strategy.SERIAL)));
    }

    private static BellmanFunction<?> scs() {
        return new BellmanFunction<>(
                "scs",
                SCS,
                List.of(pair(
                        SCS,
                        StringType,
                        (a, b, strategy) ->
                                ShortestCommonSupersequence.supersequence(a, b, strategy, TaskCores.count()),
                        (a, b) -> Characters.text(SubsequenceTextbook.scs(a, b)))),
                "A shortest common supersequence: the shortest text that has `a` and `b` as subsequences.",
                Optional.empty(),
                new Example("scs('kitten', 'sitting')", "skittieng"),
                wholeTables(Set.of(
                        ShortestCommonSupersequence.Strategy.AUTO, ShortestCommonSupersequence.Strategy.BIT_PARALLEL)));
    }

    private static BellmanFunction<?> scsAll() {
        return new BellmanFunction<>(
                "scs_all",
                SCS_ALL,
                List.of(new Signature<>(
                        List.of(new Parameter("strings", DataTypes.createArrayType(StringType))),
                        StringType,
                        ScsAllUdf::new,
                        STRINGS,
                        arguments -> SupersequenceTextbook.solve(arguments.getArray(0)))),
                "A common supersequence of all strings of an array. It is a shortest one for two strings, "
                        + "and for more strings if the product of their lengths, each plus one, is at most "
                        + "4,194,304; otherwise it is the shorter result of a majority merge and a "
                        + "progressive merge. An empty array gives the empty string. On a GPU, only the "
                        + "steps on two strings run there.",
                Optional.of("`strings` with an entry that is NULL"),
                new Example("scs_all(array('kitten', 'sitting', 'mitten'))", "mskittieng"),
                SupersequenceTextbook.TRAITS);
    }
}
