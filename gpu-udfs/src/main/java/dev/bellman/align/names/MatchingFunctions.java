package dev.bellman.align.names;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.PairFunction;
import dev.bellman.align.PairInstances;
import dev.bellman.align.Text;
import dev.bellman.columns.AnyUdf;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.SolverUdf;
import dev.bellman.columns.SolverUdf.Solver;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Oracle;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Functions that compare texts by their parts. */
public final class MatchingFunctions {
    private static final Problem<QGrams.Strategy> QGRAMS =
            new Problem<>("qgrams", QGrams.Strategy.class, QGrams.Strategy.SERIAL);

    private static final Problem<Matching.Strategy> MATCHING =
            new Problem<>("matching", Matching.Strategy.class, Matching.Strategy.SERIAL);

    private static final DataType TEXTS = DataTypes.createArrayType(StringType);

    private static final String METRICS = "`edit_distance`, `osa_distance`, `damerau_levenshtein`, ";
    private static final String SIMILARITIES = "`jaro_similarity`, `jaro_winkler_similarity`, `ratio`, "
            + "`partial_ratio`, `token_sort_ratio`, `token_set_ratio` or `weighted_ratio`";

    private static final Problem<WeightedEditDistance.Strategy> WEIGHTED = new Problem<>(
            "weighted_edit_distance", WeightedEditDistance.Strategy.class, WeightedEditDistance.Strategy.SERIAL);

