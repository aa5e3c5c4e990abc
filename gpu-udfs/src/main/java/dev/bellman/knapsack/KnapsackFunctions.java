package dev.bellman.knapsack;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Oracle;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.knapsack.Knapsack.Strategy;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The functions of this family. */
public final class KnapsackFunctions {
    private static final int SMALL = 12;
    private static final int LARGE = 300;

    private static final DataType NUMBERS = DataTypes.createArrayType(DataTypes.LongType);
    private static final DataType CLASSES = DataTypes.createArrayType(NUMBERS);

    private static final Problem<Strategy> KNAPSACK = problem("knapsack");

    private static final String REJECTS = "an entry that is NULL or negative; a negative `capacity`";
    private static final String LENGTHS = "; lists of different lengths";
    private static final String OVERFLOW = "; a value beyond 64 bits";

    private KnapsackFunctions() {}

    private static Problem<Strategy> problem(String name) {
        return new Problem<>(name, Strategy.class, Strategy.SERIAL);
    }

    public static List<BellmanFunction<?>> list() {
        return List.of(knapsack(), bounded(), subsetSum(), multipleChoice());
    }

    private static List<Signature<Strategy>> signatures(
            List<String> lists,
            DataType list,
            DataType result,
            Signature.Implementation<Strategy> implementation,
            InstanceGenerator.Draw draw,
            Oracle oracle) {
        List<Parameter> parameters = Stream.concat(
                        lists.stream().map(name -> new Parameter(name, list)),
                        Stream.of(new Parameter("capacity", DataTypes.LongType)))
                .toList();
        return List.of(new Signature<>(
                parameters, result, implementation, new InstanceGenerator(draw, SMALL, LARGE, 2), oracle));
    }

    private static BellmanFunction<Strategy> knapsack() {
        return new BellmanFunction<>(
                "knapsack",
                KNAPSACK,
                signatures(
                        List.of("weights", "values"),
                        NUMBERS,
                        KnapsackSolvers.ITEMS,
                        KnapsackSolvers::knapsack,
                        KnapsackInstances::items,
                        KnapsackTextbook::knapsack),
                "The most valuable items whose weights sum up to at most `capacity`: the 0/1 knapsack problem. `items` "
                        + "are their places in the lists, counted from 0. Of several solutions, the one without the "
                        + "last item, if there is one; then without the item before it, and so on.",
                Optional.of(REJECTS + LENGTHS + OVERFLOW),
                new Example("knapsack(array(3, 4, 5, 2), array(4, 5, 7, 3), 9)", "{12, [1, 2]}"));
    }

    private static BellmanFunction<Strategy> bounded() {
        return new BellmanFunction<>(
                "bounded_knapsack",
                KNAPSACK,
                signatures(
                        List.of("weights", "values", "counts"),
                        NUMBERS,
                        KnapsackSolvers.COUNTS,
                        KnapsackSolvers::bounded,
                        KnapsackInstances::counts,
                        KnapsackTextbook::bounded),
                "`knapsack` with up to so many copies of each item as `counts` says. The result has the number of "
                        + "copies of each. Of several solutions, the one with the fewest copies of the last item; "
                        + "then of the item before it, and so on.",
                Optional.of(REJECTS + LENGTHS + OVERFLOW),
                new Example("bounded_knapsack(array(3, 4, 5), array(4, 5, 7), array(2, 1, 5), 14)", "{19, [0, 1, 2]}"));
    }

    private static BellmanFunction<Strategy> subsetSum() {
        return new BellmanFunction<>(
                "subset_sum",
                problem("subset_sum"),
                signatures(
                        List.of("weights"),
                        NUMBERS,
                        KnapsackSolvers.SUM,
                        KnapsackSolvers::subsetSum,
                        KnapsackInstances::weights,
                        KnapsackTextbook::subsetSum),
                "The items whose weights have the largest sum of at most `capacity`, by their places in the list, "
                        + "counted from 0. Ties are as in `knapsack`.",
                Optional.of(REJECTS),
                new Example("subset_sum(array(8, 6, 7, 5, 3), 16)", "{16, [1, 2, 4]}"));
    }

    private static BellmanFunction<Strategy> multipleChoice() {
        return new BellmanFunction<>(
                "multiple_choice_knapsack",
                KNAPSACK,
                signatures(
                        List.of("weights", "values"),
                        CLASSES,
                        KnapsackSolvers.CHOICES,
                        KnapsackSolvers::multipleChoice,
                        KnapsackInstances::classes,
                        KnapsackTextbook::multipleChoice),
                "The most valuable choice of one option of each class, whose weights sum up to at most `capacity`. "
                        + "An array for each class has the weights of its options, another one the values. The result "
                        + "has the place of the option of each class, counted from 0. Of several solutions, the one "
                        + "with the first possible option of the last class; then of the class before it, and so on.",
                Optional.of(REJECTS + LENGTHS + "; a class without options; no choice that fits" + OVERFLOW),
                new Example(
                        "multiple_choice_knapsack(array(array(1, 3), array(2, 4)), array(array(5, 9), array(4, 8)), 6)",
                        "{13, [1, 0]}"));
    }
}
