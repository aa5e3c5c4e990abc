package dev.bellman.align.gap;

import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataTypes;

/** The functions of this family. */
public final class GapFunctions {
    private static final Problem<GapAlignment.Strategy> GAP_ALIGNMENT =
            new Problem<>("gap_alignment", GapAlignment.Strategy.class, GapAlignment.Strategy.SERIAL);

    /** The problem of one pair of long sequences, whose table is computed in tiles: a job solves it, not a function. */
    public static final Problem<GapAlignment.Strategy> ONE_PAIR =
            new Problem<>("general_gap_alignment", GapAlignment.Strategy.class, GapAlignment.Strategy.SERIAL);

    private static final String NOT_ALLOWED =
            "fewer costs than a sequence has letters; a cost that is NULL or below 0; a score or cost of at least "
                    + "2^60 divided by the letters of both sequences, which could overflow 64 bits; costs that the "
                    + "strategy does not support";

    private GapFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(new BellmanFunction<>(
                "gap_alignment",
                GAP_ALIGNMENT,
                List.of(
                        new Signature<>(
                                parameters("gap_costs"),
                                GapAlignmentUdf.RESULT,
                                GapAlignmentUdf::new,
                                new InstanceGenerator(GapInstances::shared, 10, 300, 3),
                                GapTextbook::solve),
                        new Signature<>(
                                parameters("a_gap_costs", "b_gap_costs"),
                                GapAlignmentUdf.RESULT,
                                GapAlignmentUdf::new,
                                new InstanceGenerator(GapInstances::separate, 10, 300, 3),
                                GapTextbook::solve)),
                "The best global alignment of two sequences with arbitrary gap costs. Two equal letters score "
                        + "`match`, two different ones `mismatch`, usually negative; a gap of `k` letters costs "
                        + "`gap_costs[k - 1]`. One array serves both sequences, or each has its own; it needs a "
                        + "cost for every length up to the length of the sequence. Gaps are maximal: no two gaps in "
                        + "one sequence are adjacent. In the CIGAR, `=` and `X` are pairs of equal and of different "
                        + "letters, `I` letters of `a` and `D` letters of `b`. Of several optimal alignments, the "
                        + "one whose columns, read from the end, come first in the order pair, letter of `a`, "
                        + "letter of `b`. Affine costs (each letter after the first adds the same) and concave "
                        + "costs (none adds more than the one before) are faster; `auto` detects them.",
                Optional.of(NOT_ALLOWED),
                new Example("gap_alignment('GATTACA', 'GACA', 2, -3, array(4, 5, 5, 6, 6, 6, 6))", "{3, 1=3I3=}"),
                GapTextbook.TRAITS));
    }

    private static List<Parameter> parameters(String... costs) {
        return Stream.concat(
                        Stream.of(
                                new Parameter("a", StringType),
                                new Parameter("b", StringType),
                                new Parameter("match", LongType),
                                new Parameter("mismatch", LongType)),
                        Stream.of(costs).map(name -> new Parameter(name, DataTypes.createArrayType(LongType))))
                .toList();
    }
}