    private MatchingFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                weightedEditDistance(),
                qgramSimilarity(),
                mongeElkan(),
                pairwise("min", true),
                pairwise("max", false),
                affineGapSimilarity());
    }

    /** With a kernel for every strategy but the textbook's. */
    private static <S extends Enum<S>> Signature<S> withKernel(
            Problem<S> problem,
            List<Parameter> parameters,
            Solver<S> solver,
            InstanceGenerator generator,
            Oracle oracle) {
        return new Signature<>(
                parameters,
                DoubleType,
                (strategy, options) -> new SolverUdf<>(solver, strategy, strategy != problem.textbook(), options),
                generator,
                oracle);
    }

    private static BellmanFunction<?> weightedEditDistance() {
        return new BellmanFunction<>(
                WEIGHTED.name(),
                WEIGHTED,
                List.of(weightedSignature(false), weightedSignature(true)),
                "The least cost of insertions, deletions and substitutions of characters that turn `a` into `b`, each "
                        + "at a cost of its own. `costs` has substitutions with other costs, both ways, as text: two "
                        + "characters and the cost, and so on, with spaces between.",
                Optional.of("a cost that is negative, NaN or infinite; `costs` of another form"),
                new Example("weighted_edit_distance('B0b', 'Bobs', 1, 1, 2, 'o 0 0.25 l 1 0.5')", "1.25"));
    }

    private static Signature<WeightedEditDistance.Strategy> weightedSignature(boolean withCosts) {
        List<Parameter> parameters =
                new ArrayList<>(List.of(new Parameter("a", StringType), new Parameter("b", StringType)));
        for (String kind : List.of("insert", "delete", "substitute")) {
            parameters.add(Parameter.setting(
                    kind, DoubleType, (function, value) -> EditCosts.check(function, kind, (Double) value)));
        }
        if (withCosts) {
            parameters.add(Parameter.setting(
                    "costs", StringType, (function, value) -> EditCosts.of(function, 0, 0, 0, value.toString())));
        }
        InstanceGenerator generator = new InstanceGenerator(
                (random, size) -> WeightedTextbook.instance(random, size, withCosts), 12, 2_000, 2);
        if (!withCosts) {
            return withKernel(
                    WEIGHTED,
                    parameters,
                    (strategy, options, arguments) -> weightedEditDistance(arguments, "", strategy),
                    generator,
                    WeightedTextbook::distance);
        }
        return new Signature<>(
                parameters,
                DoubleType,
                (strategy, options) -> AnyUdf.ofRows(
                        options, arguments -> weightedEditDistance(arguments, arguments[5].toString(), strategy)),
                generator,
                WeightedTextbook::distance);
    }

    private static double weightedEditDistance(
            Object[] arguments, String costs, WeightedEditDistance.Strategy strategy) {
        return WeightedEditDistance.distance(
                characters(arguments[0]),
                characters(arguments[1]),
                EditCosts.of(
                        WEIGHTED.name(), (Double) arguments[2], (Double) arguments[3], (Double) arguments[4], costs),
                strategy);
    }

    private static BellmanFunction<?> affineGapSimilarity() {
        return new BellmanFunction<>(
                Matching.AFFINE_GAP,
                MATCHING,
                List.of(new Signature<>(
                        List.of(new Parameter("a", StringType), new Parameter("b", StringType)),
                        DoubleType,
                        (strategy, options) -> PairFunction.of(
                                MATCHING, Matching::affineGap, PairFunction.Cells.TABLE, strategy, options),
                        new InstanceGenerator(PairInstances::pair, 12, 2_000, 2),
                        MatchingTextbook::affineGap)),
                "The score of the best alignment of two texts with affine gaps, with the same values as "
                        + "py_stringmatching: 1 for each pair of equal characters, less 1 for each gap and 0.5 for "
                        + "each further character in it. "
                        + "It forgives initials and missing words more than `edit_distance`. "
                        + "0 if a text is empty. `alignment_score` takes other costs.",
                Optional.empty(),
                new Example("affine_gap_similarity('dva', 'deeva')", "1.5"));
    }

    private static BellmanFunction<?> qgramSimilarity() {
        String name = "qgram_similarity";
        return new BellmanFunction<>(
                name,
                QGRAMS,
                List.of(withKernel(
                        QGRAMS,
                        List.of(
                                new Parameter("a", StringType),
                                new Parameter("b", StringType),
                                Parameter.setting(
                                        "q", IntegerType, (function, value) -> checkQ(function, (Integer) value)),
                                Parameter.setting(
                                        "coefficient",
                                        StringType,
                                        (function, value) -> coefficient(function, value.toString()))),
                        (strategy, options, arguments) -> QGrams.similarity(
                                characters(arguments[0]),
                                characters(arguments[1]),
                                checkQ(name, (Integer) arguments[2]),
                                coefficient(name, arguments[3].toString()),
                                strategy),
                        new InstanceGenerator(MatchingTextbook::qgramInstance, 12, 4_000, 2),
                        MatchingTextbook::qgramSimilarity)),
                "The similarity of the sets of q-grams of two texts, from 0 to 1, a q-gram being `q` characters in a "
                        + "row. `coefficient` is `jaccard`, the common ones among all, `dice`, twice the common ones "
                        + "among both counts, or `cosine`, the common ones by the root of the product of both counts. "
                        + "A text shorter than `q` is its only gram; two empty texts have 1.",
                Optional.of("a `q` below 1; another `coefficient`"),
                new Example("qgram_similarity('night', 'nacht', 2, 'dice')", "0.25"));
    }

    private static BellmanFunction<?> mongeElkan() {
        String name = "monge_elkan";
        return new BellmanFunction<>(
                name,
                MATCHING,
                List.of(withKernel(
                        MATCHING,
                        List.of(new Parameter("a", StringType), new Parameter("b", StringType), metric(true)),
                        (strategy, options, arguments) -> Matching.mongeElkan(
                                Text.of((UTF8String) arguments[0]),
                                Text.of((UTF8String) arguments[1]),
                                Matching.metric(name, true, arguments[2].toString()),
                                strategy),
                        new InstanceGenerator(MatchingTextbook::mongeElkanInstance, 12, 400, 3),
                        MatchingTextbook::mongeElkan)),
                "The similarity of two texts by Monge and Elkan: the mean, over the words of `a`, of the similarity to "
                        + "the most similar word of `b`. `metric` is " + SIMILARITIES
                        + ". Words are as in `token_sort_ratio`. 0 if a text has none. `b` and `a` may have another "
                        + "similarity.",
                Optional.of("another `metric`"),
                new Example("monge_elkan('paul johnson', 'johson paule', 'jaro_similarity')", "0.915079365079365"));
    }

    private static BellmanFunction<?> pairwise(String extreme, boolean least) {
        String name = "pairwise_" + extreme;
        return new BellmanFunction<>(
                name,
                MATCHING,
                List.of(withKernel(
                        MATCHING,
                        List.of(new Parameter("a", TEXTS), new Parameter("b", TEXTS), metric(false)),
                        (strategy, options, arguments) -> Matching.extreme(
                                texts(name, "a", (ArrayData) arguments[0]),
                                texts(name, "b", (ArrayData) arguments[1]),
                                Matching.metric(name, false, arguments[2].toString()),
                                least,
                                strategy),
                        new InstanceGenerator(MatchingTextbook::pairwiseInstance, 12, 400, 3),
                        row -> MatchingTextbook.pairwise(row, least))),
                "The %s value of a metric over all pairs of a text of `a` and one of `b`. `metric` is "
                                .formatted(least ? "least" : "largest")
                        + METRICS + SIMILARITIES + ".",
                Optional.of("an empty array; an entry that is NULL; another `metric`"),
                least
                        ? new Example(
                                "pairwise_min(array('Jon', 'Johnny'), array('John', 'Jack'), 'edit_distance')", "1.0")
                        : new Example(
                                "pairwise_max(array('Jon', 'Johnny'), array('John', 'Jack'), 'ratio')",
                                "85.71428571428572"));
    }

    private static Parameter metric(boolean similarity) {
        return Parameter.setting(
                "metric", StringType, (function, value) -> Matching.metric(function, similarity, value.toString()));
    }

    private static int[] characters(Object text) {
        return Text.of((UTF8String) text).characters();
    }

    private static List<Text> texts(String function, String name, ArrayData array) {
        int count = array.numElements();
        if (count == 0) {
            throw BellmanException.inRow(function, "%s is empty; it needs at least one text".formatted(name));
        }
        TaskMemory.takeArgument(function, name, count);
        List<Text> texts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            if (array.isNullAt(i)) {
                throw ArrayArguments.invalid(function, name, i, "NULL", "a text");
            }
            texts.add(Text.of(array.getUTF8String(i)));
        }
        return texts;
    }

    private static int checkQ(String function, int q) {
        if (q < 1) {
            throw Matching.wrong(function, "q is %d; it must be at least 1".formatted(q));
        }
        return q;
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if there is none of that name */
    private static QGrams.Coefficient coefficient(String function, String name) {
        return switch (name) {
            case "jaccard" -> QGrams.Coefficient.JACCARD;
            case "dice" -> QGrams.Coefficient.DICE;
            case "cosine" -> QGrams.Coefficient.COSINE;
            default ->
                throw Matching.wrong(
                        function, "coefficient is '%s'; it must be jaccard, dice or cosine".formatted(name));
        };
    }
}
