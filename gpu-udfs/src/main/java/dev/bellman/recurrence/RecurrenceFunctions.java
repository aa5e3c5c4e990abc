package dev.bellman.recurrence;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.Solver;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.recurrence.SimplifiedDp.Strategy;
import dev.bellman.recurrence.instance.Element;
import dev.bellman.recurrence.instance.Operator;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Defines the recurrence functions. Each function takes elements of type BIGINT or DOUBLE. */
public final class RecurrenceFunctions {
    private static final Problem<Strategy> S_DP = new Problem<>("s_dp", Strategy.class, Strategy.SEQUENTIAL);

    private static final String NEGATIVE_LENGTH = "a negative `length`";

    @FunctionalInterface
    private interface ElementSolver extends Serializable {
        Object solve(Element element, Strategy strategy, FunctionOptions options, Arguments arguments);
    }

    private RecurrenceFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(sDp(), sDpLast(), sDpWeighted());
    }

    private static final String NOT_BOOLEAN = "; an entry of `initial` other than 0 and 1 with `bool_and` or `bool_or`";

    private static String rejects(String length) {
        return "an entry that is NULL; `offsets` that are empty, not decreasing, not positive or larger than the "
                + "number of entries in `initial`; an unknown `operator`; " + length + "; an element beyond the range "
                + "of BIGINT";
    }

    private static BellmanFunction<?> sDp() {
        return Entry.of("s_dp", S_DP)
                .signature(recurrence(LongType), elements(LongType), solver(Element.LONG, RecurrenceRow::table))
                .signature(recurrence(DoubleType), elements(DoubleType), solver(Element.DOUBLE, RecurrenceRow::table))
                .kernels(Strategy.values())
                .description("Extends `initial` to `length` elements by a recurrence. Each new element `i` combines "
                        + "the elements `i - offset` with `operator`, in the order of the offsets, which must be "
                        + "decreasing. `operator` is `min`, `max`, `sum`, `first` or `last` (the element with the "
                        + "first or last offset); for BIGINT also `sum mod M` (all elements are from 0 to `M - 1`), "
                        + "`bit_and`, `bit_or`, `bit_xor`, `bool_and` or `bool_or`. If `length` is less than the "
                        + "size of `initial`, returns only the first `length` elements. The example counts the ways to "
                        + "pay each amount from 0 to 7 with coins worth 1 and 2, where order matters; the counts are "
                        + "the Fibonacci numbers.")
                .rejects(rejects(NEGATIVE_LENGTH) + NOT_BOOLEAN)
                .example("s_dp(array(1, 1), array(2, 1), 8, 'sum')", "[1, 1, 2, 3, 5, 8, 13, 21]")
                .function();
    }

    private static BellmanFunction<?> sDpLast() {
        return Entry.of("s_dp_last", S_DP)
                .signature(recurrence(LongType), LongType, solver(Element.LONG, RecurrenceRow::last))
                .signature(recurrence(DoubleType), DoubleType, solver(Element.DOUBLE, RecurrenceRow::last))
                .kernels(Strategy.values())
                .description("Returns the last element of `s_dp`. The example is the 201st Fibonacci number modulo a "
                        + "prime.")
                .rejects(rejects("a `length` below 1") + NOT_BOOLEAN)
                .example("s_dp_last(array(0, 1), array(2, 1), 202, 'sum mod 1000000007')", "529309711")
                .function();
    }

    private static BellmanFunction<?> sDpWeighted() {
        return Entry.of("s_dp_weighted", S_DP)
                .signature(
                        weightedRecurrence(LongType), elements(LongType), solver(Element.LONG, RecurrenceRow::weighted))
                .signature(
                        weightedRecurrence(DoubleType),
                        elements(DoubleType),
                        solver(Element.DOUBLE, RecurrenceRow::weighted))
                .kernels(Strategy.values())
                .description("Like `s_dp`, but adds a weight to each element before combining the elements. `weights` "
                        + "contains one weight per offset; `operator` is `min` or `max`. For coin change, the offsets "
                        + "are the coin values, and each weight is 1. `initial` consists of large numbers, which "
                        + "represent negative amounts, and ends with 0, which represents the amount 0. The example "
                        + "finds the minimum number of coins worth 4, 3 and 1 that pay each amount from 0 to 6. For "
                        + "the unbounded knapsack, the offsets are item sizes, the weights are item values, and "
                        + "`operator` is `max`.")
                .rejects(rejects(NEGATIVE_LENGTH) + "; `weights` that do not have exactly one entry for each offset")
                .example(
                        "slice(s_dp_weighted(array(99, 99, 99, 0), array(4, 3, 1), array(1, 1, 1), 10, 'min'), 4, 7)",
                        "[0, 1, 2, 1, 1, 2, 2]")
                .function();
    }

    private static Solver<Strategy> solver(Element element, ElementSolver solver) {
        return (strategy, options, arguments) -> solver.solve(element, strategy, options, arguments);
    }

    private static ArrayType elements(DataType element) {
        return DataTypes.createArrayType(element, false);
    }

    private static List<Parameter> recurrence(DataType element) {
        return List.of(
                new Parameter("initial", DataTypes.createArrayType(element)),
                new Parameter("offsets", DataTypes.createArrayType(IntegerType)),
                new Parameter("length", IntegerType),
                operator(element, false));
    }

    private static List<Parameter> weightedRecurrence(DataType element) {
        return List.of(
                new Parameter("initial", DataTypes.createArrayType(element)),
                new Parameter("offsets", DataTypes.createArrayType(IntegerType)),
                new Parameter("weights", DataTypes.createArrayType(element)),
                new Parameter("length", IntegerType),
                operator(element, true));
    }

    private static Parameter operator(DataType element, boolean weighted) {
        Element elements = element.equals(LongType) ? Element.LONG : Element.DOUBLE;
        return new Parameter("operator", StringType, (function, value) -> {
            if (Operator.of(value.toString(), elements, weighted).isEmpty()) {
                throw BellmanException.inSetting(function, Operator.wrong(value.toString(), elements, weighted));
            }
        });
    }
}
