package dev.bellman.order;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.AnyUdf;
import dev.bellman.columns.SolverUdf;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.entry.Values;
import dev.bellman.order.JoinOrder.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The function of this family. */
public final class JoinFunctions {
    /** For each reason, one row in about this many is rejected. */
    private static final int REJECTED = 300;

    private static final DataType NUMBERS = DataTypes.createArrayType(DataTypes.DoubleType);
    private static final StructType EDGE = new StructType()
            .add("source", DataTypes.IntegerType)
            .add("target", DataTypes.IntegerType)
            .add("selectivity", DataTypes.DoubleType);
    private static final StructType RESULT =
            new StructType().add("cost", DataTypes.DoubleType, false).add("tree", DataTypes.StringType, false);

    private JoinFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(new BellmanFunction<>(
                "join_order",
                new Problem<>("join_order", Strategy.class, Strategy.SERIAL),
                List.of(new Signature<>(
                        List.of(
                                new Parameter("cardinalities", NUMBERS),
                                new Parameter("edges", DataTypes.createArrayType(EDGE))),
                        RESULT,
                        JoinFunctions::udf,
                        new InstanceGenerator(JoinFunctions::instance, 7, 11, 4),
                        JoinOrderTextbook::solve)),
                "The cheapest order to join up to 20 relations, bushy trees included, without cross products. "
                        + "`cardinalities` has the rows of each relation; an edge has two relations, counted from 0, "
                        + "and the selectivity of the predicate between them. `cost` is the sum of the rows of all "
                        + "joins, each the product of cardinalities and selectivities; `tree` has each join in "
                        + "brackets, the part with its least relation first. Of several trees, the one whose first "
                        + "part is least at each join, compared by its greatest relations.",
                Optional.of("an entry that is NULL, or not a finite number above 0; an edge to no other relation; a "
                        + "selectivity above 1; no relations; relations without edges that connect them; a cost "
                        + "beyond the range of DOUBLE"),
                new Example(
                        "join_order(array(1000, 10, 500), array(named_struct('source', 0, 'target', 1, 'selectivity', "
                                + "0.01), named_struct('source', 1, 'target', 2, 'selectivity', 0.5)))",
                        "{25100.0, ((0 1) 2)}")));
    }

    private static AnyUdf udf(Strategy strategy, FunctionOptions options) {
        return new SolverUdf<>(JoinFunctions::solve, strategy, strategy == Strategy.AUTO, options);
    }

    private static Row solve(Strategy strategy, FunctionOptions options, Object... arguments) {
        JoinGraph graph = JoinGraph.of((ArrayData) arguments[0], (ArrayData) arguments[1]);
        options.cells().add(1L << graph.relations());
        JoinOrder.Tree tree = JoinOrder.solve(graph, strategy);
        return RowFactory.create(tree.cost(), tree.text());
    }

    /** Chains, stars, cycles and others, with costs that tie, of ordinary size and beyond the range. */
    private static InternalRow instance(SplittableRandom random, int size) {
        int n = random.nextInt(REJECTED) == 0
                ? 0
                : Math.max(1, Values.size(random, Math.min(size, JoinGraph.MAX_RELATIONS)));
        int kind = random.nextInt(4);
        double[] cardinalities = new double[n];
        int magnitude = random.nextInt(20) == 0 ? 300 : 1 + random.nextInt(6);
        for (int r = 0; r < n; r++) {
            cardinalities[r] = kind == 0 ? 10 : Math.rint(Math.pow(10, magnitude * random.nextDouble()));
        }
        if (n > 0 && random.nextInt(REJECTED) == 0) {
            cardinalities[random.nextInt(n)] = Values.oneOf(random, 0.0, -1.0, Double.NaN, Double.POSITIVE_INFINITY);
        }
        List<Object> edges = new ArrayList<>();
        boolean isConnected = random.nextInt(REJECTED) > 0;
        int shape = random.nextInt(4);
        for (int r = 1; r < n && isConnected; r++) {
            int other = shape == 0 ? r - 1 : shape == 1 ? 0 : random.nextInt(r);
            edges.add(random.nextBoolean() ? edge(random, r, other) : edge(random, other, r));
        }
        int more = n < 2 ? 0 : shape == 3 ? random.nextInt(n * n) : random.nextInt(3);
        for (int e = 0; e < more; e++) {
            int a = random.nextInt(n);
            edges.add(edge(random, a, (a + 1 + random.nextInt(n - 1)) % n));
        }
        if (!edges.isEmpty()) {
            int at = random.nextInt(edges.size());
            switch (random.nextInt(REJECTED)) {
                case 0 -> edges.set(at, null);
                case 1 -> edges.set(at, Values.row(0, n, 0.5));
                case 2 -> edges.set(at, Values.row(0, 0, 0.5));
                case 3 -> edges.set(at, Values.row(0, null, 0.5));
                case 4 -> edges.set(at, Values.row(0, n - 1, Values.oneOf(random, 0.0, 1.5, Double.NaN)));
                default -> {}
            }
        }
        return Values.row(
                Values.sometimesNull(random, Values.array(cardinalities), DataTypes.DoubleType),
                Values.sometimesNull(random, Values.arrayOf(edges.toArray())));
    }

    private static InternalRow edge(SplittableRandom random, int source, int target) {
        return Values.row(source, target, Values.oneOf(random, 1.0, 0.5, 0.1, 0.001, 1 - random.nextDouble()));
    }
}
