package dev.bellman.align.names;

import static org.apache.spark.sql.types.DataTypes.BooleanType;
import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.align.Text;
import dev.bellman.columns.Solver;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the ratio functions of rapidfuzz. */
public final class RatioFunctions {
    private static final Problem<Ratios.Strategy> RATIO =
            new Problem<>("ratio", Ratios.Strategy.class, Ratios.Strategy.SERIAL);

    /** The parameters of every ratio function. */
    private static final List<Parameter> PARAMETERS = List.of(
            new Parameter("a", StringType),
            new Parameter("b", StringType),
            Parameter.setting("normalize", BooleanType, (function, value) -> {}).orElse(false));

    private static final String NORMALIZED = " If `normalize` is true, both strings are first lowercased, characters "
            + "other than letters and numbers are replaced with spaces, and leading and trailing spaces are removed.";

    private RatioFunctions() {}

    /** Computes the ratio of two strings. */
    @FunctionalInterface
    private interface Ratio extends Serializable {
        double of(int[] a, int[] b, Ratios.Strategy strategy);
    }

    public static List<BellmanFunction<?>> list() {
        return List.of(
                entry("ratio", ofTexts())
                        .description("Returns the similarity between two strings, from 0 to 100, as rapidfuzz's "
                                + "`fuzz.ratio` does: the percentage of both strings' characters that belong to a "
                                + "longest common subsequence. Returns 100 for two empty strings." + NORMALIZED)
                        .example("ratio('this is a test', 'this is a test!')", "96.55172413793103")
                        .function(),
                ratio("partial_ratio", Ratios::partialRatio)
                        .description("Returns the largest `ratio` between the shorter string and any window of the "
                                + "longer string, as rapidfuzz's `fuzz.partial_ratio` does. A window is as long as "
                                + "the shorter string; at either end of the longer string, it may be shorter. If both "
                                + "strings have the same length, each is tried as the shorter one." + NORMALIZED)
                        .example("partial_ratio('a certain string', 'cetain')", "83.33333333333334")
                        .function(),
                ratio("token_sort_ratio", Ratios::tokenSortRatio)
                        .description("Returns the `ratio` of two strings after sorting their words, as rapidfuzz's "
                                + "`fuzz.token_sort_ratio` does." + NORMALIZED)
                        .example("token_sort_ratio('fuzzy was a bear', 'was a bear  fuzzy')", "100.0")
                        .function(),
                ratio("token_set_ratio", Ratios::tokenSetRatio)
                        .description("Returns the similarity between two word sets, as rapidfuzz's "
                                + "`fuzz.token_set_ratio` does. The function builds three strings: the common words, "
                                + "the common words plus the other words of `a`, and the common words plus the other "
                                + "words of `b`. It returns the largest `ratio` between two of these strings. "
                                + "Returns 100 if one set contains the other, and 0 if either string has no "
                                + "words." + NORMALIZED)
                        .example("token_set_ratio('fuzzy was a bear', 'fuzzy fuzzy was a bear')", "100.0")
                        .function(),
                ratio("partial_token_sort_ratio", Ratios::partialTokenSortRatio)
                        .description("Returns the `partial_ratio` of two strings after sorting their words, as "
                                + "rapidfuzz's `fuzz.partial_token_sort_ratio` does." + NORMALIZED)
                        .example("partial_token_sort_ratio('Ann Lee Smith', 'Smith Ann')", "80.0")
                        .function(),
                ratio("weighted_ratio", Ratios::weightedRatio)
                        .description("Returns the largest of several ratios, as rapidfuzz's `fuzz.WRatio` does. These "
                                + "are `ratio`, and 0.95 times `token_sort_ratio` and `token_set_ratio`. If one "
                                + "string is at least 1.5 times as long as the other, they are instead `ratio`, `w` "
                                + "times `partial_ratio`, and `0.95 * w` times a ratio of words, where `w` is 0.9, or "
                                + "0.6 if one string is more than 8 times as long. The ratio of words is 100 if the "
                                + "strings have a word in common; otherwise, it is `partial_token_sort_ratio`, with "
                                + "or without repeated words, whichever is larger. Returns 0 if either string is "
                                + "empty." + NORMALIZED)
                        .example("weighted_ratio('fuzzy was a bear', 'bear fuzzy')", "85.5")
                        .function());
    }

    private static Entry<Ratios.Strategy> ratio(String name, Ratio ratio) {
        return entry(name, ofCharacters(ratio));
    }

    private static Entry<Ratios.Strategy> entry(String name, Solver<Ratios.Strategy> solver) {
        return Entry.of(name, RATIO).signature(PARAMETERS, DoubleType, solver).kernels(Ratios.Strategy.AUTO);
    }

    private static Solver<Ratios.Strategy> ofCharacters(Ratio ratio) {
        return (strategy, options, arguments) -> {
            boolean normalize = arguments.flag(2);
            int[] a = characters(arguments.string(0), normalize);
            int[] b = characters(arguments.string(1), normalize);
            // computed before the call, so that a and b need not stay in memory during the call
            long cells = (long) a.length * b.length;
            double result = ratio.of(a, b, strategy);
            options.cells().add(cells);
            return result;
        };
    }

    /** Returns a solver for {@code ratio} that decodes ASCII texts only if they are normalized. */
    private static Solver<Ratios.Strategy> ofTexts() {
        Solver<Ratios.Strategy> normalized = ofCharacters(Ratios::ratio);
        return (strategy, options, arguments) -> {
            if (arguments.flag(2)) {
                return normalized.solve(strategy, options, arguments);
            }
            Text a = Text.of(arguments.string(0));
            Text b = Text.of(arguments.string(1));
            double result = Ratios.ratio(a, b, strategy);
            options.cells().add((long) a.length() * b.length());
            return result;
        };
    }

    private static int[] characters(UTF8String string, boolean normalize) {
        int[] characters = Text.of(string).characters();
        return normalize ? Normalization.of(characters) : characters;
    }
}
