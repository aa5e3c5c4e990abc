package dev.bellman.align.gap;

import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.align.Text;
import dev.bellman.align.gap.GapAlignment.Strategy;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.TaskCores;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Defines the gap alignment functions. */
public final class GapFunctions {
    private static final Problem<Strategy> GAP_ALIGNMENT =
            new Problem<>("gap_alignment", Strategy.class, Strategy.SERIAL);

    /**
     * The problem of aligning one pair of long sequences, whose table is computed in tiles. A job, not a function,
     * solves this problem.
     */
    public static final Problem<Strategy> ONE_PAIR =
            new Problem<>("general_gap_alignment", Strategy.class, Strategy.SERIAL);

    private static final StructType RESULT =
            new StructType().add("score", DataTypes.LongType, false).add("cigar", DataTypes.StringType, false);

    private GapFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(gapAlignment());
    }

    /**
     * Returns the function. The first overload has one array of costs for both sequences; the second has one array for
     * each.
     */
    public static BellmanFunction<Strategy> gapAlignment() {
        return Entry.of("gap_alignment", GAP_ALIGNMENT)
                .signature(parameters("gap_costs"), RESULT, (strategy, options, arguments) -> {
                    long[] costs = costs("gap_costs", arguments.array(4));
                    GapScores scores = GapScores.shared(arguments.bigint(2), arguments.bigint(3), costs);
                    return solve(strategy, options, arguments, scores);
                })
                .signature(parameters("a_gap_costs", "b_gap_costs"), RESULT, (strategy, options, arguments) -> {
                    long[] aCosts = costs("a_gap_costs", arguments.array(4));
                    long[] bCosts = costs("b_gap_costs", arguments.array(5));
                    GapScores scores = new GapScores(arguments.bigint(2), arguments.bigint(3), aCosts, bCosts);
                    return solve(strategy, options, arguments, scores);
                })
                .kernels(Strategy.AUTO, Strategy.R_WAY, Strategy.BLOCKED, Strategy.AFFINE, Strategy.CONCAVE)
                .description("Returns the best global alignment of two sequences with arbitrary gap costs. Equal "
                        + "letters score `match`, and different letters score `mismatch`, which is usually negative. "
                        + "A gap of `k` letters costs `gap_costs[k - 1]`. Pass one array for both sequences or one "
                        + "for each; an array needs a cost for every gap length up to the length of its sequence. "
                        + "Gaps are maximal: no two gaps in one sequence are adjacent. In the CIGAR, `=` is a pair of "
                        + "equal letters, `X` a pair of different letters, `I` a letter of `a`, and `D` a letter of "
                        + "`b`. Ties are broken while tracing back from the ends of both sequences: a pair is "
                        + "preferred to a letter of `a`, and a letter of `a` to a letter of `b`. Affine costs (each "
                        + "letter after the first adds the same amount) and concave costs (no letter adds more than "
                        + "the previous one) are faster; `auto` detects them.")
                .rejects("a cost array that is shorter than its sequence; a cost that is NULL or negative; a score or "
                        + "cost of at least 2^60 divided by the total number of letters, which could overflow 64 "
                        + "bits; costs that the strategy does not support")
                .example("gap_alignment('GATTACA', 'GACA', 2, -3, array(4, 5, 5, 6, 6, 6, 6))", "{3, 1=3I3=}")
                .function();
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

    private static Row solve(Strategy strategy, FunctionOptions options, Arguments arguments, GapScores scores) {
        Text a = Text.of(arguments.string(0));
        Text b = Text.of(arguments.string(1));
        GapAlignment.Solution solution = GapAlignment.solve(a, b, scores, strategy, TaskCores.count());
        options.cells().add((long) a.length() * b.length());
        if (strategy == Strategy.AUTO) {
            GapScores.Shape shape = scores.shape(a.length(), b.length());
            options.cells().chose(Strategies.name(GapAlignment.choose(shape, strategy)), 1);
        }
        return RowFactory.create(solution.score(), solution.cigar());
    }

    private static long[] costs(String name, ArrayData costs) {
        TaskMemory.takeArgument("gap_alignment", name, costs.numElements());
        for (int i = 0; i < costs.numElements(); i++) {
            if (costs.isNullAt(i)) {
                throw GapErrorContext.FUNCTION.invalid(
                        "entry %d of %s (counted from 1) is NULL; it must be a number".formatted(i + 1, name));
            }
        }
        return costs.toLongArray();
    }
}
