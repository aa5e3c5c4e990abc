package dev.bellman.knapsack;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.LongType;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.knapsack.Knapsack.Strategy;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Defines the knapsack functions. */
public final class KnapsackFunctions {
    private static final DataType NUMBERS = DataTypes.createArrayType(LongType);
    private static final DataType CLASSES = DataTypes.createArrayType(NUMBERS);
    private static final DataType REALS = DataTypes.createArrayType(DoubleType);
    private static final DataType REAL_CLASSES = DataTypes.createArrayType(REALS);
    private static final Parameter CAPACITY = new Parameter("capacity", LongType);

    private static final Problem<Strategy> KNAPSACK = problem("knapsack");

    private static final String REJECTS = "an entry that is NULL or negative; a negative `capacity`";
    private static final String LENGTHS = "; lists of different lengths";
    private static final String REAL = "; a DOUBLE in `values` that is NaN or beyond 1e100";
    private static final String OVERFLOW = "; for BIGINT values, a total value above 2^63 - 1";

    private KnapsackFunctions() {}

    private static Problem<Strategy> problem(String name) {
        return new Problem<>(name, Strategy.class, Strategy.SERIAL);
    }

    public static List<BellmanFunction<?>> list() {
        return List.of(knapsack(), boundedKnapsack(), subsetSum(), multipleChoiceKnapsack());
    }

    private static BellmanFunction<?> knapsack() {
        return Entry.of("knapsack", KNAPSACK)
                .signature(
                        List.of(new Parameter("weights", NUMBERS), new Parameter("values", NUMBERS), CAPACITY),
                        KnapsackSolvers.ITEMS,
                        KnapsackSolvers::knapsack)
                .signature(
                        List.of(new Parameter("weights", NUMBERS), new Parameter("values", REALS), CAPACITY),
                        KnapsackSolvers.REAL_ITEMS,
                        KnapsackSolvers::realKnapsack)
                .kernels(Strategy.AUTO)
                .description("Returns the most valuable items whose weights sum to at most `capacity`: the 0/1 "
                        + "knapsack problem. `items` lists the 0-based positions of these items. Ties: the solution "
                        + "without the last item, if possible, then without the item before it, and so on. DOUBLE "
                        + "values are added in the order of the items.")
                .rejects(REJECTS + LENGTHS + REAL + OVERFLOW)
                .example("knapsack(array(3, 4, 5, 2), array(4, 5, 7, 3), 9)", "{12, [1, 2]}")
                .function();
    }

    private static BellmanFunction<?> boundedKnapsack() {
        return Entry.of("bounded_knapsack", KNAPSACK)
                .signature(
                        List.of(
                                new Parameter("weights", NUMBERS),
                                new Parameter("values", NUMBERS),
                                new Parameter("counts", NUMBERS),
                                CAPACITY),
                        KnapsackSolvers.COUNTS,
                        KnapsackSolvers::bounded)
                .signature(
                        List.of(
                                new Parameter("weights", NUMBERS),
                                new Parameter("values", REALS),
                                new Parameter("counts", NUMBERS),
                                CAPACITY),
                        KnapsackSolvers.REAL_COUNTS,
                        KnapsackSolvers::realBounded)
                .kernels(Strategy.AUTO)
                .description("Like `knapsack`, but item `i` may be used up to `counts[i]` times. The result contains "
                        + "the number of copies of each item. Ties: the fewest copies of the last item, then of the "
                        + "item before it, and so on. If `values` is DOUBLE, the function divides the copies of each "
                        + "item that fit into `capacity` into groups of 1, 2, 4, ... copies and a last group of the "
                        + "remaining copies, and runs `knapsack` with each group as one item. This determines the "
                        + "order of additions; ties are broken as in `knapsack` with these groups, instead of by the "
                        + "rule above.")
                .rejects(REJECTS + LENGTHS + REAL + OVERFLOW)
                .example("bounded_knapsack(array(3, 4, 5), array(4, 5, 7), array(2, 1, 5), 14)", "{19, [0, 1, 2]}")
                .function();
    }

    private static BellmanFunction<?> subsetSum() {
        return Entry.of("subset_sum", problem("subset_sum"))
                .signature(
                        List.of(new Parameter("weights", NUMBERS), CAPACITY),
                        KnapsackSolvers.SUM,
                        KnapsackSolvers::subsetSum)
                .kernels(Strategy.AUTO)
                .description("Returns the largest sum of weights that does not exceed `capacity`, and the 0-based "
                        + "positions of the items that have this sum. Ties are broken as in `knapsack`.")
                .rejects(REJECTS)
                .example("subset_sum(array(8, 6, 7, 5, 3), 16)", "{16, [1, 2, 4]}")
                .function();
    }

    private static BellmanFunction<?> multipleChoiceKnapsack() {
        return Entry.of("multiple_choice_knapsack", KNAPSACK)
                .signature(
                        List.of(new Parameter("weights", CLASSES), new Parameter("values", CLASSES), CAPACITY),
                        KnapsackSolvers.CHOICES,
                        KnapsackSolvers::multipleChoice)
                .signature(
                        List.of(new Parameter("weights", CLASSES), new Parameter("values", REAL_CLASSES), CAPACITY),
                        KnapsackSolvers.REAL_CHOICES,
                        KnapsackSolvers::realMultipleChoice)
                .kernels(Strategy.AUTO)
                .description("Returns the most valuable choice of one option from each class, with a total weight of "
                        + "at most `capacity`. For each class, `weights` contains an array with the weights of its "
                        + "options, and `values` an array with their values. The result contains the 0-based position "
                        + "of the chosen option in each class. Ties: the first possible option of the last class, then "
                        + "of the class before it, and so on. DOUBLE values are added in the order of the classes.")
                .rejects(REJECTS + LENGTHS + "; a class without options; a `capacity` that every choice exceeds" + REAL
                        + OVERFLOW)
                .example(
                        "multiple_choice_knapsack(array(array(1, 3), array(2, 4)), array(array(5, 9), array(4, 8)), 6)",
                        "{13, [1, 0]}")
                .function();
    }
}
