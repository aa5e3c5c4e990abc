package dev.bellman.align.names;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.PairSolvers;
import dev.bellman.align.Text;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the functions that compare strings by their words, q-grams or elements. */
public final class MatchingFunctions {
    private static final Problem<QGrams.Strategy> QGRAMS =
            new Problem<>("qgram_similarity", QGrams.Strategy.class, QGrams.Strategy.SERIAL);

    private static final Problem<Matching.Strategy> MATCHING =
            new Problem<>("monge_elkan", Matching.Strategy.class, Matching.Strategy.SERIAL);

    private static final Problem<WeightedEditDistance.Strategy> WEIGHTED = new Problem<>(
            "weighted_edit_distance", WeightedEditDistance.Strategy.class, WeightedEditDistance.Strategy.SERIAL);

    private static final DataType STRINGS = DataTypes.createArrayType(StringType);
    private static final Parameter A = new Parameter("a", StringType);
    private static final Parameter B = new Parameter("b", StringType);

    private static final String METRICS = "`edit_distance`, `osa_distance`, `damerau_levenshtein`, ";
    private static final String SIMILARITIES = "`jaro_similarity`, `jaro_winkler_similarity`, `ratio`, "
            + "`partial_ratio`, `token_sort_ratio`, `token_set_ratio` or `weighted_ratio`. ";

    /** Matches the beginning of an entry of costs: two characters, or nothing. */
    private static final Pattern ENTRY = Pattern.compile("\\s*(\\S\\s+\\S\\s|$)");

