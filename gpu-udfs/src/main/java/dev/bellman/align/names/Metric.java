package dev.bellman.align.names;

import dev.bellman.align.Text;
import dev.bellman.align.distance.DamerauLevenshtein;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.align.distance.JaroWinkler;
import dev.bellman.align.distance.OsaDistance;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The functions of two strings that other functions apply to words or elements of their arguments. */
enum Metric {
    EDIT_DISTANCE(EditDistance.Strategy.class, EditDistance::distance),
    OSA_DISTANCE(OsaDistance.Strategy.class, OsaDistance::distance),
    DAMERAU_LEVENSHTEIN(DamerauLevenshtein.Strategy.class, DamerauLevenshtein::distance),
    JARO_SIMILARITY(JaroWinkler.Strategy.class, JaroWinkler::jaro),
    JARO_WINKLER_SIMILARITY(JaroWinkler.Strategy.class, JaroWinkler::similarity),
    RATIO(Ratios::ratio),
    PARTIAL_RATIO(Ratios::partialRatio),
    TOKEN_SORT_RATIO(Ratios::tokenSortRatio),
    TOKEN_SET_RATIO(Ratios::tokenSetRatio),
    WEIGHTED_RATIO(Ratios::weightedRatio);

    private interface Function<S> {
        double of(Text a, Text b, S strategy);
    }

    private interface Ratio {
        double of(int[] a, int[] b, Ratios.Strategy strategy);
    }

    /** The metrics by SQL name, stored in a map because a metric is looked up for each row. */
    private static final Map<String, Metric> NAMED =
            Arrays.stream(values()).collect(Collectors.toMap(Metric::sqlName, metric -> metric));

    private final ToDoubleBiFunction<Text, Text> fast;
    private final ToDoubleBiFunction<Text, Text> plain;

    <S extends Enum<S>> Metric(Class<S> strategies, Function<S> function) {
        S auto = Enum.valueOf(strategies, "AUTO");
        S serial = Enum.valueOf(strategies, "SERIAL");
        fast = (a, b) -> function.of(a, b, auto);
        plain = (a, b) -> function.of(a, b, serial);
    }

    Metric(Ratio ratio) {
        this(Ratios.Strategy.class, (a, b, strategy) -> ratio.of(a.characters(), b.characters(), strategy));
    }

    /** Whether larger values mean more similar strings. */
    boolean isSimilarity() {
        return ordinal() >= JARO_SIMILARITY.ordinal();
    }

    /** @param isPlain whether to use the simplest strategy */
    double of(Text a, Text b, boolean isPlain) {
        return (isPlain ? plain : fast).applyAsDouble(a, b);
    }

    String sqlName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Metric> named(String name) {
        return Optional.ofNullable(NAMED.get(name));
    }

    /** Returns the names of metrics, separated by commas. */
    static String names(Stream<Metric> metrics) {
        return metrics.map(Metric::sqlName).collect(Collectors.joining(", "));
    }
}
