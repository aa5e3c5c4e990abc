package dev.bellman.align.score;

import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

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
    private static final Problem<SequenceAlignment.Strategy> ALIGNMENT =
            new Problem<>("alignment", SequenceAlignment.Strategy.class, SequenceAlignment.Strategy.SERIAL);

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
            new Parameter("min_score", LongType));

    private static final InstanceGenerator PAIRS = new InstanceGenerator(AlignmentInstances::pair, 12, 5_000, 2);
    private static final InstanceGenerator LIMITED_PAIRS =
            new InstanceGenerator(AlignmentInstances::limitedPair, 12, 5_000, 2);

    private static final String REJECTS =
            "an unknown mode, a scoring that is none, a letter that the matrix does not have";

    private ScoreFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                new BellmanFunction<>(
                        "alignment_score",
                        ALIGNMENT,
                        signatures(LongType, AlignmentScoreUdf::new, AlignmentTextbook::score),
                        "The score of the best alignment of `a` and `b`. The mode is `global`, `local`, `overlap` (the unaligned ends of both cost "
                                + "nothing), `fit_a_in_b` or `fit_b_in_a` (those of the other one). The scoring is a text such as "
                                + "`blosum62 open 11 extend 1` or `match 2 mismatch -3 open 5 extend 2`: a gap of `k` letters costs "
                                + "`open + (k - 1) * extend`. With `min_score`, NULL if the score is lower.",
                        Optional.of(REJECTS),
                        new Example(
                                "alignment_score('HEAGAWGHEE', 'PAWHEAE', 'local', 'blosum50 open 8 extend 8')", "28")),
                new BellmanFunction<>(
                        "alignment",
                        ALIGNMENT,
                        signatures(AlignmentUdf.RESULT, AlignmentUdf::new, AlignmentTextbook::alignment),
                        "The best alignment of `a` and `b`, as in `alignment_score`: its score; where it begins and ends in both, counted "
                                + "from 0, the end exclusive; its CIGAR; how many letters are aligned with equal ones, and how many stand against a "
                                + "gap. Of several, its end is the first in `a`, then in `b`; from there it takes the diagonal where it can, then "
                                + "consumes `a` where it can, and leaves a gap as soon as it can.",
                        Optional.of(REJECTS),
                        new Example(
                                "alignment('HEAGAWGHEE', 'PAWHEAE', 'local', 'blosum50 open 8 extend 8')",
                                "{28, 4, 9, 1, 5, 2=1I2=, 4, 1}")));
    }

    private static List<Signature<SequenceAlignment.Strategy>> signatures(
            DataType result, Signature.Implementation<SequenceAlignment.Strategy> implementation, Oracle oracle) {
        return List.of(
                new Signature<>(PARAMETERS, result, implementation, PAIRS, oracle),
                new Signature<>(LIMITED, result, implementation, LIMITED_PAIRS, oracle));
    }
}
