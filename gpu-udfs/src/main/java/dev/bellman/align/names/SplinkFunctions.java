package dev.bellman.align.names;

import static org.apache.spark.sql.types.DataTypes.DoubleType;

import dev.bellman.BellmanException;
import dev.bellman.align.PairSolvers;
import dev.bellman.align.distance.JaroWinkler;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Problem;
import java.io.Serializable;
import java.util.List;
import org.apache.commons.text.similarity.CosineDistance;

/**
 * Defines the functions that Splink calls on Spark, under the names that Splink uses. They return the same values as
 * the jar that comes with Splink, which uses commons-text. These functions are not in the catalogue: they are
 * registered in a session if {@value #KEY} is true.
 *
 * <p>In these functions, a character is a UTF-16 code unit, as in commons-text, rather than a code point. Winkler's
 * bonus applies to similarities of at least 0.7, and each match out of order counts as half a transposition.
 */
public final class SplinkFunctions {
    /**
     * The setting that adds Splink's functions to a session; if it is true, {@code edit_distance} also replaces Spark's
     * {@code levenshtein}.
     */
    public static final String KEY = "spark.bellman.splink.enabled";

    private static final double BOOST_THRESHOLD = 0.7;
    private static final double PREFIX_WEIGHT = 0.1;
    private static final int MAX_PREFIX = 4;

    private enum Strategy {
        AUTO
    }

    private static final Problem<Strategy> SPLINK = new Problem<>("splink", Strategy.class, Strategy.AUTO);

    /** Compares two strings. */
    @FunctionalInterface
    private interface Comparison extends Serializable {
        double of(String a, String b);
    }

    private SplinkFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                function("jaro_sim", SplinkFunctions::jaro)
                        .kernels(Strategy.AUTO)
                        .description("Returns the Jaro similarity, like Splink's function with the same name.")
                        .example("jaro_sim('martha', 'marhta')", "0.9444444444444445")
                        .function(),
                function("jaro_winkler", SplinkFunctions::jaroWinkler)
                        .kernels(Strategy.AUTO)
                        .description("Returns the Jaro-Winkler similarity, like Splink's function with the same name.")
                        .example("jaro_winkler('martha', 'marhta')", "0.9611111111111111")
                        .function(),
                function("jaccard", SplinkFunctions::jaccard)
                        .kernels(Strategy.AUTO)
                        .description("Returns the number of distinct characters that occur in both strings divided by "
                                + "the number of distinct characters in either string, like Splink's function with "
                                + "the same name.")
                        .example("jaccard('martha', 'marhta')", "1.0")
                        .function(),
                function("cosine_distance", SplinkFunctions::cosineDistance)
                        .description("Returns 1 minus the cosine of the word counts of two strings, like Splink's "
                                + "function with the same name.")
                        .rejects("a blank string")
                        .example("cosine_distance('martha', 'marhta')", "1.0")
                        .function());
    }

    private static Entry<Strategy> function(String name, Comparison comparison) {
        return Entry.of(name, SPLINK)
                .signature(
                        PairSolvers.PAIR,
                        DoubleType,
                        (strategy, options, arguments) -> comparison.of(
                                arguments.string(0).toString(),
                                arguments.string(1).toString()));
    }

    /**
     * Returns the Jaro similarity. Each character of {@code a}, in order, is matched with the first unmatched candidate
     * in {@code b}.
     */
    static double jaro(String a, String b) {
        return JaroWinkler.jaroWithHalves(units(b), units(a));
    }

    /**
     * Returns the Jaro-Winkler similarity. Each character of the shorter text, in order, is matched with the first
     * unmatched candidate in the longer text.
     */
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
                    "cosine_distance",
                    "%s is blank; it must contain at least one word".formatted(a.isBlank() ? "a" : "b"));
        }
        return new CosineDistance().apply(a, b);
    }

    private static int[] units(String text) {
        return text.chars().toArray();
    }
}
