package dev.bellman.linear;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskCores;
import java.util.List;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** {@code determinant(matrix)}. */
public final class DeterminantUdf extends EliminationUdf implements UDF1<ArrayData, Double> {
    private static final long serialVersionUID = 1L;

    public DeterminantUdf(Elimination.Strategy strategy, FunctionOptions options) {
        super("determinant", strategy, options);
    }

    @Override
    public Double call(ArrayData matrix) {
        return matrix == null
                ? null
                : options.answer(() -> {
                    double determinant = Elimination.determinant(matrix(matrix), strategy, TaskCores.count());
                    count(matrix.numElements());
                    return determinant;
                });
    }

    @Override
    Object onCpu(FunctionOptions other, List<Object> arguments) {
        return new DeterminantUdf(strategy, other).call((ArrayData) arguments.get(0));
    }
}
