package dev.bellman.job.spec;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.lit;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.function.Catalogue;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.NumericType;

/**
 * The metrics for {@code pairing: within} and {@code nearest}: those functions of two strings for which Bellman plans
 * joins.
 */
public enum Metric {
    EDIT_DISTANCE,
    OSA_DISTANCE,
    DAMERAU_LEVENSHTEIN,
    HAMMING_DISTANCE,
    JARO_SIMILARITY(1),
    JARO_WINKLER_SIMILARITY(1),
    RATIO(100);

    /** For a similarity, its largest possible value; 0 for distances. */
    private final double largest;

    Metric() {
        this(0);
    }

    Metric(double largest) {
        this.largest = largest;
    }

    static Metric named(String function) {
        return valueOf(function.toUpperCase(Locale.ROOT));
    }

    /** Returns the metrics that a problem's functions compute; the one named after the problem comes first. */
    static List<Metric> of(Problem<?> problem) {
        return Catalogue.functions().stream()
                .filter(function -> function.problem().equals(problem))
                .flatMap(function -> of(function).stream())
                .sorted(Comparator.comparing(metric -> !metric.function().startsWith(problem.name())))
                .toList();
    }

    static Optional<Metric> of(BellmanFunction<?> function) {
        return Arrays.stream(values())
                .filter(metric -> metric.function().equals(function.name()))
                .findFirst();
    }

    /**
     * Returns the names of the functions that measure the difference or similarity of two strings, without {@code try_}
     * and without duplicates.
     */
    static List<String> measures(List<BellmanFunction<?>> functions) {
        return functions.stream()
                .filter(function -> function.signatures().get(0).result() instanceof NumericType)
                .map(function -> function.name().replaceFirst("^try_", ""))
                .distinct()
                .toList();
    }

    static String names() {
        return Arrays.stream(values()).map(Metric::function).collect(Collectors.joining(", "));
    }

    /** Returns the name of the function that computes the metric. */
    public String function() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the names of those of the function's parameters that follow the two strings. */
    List<String> parameters() {
        return Catalogue.functions().stream()
                .filter(function -> function.name().equals(function()))
                .flatMap(function -> function.signatures().stream())
                .flatMap(signature -> signature.parameters().stream().skip(2))
                .map(Parameter::name)
                .distinct()
                .toList();
    }

    /** Returns the output column that contains the metric's values. */
    String column() {
        return isSimilarity() ? function() : Job.DISTANCE;
    }

    boolean isSimilarity() {
        return largest > 0;
    }

    /** Returns the largest possible similarity. */
    double largest() {
        return largest;
    }

    /**
     * Whether the distance of two strings never exceeds the length of the longer one, so that a large enough limit
     * includes all pairs.
     */
    boolean reachesAll() {
        return !isSimilarity() && this != HAMMING_DISTANCE;
    }

    /**
     * Returns the condition under which two strings are close. Strings of different lengths have no Hamming distance,
     * so they are not close.
     */
    public Column close(Column a, Column b, Number limit) {
        Column value = call_function((this == HAMMING_DISTANCE ? "try_" : "") + function(), a, b);
        return isSimilarity() ? value.geq(lit(limit)) : value.leq(lit(limit));
    }
}
