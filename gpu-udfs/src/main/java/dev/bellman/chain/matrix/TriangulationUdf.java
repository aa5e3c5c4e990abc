package dev.bellman.chain.matrix;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskCores;
import java.util.Arrays;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code triangulation(weights)}. */
public final class TriangulationUdf extends ChainUdf<Row> {
    private static final long serialVersionUID = 1L;

    private static final StructType TRIANGLE = new StructType()
            .add("a", DataTypes.IntegerType, false)
            .add("b", DataTypes.IntegerType, false)
            .add("c", DataTypes.IntegerType, false);

    /** The result: the cost and the triangles, as {@link Triangulation.Solution} defines them. */
    public static final StructType RESULT = new StructType()
            .add("cost", DataTypes.LongType, false)
            .add("triangles", DataTypes.createArrayType(TRIANGLE, false), false);

    final MatrixChain.Strategy strategy;

    public TriangulationUdf(MatrixChain.Strategy strategy, FunctionOptions options) {
        super("triangulation", options);
        this.strategy = strategy;
    }

    @Override
    Row solve(long[] weights) {
        Triangulation.Solution solution = Triangulation.solve(weights, strategy, TaskCores.count());
        return RowFactory.create(
                solution.cost(),
                Arrays.stream(solution.triangles())
                        .map(triangle -> RowFactory.create(triangle.a(), triangle.b(), triangle.c()))
                        .toArray(Row[]::new));
    }

    @Override
    TriangulationUdf with(FunctionOptions other) {
        return new TriangulationUdf(strategy, other);
    }

    /** Hu and Shing's algorithm may find a different triangulation. */
    @Override
    public boolean hasKernel() {
        return strategy != MatrixChain.Strategy.HU_SHING;
    }
}
