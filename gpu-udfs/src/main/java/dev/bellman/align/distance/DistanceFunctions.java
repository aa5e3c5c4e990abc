package dev.bellman.align.distance;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Oracle;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.entry.StrategyTraits;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** The functions of this family. */
public final class DistanceFunctions {
    private static final Parameter A = new Parameter("a", StringType);
    private static final Parameter B = new Parameter("b", StringType);

    private static final Problem<EditDistance.Strategy> EDIT_DISTANCE =
            new Problem<>("edit_distance", EditDistance.Strategy.class, EditDistance.Strategy.SERIAL);
    private static final Problem<LongestCommonSubsequence.Strategy> LCS =
            new Problem<>("lcs", LongestCommonSubsequence.Strategy.class, LongestCommonSubsequence.Strategy.SERIAL);
    private static final Problem<ShortestCommonSupersequence.Strategy> SCS = new Problem<>(
            "scs", ShortestCommonSupersequence.Strategy.class, ShortestCommonSupersequence.Strategy.SERIAL);
    private static final Problem<SupersequenceOfAll.Strategy> SCS_ALL =
            new Problem<>("scs_all", SupersequenceOfAll.Strategy.class, SupersequenceOfAll.Strategy.EXACT);

    /** Beyond 12,288 characters a pair is solved in stripes. */
    private static final InstanceGenerator PAIRS = new InstanceGenerator(PairInstances::pair, 12, 20_000, 2);

    private static final InstanceGenerator LIMITED_PAIRS =
            new InstanceGenerator(PairInstances::limitedPair, 12, 20_000, 2);
    private static final InstanceGenerator STRINGS = new InstanceGenerator(PairInstances::strings, 14, 2_000, 2);

    private DistanceFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                new BellmanFunction<>(
                        "edit_distance",
                        EDIT_DISTANCE,
                        List.of(
                                pair(IntegerType, EditDistanceUdf::new, PairTextbook::editDistance),
                                new Signature<>(
                                        List.of(A, B, new Parameter("max", IntegerType)),
                                        IntegerType,
                                        EditDistanceUdf::new,
                                        LIMITED_PAIRS,
                                        DistanceFunctions::limitedDistance)),
                        "The Levenshtein distance: the fewest insertions, deletions and substitutions of characters that turn `a` into "
                                + "`b`. With `max`, -1 if the distance is larger.",
                        Optional.empty(),
                        new Example("edit_distance('kitten', 'sitting')", "3")),
                new BellmanFunction<>(
                        "edit_cigar",
                        EDIT_DISTANCE,
                        List.of(pair(
                                StringType,
                                EditCigarUdf::new,
                                (a, b) -> UTF8String.fromString(PairTextbook.cigar(a, b)))),
                        "An alignment with the fewest edits, as a CIGAR: `=` and `X` consume a character of both, `I` of `a`, "
                                + "`D` of `b`.",
                        Optional.empty(),
                        new Example("edit_cigar('kitten', 'sitting')", "1X3=1X1=1D"),
                        new Limited<>(Set.of(EditDistance.Strategy.AUTO, EditDistance.Strategy.BIT_PARALLEL))),
                new BellmanFunction<>(
                        "lcs_length",
                        LCS,
                        List.of(pair(IntegerType, LcsLengthUdf::new, PairTextbook::lcsLength)),
                        "The length of a longest common subsequence.",
                        Optional.empty(),
                        new Example("lcs_length('kitten', 'sitting')", "4")),
                new BellmanFunction<>(
                        "lcs",
                        LCS,
                        List.of(pair(StringType, LcsUdf::new, (a, b) -> Characters.text(PairTextbook.lcs(a, b)))),
                        "A longest common subsequence: the most characters that `a` and `b` have in the same order.",
                        Optional.empty(),
                        new Example("lcs('kitten', 'sitting')", "ittn"),
                        new Limited<>(Set.of(
                                LongestCommonSubsequence.Strategy.AUTO,
                                LongestCommonSubsequence.Strategy.BIT_PARALLEL))),
                new BellmanFunction<>(
                        "scs_length",
                        SCS,
                        List.of(pair(
                                IntegerType,
                                ScsLengthUdf::new,
                                (a, b) -> a.length + b.length - PairTextbook.lcsLength(a, b))),
                        "The length of a shortest common supersequence.",
                        Optional.empty(),
                        new Example("scs_length('kitten', 'sitting')", "9"),
                        new Limited<>(Set.of(
                                ShortestCommonSupersequence.Strategy.AUTO,
                                ShortestCommonSupersequence.Strategy.BIT_PARALLEL,
                                ShortestCommonSupersequence.Strategy.SERIAL))),
                new BellmanFunction<>(
                        "scs",
                        SCS,
                        List.of(pair(StringType, ScsUdf::new, (a, b) -> Characters.text(PairTextbook.scs(a, b)))),
                        "A shortest common supersequence: the shortest text that has `a` and `b` as subsequences.",
                        Optional.empty(),
                        new Example("scs('kitten', 'sitting')", "skittieng"),
                        new Limited<>(Set.of(
                                ShortestCommonSupersequence.Strategy.AUTO,
                                ShortestCommonSupersequence.Strategy.BIT_PARALLEL))),
                new BellmanFunction<>(
                        "scs_all",
                        SCS_ALL,
                        List.of(new Signature<>(
                                List.of(new Parameter("strings", DataTypes.createArrayType(StringType))),
                                StringType,
                                ScsAllUdf::new,
                                STRINGS,
                                arguments -> SupersequenceTextbook.solve(arguments.getArray(0)))),
                        "A common supersequence of all strings of an array. It is a shortest one for two strings, and for more if their "
                                + "lengths, each plus one, have a product of at most 4,194,304; else the shorter of what a majority merge "
                                + "and a progressive merge find. For an empty array it is the empty string. With a GPU, only the steps on two "
                                + "strings run on it.",
                        Optional.of("`strings` with an entry that is NULL"),
                        new Example("scs_all(array('kitten', 'sitting', 'mitten'))", "mskittieng"),
                        SupersequenceTextbook.TRAITS));
    }

    /** How far the strategies of a function go whose table is kept whole, or by characters. */
    private record Limited<S extends Enum<S>>(Set<S> unlimited) implements StrategyTraits<S> {
        private static final long MOST_CELLS = 1L << 26;

        @Override
        public boolean serves(S strategy, InternalRow arguments) {
            return unlimited.contains(strategy)
                    || arguments.isNullAt(0)
                    || arguments.isNullAt(1)
                    || (long) arguments.getUTF8String(0).numChars()
                                    * arguments.getUTF8String(1).numChars()
                            <= MOST_CELLS;
        }
    }

    /** The definition of a function of two sequences of characters. */
    @FunctionalInterface
    private interface PairOracle extends Oracle {
        Object solve(int[] a, int[] b);

        @Override
        default Object solve(InternalRow arguments) {
            return solve(Characters.of(arguments.getUTF8String(0)), Characters.of(arguments.getUTF8String(1)));
        }
    }

    private static <S extends Enum<S>> Signature<S> pair(
            DataType result, Signature.Implementation<S> implementation, PairOracle oracle) {
        return new Signature<>(List.of(A, B), result, implementation, PAIRS, oracle);
    }

    private static Integer limitedDistance(InternalRow arguments) {
        int distance = PairTextbook.editDistance(
                Characters.of(arguments.getUTF8String(0)), Characters.of(arguments.getUTF8String(1)));
        return distance <= arguments.getInt(2) ? distance : -1;
    }
}
