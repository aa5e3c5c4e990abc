package dev.bellman.chain.tree;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskCores;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code parenthesization(leaf, w)}. */
public final class ParenthesizationUdf extends CostsUdf {
    private static final long serialVersionUID = 1L;

    final Parenthesization.Strategy strategy;

    private ParenthesizationUdf(boolean doubles, Parenthesization.Strategy strategy, FunctionOptions options) {
        super("parenthesization", "leaf", "w", doubles, options);
        this.strategy = strategy;
    }

    public static ParenthesizationUdf ofLongs(Parenthesization.Strategy strategy, FunctionOptions options) {
        return new ParenthesizationUdf(false, strategy, options);
    }

    public static ParenthesizationUdf ofDoubles(Parenthesization.Strategy strategy, FunctionOptions options) {
        return new ParenthesizationUdf(true, strategy, options);
    }

    /**
     * The result for lists of a type: the cost in it, and the splits in preorder as
     * {@link dev.bellman.chain.ChainSolver} defines them.
     */
    public static StructType result(DataType element) {
        return new StructType()
                .add("cost", element, false)
                .add("splits", DataTypes.createArrayType(DataTypes.IntegerType, false), false);
    }

    @Override
    Object solve(long[] leaf, long[] w) {
        Parenthesization.LongSolution solution = Parenthesization.solve(leaf, w, strategy, TaskCores.count());
        return RowFactory.create(solution.cost(), solution.splits());
    }

    @Override
    Object solve(double[] leaf, double[] w) {
        Parenthesization.DoubleSolution solution = Parenthesization.solve(leaf, w, strategy, TaskCores.count());
        return RowFactory.create(solution.cost(), solution.splits());
    }

    @Override
    int leaves(int leaf, int w) {
        return leaf;
    }

    @Override
    ParenthesizationUdf with(FunctionOptions other) {
        return new ParenthesizationUdf(doubles, strategy, other);
    }
}
