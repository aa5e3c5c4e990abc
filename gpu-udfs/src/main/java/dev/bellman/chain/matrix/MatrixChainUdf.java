package dev.bellman.chain.matrix;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskCores;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code matrix_chain(dims)}. */
public final class MatrixChainUdf extends ChainUdf<Row> {
    private static final long serialVersionUID = 1L;

    /** The result: the cost, the order as text, and its splits in preorder as {@link MatrixChain} defines them. */
    public static final StructType RESULT = new StructType()
            .add("cost", DataTypes.LongType, false)
            .add("order", DataTypes.StringType, false)
            .add("splits", DataTypes.createArrayType(DataTypes.IntegerType, false), false);

    final MatrixChain.Strategy strategy;

    public MatrixChainUdf(MatrixChain.Strategy strategy, FunctionOptions options) {
        super("matrix_chain", options);
        this.strategy = strategy;
    }

    @Override
    Row solve(long[] dims) {
        MatrixChain.Solution solution = MatrixChain.solve(dims, strategy, TaskCores.count());
        return RowFactory.create(solution.cost(), solution.order(), solution.splits());
    }

    @Override
    MatrixChainUdf with(FunctionOptions other) {
        return new MatrixChainUdf(strategy, other);
    }

    /** Hu and Shing's algorithm may find a different order. */
    @Override
    public boolean hasKernel() {
        return strategy != MatrixChain.Strategy.HU_SHING;
    }
}
