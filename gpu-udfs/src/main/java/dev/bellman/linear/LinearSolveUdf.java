package dev.bellman.linear;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskCores;
import java.util.List;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** {@code linear_solve(matrix, b)}. */
public final class LinearSolveUdf extends EliminationUdf implements UDF2<ArrayData, ArrayData, double[]> {
    private static final long serialVersionUID = 1L;

    public LinearSolveUdf(Elimination.Strategy strategy, FunctionOptions options) {
        super("linear_solve", strategy, options);
    }

    @Override
    public double[] call(ArrayData matrix, ArrayData b) {
        return matrix == null || b == null
                ? null
                : options.answer(() -> {
                    double[][] entries = matrix(matrix);
                    double[] x =
                            Elimination.solve(entries, entries("b", b, entries.length), strategy, TaskCores.count());
                    count(entries.length);
                    return x;
                });
    }

    @Override
    Object onCpu(FunctionOptions other, List<Object> arguments) {
        return new LinearSolveUdf(strategy, other).call((ArrayData) arguments.get(0), (ArrayData) arguments.get(1));
    }
}