    private MatchingFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                weightedEditDistance(),
                qgramSimilarity(),
                mongeElkan(),
                pairwise("pairwise_min", true)
                        .description("Compares each string in `a` with each string in `b` and returns the smallest "
                                + "value of a metric. `metric` is " + METRICS + SIMILARITIES.trim())
                        .example("pairwise_min(array('Jon', 'Johnny'), array('John', 'Jack'), 'edit_distance')", "1.0")
                        .function(),
                pairwise("pairwise_max", false)
                        .description("Compares each string in `a` with each string in `b` and returns the largest "
                                + "value of a metric. `metric` is " + METRICS + SIMILARITIES.trim())
                        .example(
                                "pairwise_max(array('Jon', 'Johnny'), array('John', 'Jack'), 'ratio')",
                                "85.71428571428572")
                        .function(),
                affineGapSimilarity());
    }

    private static BellmanFunction<?> weightedEditDistance() {
        List<Parameter> parameters = List.of(
                A,
                B,
                cost("insert"),
                cost("delete"),
                cost("substitute"),
                Parameter.setting(
                                "costs",
                                StringType,
                                (function, value) -> EditCosts.of(function, 0, 0, 0, value.toString()))
                        .orElse(UTF8String.EMPTY_UTF8, "none")
                        .ofContent(value -> ENTRY.matcher(value).lookingAt())
                        .constantOrColumnOnGpu());
        return Entry.of(WEIGHTED.name(), WEIGHTED)
                .signature(
                        parameters,
                        DoubleType,
                        (strategy, options, arguments) -> WeightedEditDistance.distance(
                                characters(arguments, 0),
                                characters(arguments, 1),
                                EditCosts.of(
                                        arguments.function(),
                                        arguments.number(2),
                                        arguments.number(3),
                                        arguments.number(4),
                                        arguments.string(5).toString()),
                                strategy))
                .kernels(WeightedEditDistance.Strategy.AUTO)
                .description("Returns the smallest total cost of insertions, deletions and substitutions of "
                        + "characters that turn `a` into `b`. `costs` lists the substitutions whose cost differs "
                        + "from `substitute`, each as two characters and a cost, separated by whitespace. These "
                        + "costs apply in both directions.")
                .rejects("a cost that is negative, NaN or infinite; malformed `costs`")
                .example("weighted_edit_distance('B0b', 'Bobs', 1, 1, 2, 'o 0 0.25 l 1 0.5')", "1.25")
                .function();
    }

    private static Parameter cost(String edit) {
        return Parameter.setting(
                edit, DoubleType, (function, value) -> EditCosts.check(function, edit, (Double) value));
    }

    private static BellmanFunction<?> affineGapSimilarity() {
        return Entry.of(Matching.AFFINE_GAP, MATCHING)
                .signature(PairSolvers.PAIR, DoubleType, PairSolvers.pair(Matching::affineGap))
                .kernels(Matching.Strategy.AUTO)
                .description("Returns the score of the best global alignment of two strings with affine gaps, as "
                        + "py_stringmatching does: each pair of equal characters adds 1, a pair of different "
                        + "characters adds 0, the first character of a gap subtracts 1, and each further character of "
                        + "the gap subtracts 0.5. Returns 0 if either string is empty. For other costs, use "
                        + "`alignment_score`.")
                .example("affine_gap_similarity('dva', 'deeva')", "1.5")
                .function();
    }

    private static BellmanFunction<?> qgramSimilarity() {
        Parameter q = Parameter.setting("q", IntegerType, (function, value) -> checkQ(function, (Integer) value));
        Parameter coefficient = Parameter.setting(
                "coefficient", StringType, (function, value) -> coefficient(function, value.toString()));
        return Entry.of(QGRAMS.name(), QGRAMS)
                .signature(
                        List.of(A, B, q, coefficient),
                        DoubleType,
                        (strategy, options, arguments) -> QGrams.similarity(
                                characters(arguments, 0),
                                characters(arguments, 1),
                                checkQ(arguments.function(), arguments.integer(2)),
                                coefficient(
                                        arguments.function(),
                                        arguments.string(3).toString()),
                                strategy))
                .kernels(QGrams.Strategy.AUTO)
                .description("Returns the similarity between the q-gram sets of two strings, from 0 to 1. Q-grams are "
                        + "the substrings of `q` characters; a shorter string counts as one q-gram. If the sets "
                        + "have `n_a` and `n_b` q-grams, `coefficient` is `jaccard` (shared / all), `dice` (2 * "
                        + "shared / (n_a + n_b)) or `cosine` (shared / sqrt(n_a * n_b)). Returns 1 for two empty "
                        + "strings.")
                .rejects("`q` below 1; an unknown `coefficient`")
                .example("qgram_similarity('night', 'nacht', 2, 'dice')", "0.25")
                .function();
    }

    private static BellmanFunction<?> mongeElkan() {
        return Entry.of(MATCHING.name(), MATCHING)
                .signature(
                        List.of(A, B, metric(true)),
                        DoubleType,
                        (strategy, options, arguments) -> Matching.mongeElkan(
                                Text.of(arguments.string(0)),
                                Text.of(arguments.string(1)),
                                metric(arguments, true),
                                strategy))
                .kernels(Matching.Strategy.AUTO)
                .description("Returns the Monge-Elkan similarity: the mean similarity between a word in `a` and its "
                        + "most similar word in `b`. `metric` is " + SIMILARITIES
                        + "Words are split as in `token_sort_ratio`. Returns 0 if either string has no words. "
                        + "Swapping `a` and `b` may change the result.")
                .rejects("an unknown `metric`")
                .example("monge_elkan('paul johnson', 'johson paule', 'jaro_similarity')", "0.915079365079365")
                .function();
    }

    private static Entry<Matching.Strategy> pairwise(String name, boolean smallest) {
        return Entry.of(name, MATCHING)
                .signature(
                        List.of(new Parameter("a", STRINGS), new Parameter("b", STRINGS), metric(false)),
                        DoubleType,
                        (strategy, options, arguments) -> Matching.extreme(
                                strings(arguments, "a", 0),
                                strings(arguments, "b", 1),
                                metric(arguments, false),
                                smallest,
                                strategy))
                .kernels(Matching.Strategy.AUTO)
                .rejects("an empty array; a NULL entry; an unknown `metric`");
    }

    private static Parameter metric(boolean similarity) {
        return Parameter.setting(
                "metric", StringType, (function, value) -> Matching.metric(function, similarity, value.toString()));
    }

    private static Metric metric(Arguments arguments, boolean similarity) {
        return Matching.metric(
                arguments.function(), similarity, arguments.string(2).toString());
    }

    private static int[] characters(Arguments arguments, int place) {
        return Text.of(arguments.string(place)).characters();
    }

    private static List<Text> strings(Arguments arguments, String name, int place) {
        int count = arguments.array(place).numElements();
        if (count == 0) {
            throw BellmanException.inRow(
                    arguments.function(), "%s is empty; it must contain at least one string".formatted(name));
        }
        TaskMemory.takeArgument(arguments.function(), name, count);
        List<Text> strings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            if (arguments.array(place).isNullAt(i)) {
                throw ArrayArguments.invalid(arguments.function(), name, i, "NULL", "a string");
            }
            strings.add(Text.of(arguments.array(place).getUTF8String(i)));
        }
        return strings;
    }

    private static int checkQ(String function, int q) {
        if (q < 1) {
            throw BellmanException.inSetting(function, "q is %d; it must be at least 1".formatted(q));
        }
        return q;
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if the name is unknown */
    private static QGrams.Coefficient coefficient(String function, String name) {
        return switch (name) {
            case "jaccard" -> QGrams.Coefficient.JACCARD;
            case "dice" -> QGrams.Coefficient.DICE;
            case "cosine" -> QGrams.Coefficient.COSINE;
            default ->
                throw BellmanException.inSetting(
                        function, "coefficient is '%s'; it must be jaccard, dice or cosine".formatted(name));
        };
    }
}
