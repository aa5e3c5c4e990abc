package dev.bellman.align.names;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.align.PairInstances;
import dev.bellman.align.distance.JaroWinkler;
import dev.bellman.columns.SolverUdf;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.apache.commons.text.similarity.CosineDistance;
import org.apache.commons.text.similarity.JaccardSimilarity;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;

/**
 * The functions that Splink calls on Spark by names of its own, with the values of the jar that Splink brings, which
 * uses commons-text. They are not in the catalogue: a session has them if {@value #KEY} is true.
 *
 * <p>A character is a unit of UTF-16 here, as in commons-text, and not a code point. Winkler's addition applies from
 * 0.7 on, and a match that is out of order is half a transposition.
 */
public final class SplinkFunctions {
    /** Adds these functions; Spark's {@code levenshtein} is then {@code edit_distance}. */
    public static final String KEY = "spark.bellman.splink.enabled";

    private static final double BOOST_THRESHOLD = 0.7;
    private static final double PREFIX_WEIGHT = 0.1;
    private static final int MAX_PREFIX = 4;

    private enum Strategy {
        AUTO
    }

    private static final Problem<Strategy> SPLINK = new Problem<>("splink", Strategy.class, Strategy.AUTO);

    /** Compares two texts. */
    @FunctionalInterface
    private interface Comparison extends Serializable {
        double of(String a, String b);
    }

    private SplinkFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                function(
                        "jaro_sim",
                        SplinkFunctions::jaro,
                        MatchingTextbook::jaroWithHalves,
                        "Jaro's similarity",
                        "0.9444444444444445"),
                function(
                        "jaro_winkler",
                        SplinkFunctions::jaroWinkler,
                        (a, b) -> new JaroWinklerSimilarity().apply(a, b),
                        "The Jaro-Winkler similarity",
                        "0.9611111111111111"),
                function(
                        "jaccard",
                        SplinkFunctions::jaccard,
                        (a, b) -> new JaccardSimilarity().apply(a, b),
                        "The share of common characters in all",
                        "1.0"),
                function(
                        "cosine_distance",
                        SplinkFunctions::cosineDistance,
                        // commons-text itself
                        SplinkFunctions::cosineDistance,
                        "1 less the cosine of the counts of words",
                        "1.0",
                        Optional.of("a blank text")));
    }

    private static BellmanFunction<?> function(
            String name, Comparison comparison, Comparison oracle, String what, String example) {
        return function(name, comparison, oracle, what, example, Optional.empty());
    }

    private static BellmanFunction<?> function(
            String name,
            Comparison comparison,
            Comparison oracle,
            String what,
            String example,
            Optional<String> rejects) {
        return new BellmanFunction<>(
                name,
                SPLINK,
                List.of(new Signature<>(
                        List.of(new Parameter("a", StringType), new Parameter("b", StringType)),
                        DoubleType,
                        (strategy, options) -> new SolverUdf<>(
                                (chosen, itsOptions, arguments) ->
                                        comparison.of(arguments[0].toString(), arguments[1].toString()),
                                strategy,
                                rejects.isEmpty(),
                                options),
                        new InstanceGenerator(PairInstances::pair, 12, 2_000, 2),
                        row -> oracle.of(row.getString(0), row.getString(1)))),
                what + ", as Splink's function of this name.",
                rejects,
                new Example("%s('martha', 'marhta')".formatted(name), example));
    }

    /** Each character of {@code a} in turn takes the first free one of {@code b}. */
    static double jaro(String a, String b) {
        return JaroWinkler.jaroWithHalves(units(b), units(a));
    }

    /** Each character of the shorter text in turn takes the first free one of the longer. */
    static double jaroWinkler(String a, String b) {
        double jaro = a.length() > b.length() ? jaro(b, a) : jaro(a, b);
        if (jaro < BOOST_THRESHOLD) {
            return jaro;
        }
        int prefix = 0;
        int most = Math.min(MAX_PREFIX, Math.min(a.length(), b.length()));
        while (prefix < most && a.charAt(prefix) == b.charAt(prefix)) {
            prefix++;
        }
        return jaro + PREFIX_WEIGHT * prefix * (1 - jaro);
    }

    static double jaccard(String a, String b) {
        return QGrams.similarity(units(a), units(b), 1, QGrams.Coefficient.JACCARD, QGrams.Strategy.AUTO);
    }

    static double cosineDistance(String a, String b) {
        if (a.isBlank() || b.isBlank()) {
            throw BellmanException.inRow(
                    "cosine_distance", "%s is blank; it must have words".formatted(a.isBlank() ? "a" : "b"));
        }
        return new CosineDistance().apply(a, b);
    }

    private static int[] units(String text) {
        return text.chars().toArray();
    }
}
