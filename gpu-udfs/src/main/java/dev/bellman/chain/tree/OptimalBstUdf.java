package dev.bellman.chain.tree;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskCores;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code optimal_bst(p, q)}. */
public final class OptimalBstUdf extends CostsUdf {
    private static final long serialVersionUID = 1L;

    final OptimalBst.Strategy strategy;

    private OptimalBstUdf(boolean doubles, OptimalBst.Strategy strategy, FunctionOptions options) {
        super("optimal_bst", "p", "q", doubles, options);
        this.strategy = strategy;
    }

    public static OptimalBstUdf ofLongs(OptimalBst.Strategy strategy, FunctionOptions options) {
        return new OptimalBstUdf(false, strategy, options);
    }

    public static OptimalBstUdf ofDoubles(OptimalBst.Strategy strategy, FunctionOptions options) {
        return new OptimalBstUdf(true, strategy, options);
    }

    /** The result for lists of a type: the cost in it, and the roots in preorder as {@link OptimalBst} defines them. */
    public static StructType result(DataType element) {
        return new StructType()
                .add("cost", element, false)
                .add("roots", DataTypes.createArrayType(DataTypes.IntegerType, false), false);
    }

    @Override
    Object solve(long[] p, long[] q) {
        OptimalBst.LongSolution solution = OptimalBst.solve(p, q, strategy, TaskCores.count());
        return RowFactory.create(solution.cost(), solution.roots());
    }

    @Override
    Object solve(double[] p, double[] q) {
        OptimalBst.DoubleSolution solution = OptimalBst.solve(p, q, strategy, TaskCores.count());
        return RowFactory.create(solution.cost(), solution.roots());
    }

    @Override
    int leaves(int p, int q) {
        return q;
    }

    @Override
    OptimalBstUdf with(FunctionOptions other) {
        return new OptimalBstUdf(doubles, strategy, other);
    }
}
