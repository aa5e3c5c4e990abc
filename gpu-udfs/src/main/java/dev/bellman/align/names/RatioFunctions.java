package dev.bellman.align.names;

import static org.apache.spark.sql.types.DataTypes.BooleanType;
import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.align.PairFunction;
import dev.bellman.align.Text;
import dev.bellman.columns.AnyUdf;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.unsafe.types.UTF8String;

/** The ratios of rapidfuzz. */
public final class RatioFunctions {
    private static final Problem<Ratios.Strategy> RATIO =
            new Problem<>("ratio", Ratios.Strategy.class, Ratios.Strategy.SERIAL);

    private static final List<Parameter> PAIR = List.of(new Parameter("a", StringType), new Parameter("b", StringType));
    private static final Parameter PROCESS = Parameter.setting("process", BooleanType, (function, value) -> {});

    private static final String PROCESSED =
            " With `process`, capitals are small letters and all but letters and digits spaces, none at the ends.";

    private RatioFunctions() {}

    /** The ratio of two texts. */
    @FunctionalInterface
    private interface Ratio extends Serializable {
        double of(int[] a, int[] b, Ratios.Strategy strategy);
    }

    /** The textbook's. */
    @FunctionalInterface
    private interface Definition extends Serializable {
        double of(List<Integer> a, List<Integer> b);
    }

    public static List<BellmanFunction<?>> list() {
        return List.of(
                function(
                        "ratio",
                        Ratios::ratio,
                        RatioTextbook::ratio,
                        "The similarity of two texts, from 0 to 100, with the same values as rapidfuzz's `fuzz.ratio`: "
                                + "the share of their characters that are in a longest common subsequence.",
                        new Example("ratio('this is a test', 'this is a test!')", "96.55172413793103")),
                function(
                        "partial_ratio",
                        Ratios::partialRatio,
                        RatioTextbook::partialRatio,
                        "The largest `ratio` of the shorter text and a window of the longer one, which has as many "
                                + "characters, or fewer at an end of the text; the same values as rapidfuzz's "
                                + "`fuzz.partial_ratio`. Of two equally long texts, each is once the shorter one.",
                        new Example("partial_ratio('a certain string', 'cetain')", "83.33333333333334")),
                function(
                        "token_sort_ratio",
                        Ratios::tokenSortRatio,
                        RatioTextbook::tokenSortRatio,
                        "The `ratio` of two texts whose words are sorted; the same values as rapidfuzz's "
                                + "`fuzz.token_sort_ratio`.",
                        new Example("token_sort_ratio('fuzzy was a bear', 'was a bear  fuzzy')", "100.0")),
                function(
                        "token_set_ratio",
                        Ratios::tokenSetRatio,
                        RatioTextbook::tokenSetRatio,
                        "The similarity of two sets of words, with the same values as rapidfuzz's "
                                + "`fuzz.token_set_ratio`: the largest `ratio` between the common words, these with "
                                + "the other words of `a`, and these with the other words of `b`. 100 if one set "
                                + "has the other, 0 if a text has no words.",
                        new Example("token_set_ratio('fuzzy was a bear', 'fuzzy fuzzy was a bear')", "100.0")),
                function(
                        "partial_token_sort_ratio",
                        Ratios::partialTokenSortRatio,
                        RatioTextbook::partialTokenSortRatio,
                        "The `partial_ratio` of two texts whose words are sorted; the same values as rapidfuzz's "
                                + "`fuzz.partial_token_sort_ratio`.",
                        new Example("partial_token_sort_ratio('Ann Lee Smith', 'Smith Ann')", "80.0")),
                function(
                        "weighted_ratio",
                        Ratios::weightedRatio,
                        RatioTextbook::weightedRatio,
                        "The largest of several ratios, with the same values as rapidfuzz's `fuzz.WRatio`: `ratio`, "
                                + "and with smaller weights the ratios of words and, if one text is at least 1.5 "
                                + "times as long as the other, of parts. 0 if a text is empty.",
                        new Example("weighted_ratio('fuzzy was a bear', 'bear fuzzy')", "85.5")));
    }

    private static BellmanFunction<?> function(
            String name, Ratio ratio, Definition definition, String description, Example example) {
        boolean partial = name.contains("partial") || name.contains("weighted");
        return new BellmanFunction<>(
                name,
                RATIO,
                List.of(
                        withKernel(signature(ratio, definition, false, partial), ratio),
                        signature(ratio, definition, true, partial)),
                description + PROCESSED,
                Optional.empty(),
                example);
    }

    /** On the GPU without {@code process}, which takes Java's tables of characters. */
    private static Signature<Ratios.Strategy> withKernel(Signature<Ratios.Strategy> signature, Ratio ratio) {
        return new Signature<>(
                signature.parameters(),
                signature.result(),
                (strategy, options) -> PairFunction.of(
                        RATIO,
                        (a, b, chosen) -> ratio.of(a.characters(), b.characters(), chosen),
                        PairFunction.Cells.TABLE,
                        strategy,
                        options),
                signature.generator(),
                signature.oracle());
    }

    private static Signature<Ratios.Strategy> signature(
            Ratio ratio, Definition definition, boolean withProcess, boolean partial) {
        return new Signature<>(
                withProcess ? Stream.concat(PAIR.stream(), Stream.of(PROCESS)).toList() : PAIR,
                DoubleType,
                (strategy, options) -> AnyUdf.ofRows(options, arguments -> {
                    boolean process = withProcess && (Boolean) arguments[2];
                    int[] a = characters(arguments[0], process);
                    int[] b = characters(arguments[1], process);
                    options.cells().add((long) a.length * b.length);
                    return ratio.of(a, b, strategy);
                }),
                new InstanceGenerator(
                        (random, size) -> RatioInstances.row(random, size, withProcess),
                        12,
                        partial ? 400 : 5_000,
                        partial ? 3 : 2),
                row -> {
                    boolean process = withProcess && row.getBoolean(2);
                    return definition.of(
                            RatioTextbook.text(row.getUTF8String(0), process),
                            RatioTextbook.text(row.getUTF8String(1), process));
                });
    }

    private static int[] characters(Object text, boolean process) {
        int[] characters = Text.of((UTF8String) text).characters();
        return process ? DefaultProcess.of(characters) : characters;
    }
}
