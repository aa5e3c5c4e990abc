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

/** The metrics of {@code pairing: within} and {@code nearest}: functions of two strings whose joins are planned. */
public enum Metric {
    EDIT_DISTANCE,
    OSA_DISTANCE,
    DAMERAU_LEVENSHTEIN,
    HAMMING_DISTANCE,
    JARO_SIMILARITY(1),
    JARO_WINKLER_SIMILARITY(1),
    RATIO(100);

    /** The largest value of a similarity; 0 for distances. */
    private final double largest;

    Metric() {
        this(0);
    }

    Metric(double largest) {
        this.largest = largest;
    }

    /** The metric of a function. */
    static Metric named(String function) {
        return valueOf(function.toUpperCase(Locale.ROOT));
    }

    /** The metrics among the functions of a problem, with the problem's namesake first. */
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

    /** The distinct functions, without {@code try_}, that measure the difference or similarity of two strings. */
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

    /** The name of its function. */
    public String function() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The names of the parameters of its function after the two strings. */
    List<String> parameters() {
        return Catalogue.functions().stream()
                .filter(function -> function.name().equals(function()))
                .flatMap(function -> function.signatures().stream())
                .flatMap(signature -> signature.parameters().stream().skip(2))
                .map(Parameter::name)
                .distinct()
                .toList();
    }

    /** The column of the output that has its values. */
    String column() {
        return isSimilarity() ? function() : Job.DISTANCE;
    }

    boolean isSimilarity() {
        return largest > 0;
    }

    /** The largest similarity. */
    double largest() {
        return largest;
    }

    /** Whether all strings are within some limit, at most the length of the longer one. */
    boolean reachesAll() {
        return !isSimilarity() && this != HAMMING_DISTANCE;
    }

    /** Whether two strings are close. Strings of different lengths have no Hamming distance, and are not close. */
    public Column close(Column a, Column b, Number limit) {
        Column value = call_function((this == HAMMING_DISTANCE ? "try_" : "") + function(), a, b);
        return isSimilarity() ? value.geq(lit(limit)) : value.leq(lit(limit));
    }
}
