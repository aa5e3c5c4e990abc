package dev.bellman.recurrence;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.recurrence.instance.Element;
import dev.bellman.recurrence.instance.Operator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The functions of this family. */
public final class RecurrenceFunctions {
    private static final Problem<SimplifiedDp.Strategy> S_DP =
            new Problem<>("s_dp", SimplifiedDp.Strategy.class, SimplifiedDp.Strategy.SEQUENTIAL);

    private static final String NO_RECURRENCE =
            "an entry that is NULL; `offsets` that are empty, not decreasing, not positive or "
                    + "beyond the entries of `initial`; an unknown `op`; a negative `n`; a value beyond 64 bits";

    /** With tens of thousands of offsets, for which the whole GPU folds, searches or divides series. */
    private static final int LARGE = 120_000;

    private static final int SMALL = 40;
    private static final InstanceGenerator LONGS = new InstanceGenerator(RecurrenceInstances::longs, SMALL, LARGE, 2);
    private static final InstanceGenerator DOUBLES =
            new InstanceGenerator(RecurrenceInstances::doubles, SMALL, LARGE, 2);
    private static final InstanceGenerator WEIGHTED_LONGS =
            new InstanceGenerator(RecurrenceInstances::weightedLongs, SMALL, LARGE, 2);
    private static final InstanceGenerator WEIGHTED_DOUBLES =
            new InstanceGenerator(RecurrenceInstances::weightedDoubles, SMALL, LARGE, 2);

    private RecurrenceFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(sDp(), sDpLast(), sDpWeighted());
    }

    private static BellmanFunction<?> sDp() {
        return new BellmanFunction<>(
                "s_dp",
                S_DP,
                List.of(
                        new Signature<>(
                                recurrence(LongType),
                                elements(LongType),
                                SimplifiedDpUdf::ofLongs,
                                LONGS,
                                RecurrenceTextbook::ofLongs),
                        new Signature<>(
                                recurrence(DoubleType),
                                elements(DoubleType),
                                SimplifiedDpUdf::ofDoubles,
                                DOUBLES,
                                RecurrenceTextbook::ofDoubles)),
                "Continues `initial` to `n` elements: element `i` combines the elements `i - offset` with "
                        + "`op`, in the order of the offsets, which must decrease. `op` is `min`, `max`, "
                        + "`sum`, `first` or `last`, and for BIGINT also `sum mod M`, `bit_and`, `bit_or`, "
                        + "`bit_xor`, `bool_and` or `bool_or`. The example counts the ways to pay 0 to 7 "
                        + "with coins of 1 and 2 if order matters: the Fibonacci numbers.",
                Optional.of(NO_RECURRENCE),
                new Example("s_dp(array(1, 1), array(2, 1), 8, 'sum')", "[1, 1, 2, 3, 5, 8, 13, 21]"),
                RecurrenceTextbook.TRAITS);
    }

    private static BellmanFunction<?> sDpLast() {
        return new BellmanFunction<>(
                "s_dp_last",
                S_DP,
                List.of(
                        new Signature<>(
                                recurrence(LongType),
                                LongType,
                                SimplifiedDpLastUdf::ofLongs,
                                LONGS,
                                RecurrenceTextbook::lastOfLongs),
                        new Signature<>(
                                recurrence(DoubleType),
                                DoubleType,
                                SimplifiedDpLastUdf::ofDoubles,
                                DOUBLES,
                                RecurrenceTextbook::lastOfDoubles)),
                "The last element of `s_dp`. The example is the 201st Fibonacci number modulo a prime.",
                Optional.of(NO_RECURRENCE + "; an `n` of 0"),
                new Example("s_dp_last(array(0, 1), array(2, 1), 202, 'sum mod 1000000007')", "529309711"),
                RecurrenceTextbook.TRAITS);
    }

    private static BellmanFunction<?> sDpWeighted() {
        return new BellmanFunction<>(
                "s_dp_weighted",
                S_DP,
                List.of(
                        new Signature<>(
                                weightedRecurrence(LongType),
                                elements(LongType),
                                SimplifiedDpWeightedUdf::ofLongs,
                                WEIGHTED_LONGS,
                                RecurrenceTextbook::weightedOfLongs),
                        new Signature<>(
                                weightedRecurrence(DoubleType),
                                elements(DoubleType),
                                SimplifiedDpWeightedUdf::ofDoubles,
                                WEIGHTED_DOUBLES,
                                RecurrenceTextbook::weightedOfDoubles)),
                "`s_dp` with a weight for each offset, which is added to the element there; `op` is `min` "
                        + "or `max`. For coin change, offsets are the coins, each of weight 1, and "
                        + "`initial` is 0 for the amount 0, preceded by a large number for each negative "
                        + "amount; the example finds the fewest coins of 4, 3 and 1 for 0 to 6. For word "
                        + "break, offsets are word lengths. For the unbounded knapsack, offsets are the "
                        + "sizes of the items, weights their values, and `op` is `max`.",
                Optional.of(NO_RECURRENCE + "; `weights` without exactly one entry for each offset"),
                new Example(
                        "slice(s_dp_weighted(array(99, 99, 99, 0), array(4, 3, 1), array(1, 1, 1), 10, "
                                + "'min'), 4, 7)",
                        "[0, 1, 2, 1, 1, 2, 2]"),
                RecurrenceTextbook.TRAITS);
    }

    private static ArrayType elements(DataType element) {
        return DataTypes.createArrayType(element, false);
    }

    private static List<Parameter> recurrence(DataType element) {
        return List.of(
                new Parameter("initial", DataTypes.createArrayType(element)),
                new Parameter("offsets", DataTypes.createArrayType(IntegerType)),
                new Parameter("n", IntegerType),
                operator(element, false));
    }

    private static List<Parameter> weightedRecurrence(DataType element) {
        return List.of(
                new Parameter("initial", DataTypes.createArrayType(element)),
                new Parameter("offsets", DataTypes.createArrayType(IntegerType)),
                new Parameter("weights", DataTypes.createArrayType(element)),
                new Parameter("n", IntegerType),
                operator(element, true));
    }

    private static Parameter operator(DataType element, boolean weighted) {
        Element elements = element.equals(LongType) ? Element.LONG : Element.DOUBLE;
        return new Parameter("op", StringType, (function, value) -> {
            if (Operator.of(value.toString(), elements, weighted).isEmpty()) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_VALUE,
                        "%s: %s".formatted(function, Operator.wrong(value.toString(), elements, weighted)));
            }
        });
    }
}
