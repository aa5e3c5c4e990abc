package dev.bellman.align.score;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.align.scoring.Scoring;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Oracle;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;

/** The functions of this family. */
public final class ScoreFunctions {
    public static final Problem<SequenceAlignment.Strategy> ALIGNMENT =
            new Problem<>("alignment", SequenceAlignment.Strategy.class, SequenceAlignment.Strategy.SERIAL);

    /** The parameter below whose value a score is NULL. */
    public static final String MIN_SCORE = "min_score";

    /** How significant scores are. */
    public static final Problem<ScoreStatistics.Strategy> STATISTICS =
            new Problem<>("score_statistics", ScoreStatistics.Strategy.class, ScoreStatistics.Strategy.SERIAL);

    private static final List<Parameter> PARAMETERS = List.of(
            new Parameter("a", StringType),
            new Parameter("b", StringType),
            Parameter.setting("mode", StringType, (function, value) -> AlignmentMode.of(function, value.toString())),
            Parameter.setting("scoring", StringType, (function, value) -> Scoring.of(function, value.toString())));

    private static final List<Parameter> LIMITED = List.of(
            PARAMETERS.get(0),
            PARAMETERS.get(1),
            PARAMETERS.get(2),
            PARAMETERS.get(3),
            new Parameter(MIN_SCORE, LongType));

    private static final InstanceGenerator PAIRS = new InstanceGenerator(AlignmentInstances::pair, 12, 5_000, 2);
    private static final InstanceGenerator LIMITED_PAIRS =
            new InstanceGenerator(AlignmentInstances::limitedPair, 12, 5_000, 2);

    private static final List<Parameter> OF_SCORE = List.of(
            new Parameter("score", LongType),
            Parameter.setting(
                    "scoring", StringType, (function, value) -> ScoreStatistics.of(function, value.toString())));

    private static final List<Parameter> OF_SEARCH = List.of(
            OF_SCORE.get(0),
            new Parameter("query_letters", LongType),
            new Parameter("target_letters", LongType),
            OF_SCORE.get(1));

    private static final InstanceGenerator SCORES = new InstanceGenerator(StatisticsInstances::score, 12, 500, 0);
    private static final InstanceGenerator SEARCHES = new InstanceGenerator(StatisticsInstances::search, 12, 500, 0);

    private static final String REJECTS = "an unknown mode, an invalid scoring, a letter that the matrix does not have";

    private ScoreFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                new BellmanFunction<>(
                        "alignment_score",
                        ALIGNMENT,
                        signatures(LongType, AlignmentScoreUdf::new, AlignmentTextbook::score),
                        "The score of the best alignment of `a` and `b`. The mode is `global`, `local`, `overlap` "
                                + "(unaligned ends of both cost nothing), `fit_a_in_b` or `fit_b_in_a` (unaligned "
                                + "ends of the sequence named last cost nothing). The scoring is a text such as "
                                + "`blosum62 open 11 extend 1` or `match 2 mismatch -3 open 5 extend 2`: a gap of "
                                + "`k` letters costs `open + (k - 1) * extend`. With `min_score`, NULL if the score "
                                + "is lower.",
                        Optional.of(REJECTS),
                        new Example(
                                "alignment_score('HEAGAWGHEE', 'PAWHEAE', 'local', 'blosum50 open 8 extend 8')", "28")),
                new BellmanFunction<>(
                        "alignment",
                        ALIGNMENT,
                        signatures(AlignmentUdf.RESULT, AlignmentUdf::new, AlignmentTextbook::alignment),
                        "The best alignment of `a` and `b`, as in `alignment_score`: its score; where it begins and "
                                + "ends in both, counted from 0, the end exclusive; its CIGAR; the number of "
                                + "identical letters, and of letters opposite a gap. Of several optimal alignments, "
                                + "the one that ends first in `a`, then in `b`; from its end it takes the diagonal "
                                + "if it can, then consumes `a` if it can, and closes a gap as soon as it can.",
                        Optional.of(REJECTS),
                        new Example(
                                "alignment('HEAGAWGHEE', 'PAWHEAE', 'local', 'blosum50 open 8 extend 8')",
                                "{28, 4, 9, 1, 5, 2=1I2=, 4, 1}")),
                new BellmanFunction<>(
                        "bit_score",
                        STATISTICS,
                        List.of(new Signature<>(
                                OF_SCORE, DoubleType, BitScoreUdf::new, SCORES, StatisticsTextbook::bitScore)),
                        "The score of a local alignment in bits, which compares the scores of different scorings: "
                                + "`(lambda * score - ln K) / ln 2`, with the numbers that NCBI publishes for "
                                + "BLOSUM45, 50, 62, 80 and 90 and PAM30, 70 and 250. What BLAST calls BLOSUM62 "
                                + "with gap costs 11 and 1 is `blosum62 open 12 extend 1`.",
                        Optional.of("a scoring whose numbers are not known, a score below 0"),
                        new Example("bit_score(100, 'blosum62 open 12 extend 1')", "43.12818987177933")),
                new BellmanFunction<>(
                        "e_value",
                        STATISTICS,
                        List.of(new Signature<>(
                                OF_SEARCH, DoubleType, EValueUdf::new, SEARCHES, StatisticsTextbook::expected)),
                        "The number of local alignments with at least that score which a query of `query_letters` "
                                + "letters has by chance with unrelated targets of `target_letters` letters in all: "
                                + "`K * query_letters * target_letters * exp(-lambda * score)`, with the numbers of "
                                + "`bit_score`. Lengths are not corrected, so the value is larger than BLAST's.",
                        Optional.of("a scoring whose numbers are not known, a number below 0"),
                        new Example(
                                "e_value(100, 350, 1000000, 'blosum62 open 12 extend 1')", "3.640736386385883E-5")));
    }

    private static List<Signature<SequenceAlignment.Strategy>> signatures(
            DataType result, Signature.Implementation<SequenceAlignment.Strategy> implementation, Oracle oracle) {
        return List.of(
                new Signature<>(PARAMETERS, result, implementation, PAIRS, oracle),
                new Signature<>(LIMITED, result, implementation, LIMITED_PAIRS, oracle));
    }
}
