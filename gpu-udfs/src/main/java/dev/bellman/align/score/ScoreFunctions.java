package dev.bellman.align.score;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.CellCounter;
import dev.bellman.Strategies;
import dev.bellman.align.Text;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.Arguments;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.io.Serializable;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** Defines the score and alignment functions. */
public final class ScoreFunctions {
    public static final Problem<SequenceAlignment.Strategy> ALIGNMENT =
            new Problem<>("alignment", SequenceAlignment.Strategy.class, SequenceAlignment.Strategy.SERIAL);

    /** The name of the parameter for the smallest score to return. */
    public static final String MIN_SCORE = "min_score";

    static final String BAND = "band";

    static final String Z_DROP = "z_drop";

    /** The problem of the functions that compute the significance of scores. */
    public static final Problem<ScoreStatistics.Strategy> STATISTICS =
            new Problem<>("bit_score", ScoreStatistics.Strategy.class, ScoreStatistics.Strategy.SERIAL);

    private static final String NO_LIMIT = "no limit";

    private static final List<Parameter> PARAMETERS = List.of(
            new Parameter("a", StringType),
            new Parameter("b", StringType),
            Parameter.setting("mode", StringType, (function, value) -> AlignmentMode.of(function, value.toString())),
            Parameter.setting("scoring", StringType, (function, value) -> Scoring.of(function, value.toString())),
            new Parameter(MIN_SCORE, LongType).orElse(SequenceAlignment.ANY, NO_LIMIT),
            limit(BAND),
            limit(Z_DROP));

    private static Parameter limit(String name) {
        return new Parameter(
                        name, IntegerType, (function, value) -> ExtensionLimits.check(function, name, (Integer) value))
                .orElse(ExtensionLimits.NO_LIMIT, NO_LIMIT);
    }

    private static final Parameter SCORE = new Parameter("score", LongType);
    private static final Parameter SCORING = Parameter.setting(
            "scoring", StringType, (function, value) -> ScoreStatistics.of(function, value.toString()));

    private static final StructType RESULT = new StructType()
            .add("score", LongType, false)
            .add("begin_a", IntegerType, false)
            .add("end_a", IntegerType, false)
            .add("begin_b", IntegerType, false)
            .add("end_b", IntegerType, false)
            .add("cigar", StringType, false)
            .add("identities", IntegerType, false)
            .add("gaps", IntegerType, false);

    private ScoreFunctions() {}

    /** Returns the result for a pair; null if the score is below the minimum. */
    @FunctionalInterface
    private interface Aligner extends Serializable {
        Object align(SequenceAlignment.Call call);
    }

    public static List<BellmanFunction<?>> list() {
        return List.of(alignmentScore(), alignment(), bitScore(), eValue());
    }

    static BellmanFunction<SequenceAlignment.Strategy> alignmentScore() {
        return entry("alignment_score", LongType, ScoreFunctions::score)
                .description("Returns the score of the best alignment of `a` and `b`. `mode` is `global`, `local`, "
                        + "`overlap` (unaligned ends of both sequences are free), `fit_a_in_b`, `fit_b_in_a` "
                        + "(unaligned ends of the sequence named last are free), or `extension` (the beginnings of "
                        + "both sequences are aligned, up to the highest score). `scoring` is a string such as "
                        + "`blosum62 open 11 extend 1` or `match 2 mismatch -3 open 5 extend 2`. A gap of `k` letters "
                        + "costs `open + (k - 1) * extend`. With two-piece costs, such as `open 6 extend 2 open2 25 "
                        + "extend2 1`, it costs the smaller of this and `open2 + (k - 1) * extend2`. If `min_score` "
                        + "is given, returns NULL for lower scores. The mode `extension` accepts two limits, as in "
                        + "minimap2. With `band`, the numbers of letters of `a` and `b` in each prefix of the "
                        + "alignment differ by at most `band`. With `z_drop`, the extension stops at the first letter "
                        + "of `a` whose best score is too far below the highest score so far: by more than `z_drop` "
                        + "plus the cost of extending a gap from the diagonal of one score to the diagonal of the "
                        + "other, unless this best score ends earlier in `b` than the highest one.")
                .example("alignment_score('HEAGAWGHEE', 'PAWHEAE', 'local', 'blosum50 open 8 extend 8')", "28")
                .function();
    }

    static BellmanFunction<SequenceAlignment.Strategy> alignment() {
        return entry("alignment", RESULT, ScoreFunctions::align)
                .description("Returns the best alignment of `a` and `b`, with the same arguments as "
                        + "`alignment_score`: the score, the start and end positions in both sequences (0-based, end "
                        + "exclusive), the CIGAR, the number of identical letters, and the number of letters opposite "
                        + "a gap. Ties: the alignment that ends first in `a`, then in `b`. From this end, the "
                        + "traceback prefers a match or mismatch, then a letter of `a` opposite a gap, and "
                        + "closes each gap as soon as possible.")
                .example(
                        "alignment('HEAGAWGHEE', 'PAWHEAE', 'local', 'blosum50 open 8 extend 8')",
                        "{28, 4, 9, 1, 5, 2=1I2=, 4, 1}")
                .function();
    }

    private static Entry<SequenceAlignment.Strategy> entry(String name, DataType result, Aligner aligner) {
        return Entry.of(name, ALIGNMENT)
                .signature(PARAMETERS, result, (strategy, options, arguments) -> {
                    String function = arguments.function();
                    AlignmentMode mode =
                            AlignmentMode.of(function, arguments.string(2).toString());
                    Scoring scoring = Scoring.of(function, arguments.string(3).toString());
                    ExtensionLimits limits =
                            ExtensionLimits.of(function, mode, arguments.integer(5), arguments.integer(6));
                    Text a = Text.of(arguments.string(0));
                    Text b = Text.of(arguments.string(1));
                    Object found = aligner.align(new SequenceAlignment.Call(
                            function,
                            a,
                            b,
                            mode,
                            scoring,
                            limits,
                            arguments.bigint(4),
                            strategy,
                            chosen -> countChoice(options.cells(), strategy, chosen, 1)));
                    options.cells().add(limits.cells(a.length(), b.length()));
                    return found;
                })
                .kernels(
                        SequenceAlignment.Strategy.AUTO,
                        SequenceAlignment.Strategy.ANTI_DIAGONAL,
                        SequenceAlignment.Strategy.WAVEFRONT)
                .rejects("an unknown `mode`; an invalid `scoring`; a letter that is missing from the matrix, unless "
                        + "`scoring` contains `other`; a negative `band` or `z_drop`; a `band` or `z_drop` "
                        + "with a mode other than `extension`");
    }

    /** Counts the pairs for which {@code auto} chose a given strategy. */
    static void countChoice(CellCounter cells, Enum<?> strategy, SequenceAlignment.Strategy chosen, int pairs) {
        if (strategy == SequenceAlignment.Strategy.AUTO && pairs > 0) {
            cells.chose(Strategies.name(chosen), pairs);
        }
    }

    private static Long score(SequenceAlignment.Call its) {
        OptionalLong score = SequenceAlignment.score(its);
        return score.isPresent() ? score.getAsLong() : null;
    }

    private static Row align(SequenceAlignment.Call its) {
        return SequenceAlignment.align(its)
                .map(found -> RowFactory.create(
                        found.score(),
                        found.beginA(),
                        found.endA(),
                        found.beginB(),
                        found.endB(),
                        found.cigar(),
                        found.identities(),
                        found.gaps()))
                .orElse(null);
    }

    private static BellmanFunction<?> bitScore() {
        return Entry.of("bit_score", STATISTICS)
                .signature(
                        List.of(SCORE, SCORING), DoubleType, (strategy, options, arguments) -> statistics(arguments, 1)
                                .bitScore(notNegative(arguments, "score", 0)))
                .kernels(ScoreStatistics.Strategy.AUTO)
                .description("Returns the bit score of a local alignment, `(lambda * score - ln K) / ln 2`. Unlike "
                        + "raw scores, bit scores from different scorings can be compared. `lambda` and `K` are the "
                        + "values that NCBI publishes for BLOSUM45, 50, 62, 80 and 90 and PAM30, 70 and 250. BLAST's "
                        + "BLOSUM62 with gap costs 11 and 1 is `blosum62 open 12 extend 1`.")
                .rejects("a `scoring` without published values of `lambda` and `K`; a negative `score`")
                .example("bit_score(100, 'blosum62 open 12 extend 1')", "43.12818987177933")
                .function();
    }

    private static BellmanFunction<?> eValue() {
        return Entry.of("e_value", STATISTICS)
                .signature(
                        List.of(
                                SCORE,
                                new Parameter("query_letters", LongType),
                                new Parameter("target_letters", LongType),
                                SCORING),
                        DoubleType,
                        (strategy, options, arguments) -> {
                            ScoreStatistics statistics = statistics(arguments, 3);
                            return statistics.expected(
                                    notNegative(arguments, "score", 0),
                                    notNegative(arguments, "query_letters", 1),
                                    notNegative(arguments, "target_letters", 2));
                        })
                .kernels(ScoreStatistics.Strategy.AUTO)
                .description("Returns the expected number of chance local alignments with at least this score between "
                        + "a query of `query_letters` letters and unrelated targets of `target_letters` letters in "
                        + "total: `K * query_letters * target_letters * exp(-lambda * score)`, with `lambda` and `K` "
                        + "as in `bit_score`. Lengths are not corrected, so the value is larger than BLAST's.")
                .rejects("a `scoring` without published values of `lambda` and `K`; a negative argument")
                .example("e_value(100, 350, 1000000, 'blosum62 open 12 extend 1')", "3.640736386385883E-5")
                .function();
    }

    private static ScoreStatistics statistics(Arguments arguments, int place) {
        return ScoreStatistics.of(arguments.function(), arguments.string(place));
    }

    private static long notNegative(Arguments arguments, String name, int place) {
        long value = arguments.bigint(place);
        ScoreStatistics.check(arguments.function(), name, value);
        return value;
    }
}
