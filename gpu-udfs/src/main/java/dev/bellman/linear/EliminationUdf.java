package dev.bellman.linear;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * The common part of the matrix functions: the handling of NULL and of invalid entries, and the multiply-adds that
 * count as cells.
 */
abstract class EliminationUdf implements ColumnarFunction, Serializable {
    private static final long serialVersionUID = 1L;

    final String function;
    final Elimination.Strategy strategy;
    final FunctionOptions options;

    EliminationUdf(String function, Elimination.Strategy strategy, FunctionOptions options) {
        this.function = function;
        this.strategy = strategy;
        this.options = options;
    }

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    abstract Object onCpu(FunctionOptions other, List<Object> arguments);

    /** The multiply-adds of the elimination of n rows. */
    static long multiplyAdds(long n) {
        return (n - 1) * n / 2 * (2 * n - 1) / 3;
    }

    final void count(int n) {
        options.cells().add(multiplyAdds(n));
    }

    private BellmanException invalid(String what) {
        return EliminationErrorContext.ofFunction(function).invalid(what);
    }

    /** A copy of the matrix, which must be square and not empty. */
    final double[][] matrix(ArrayData rows) {
        int n = rows.numElements();
        if (n == 0) {
            throw invalid("matrix is empty; it needs at least one row");
        }
        double[][] matrix = new double[n][];
        for (int i = 0; i < n; i++) {
            if (rows.isNullAt(i)) {
                throw invalid("row %d of matrix (counted from 1) is NULL; it must be an array".formatted(i + 1));
            }
            matrix[i] = entries("row %d of matrix".formatted(i + 1), rows.getArray(i), n);
        }
        return matrix;
    }

    /** A copy of a list that has one entry for each row of the matrix. */
    final double[] entries(String list, ArrayData values, int n) {
        if (values.numElements() != n) {
            throw invalid("%s has %d entries; it needs %d, as many as matrix has rows"
                    .formatted(list, values.numElements(), n));
        }
        for (int j = 0; j < n; j++) {
            if (values.isNullAt(j) || !(Math.abs(values.getDouble(j)) <= Double.MAX_VALUE)) {
                throw invalid("entry %d of %s (counted from 1) is %s; it must be a finite number"
                        .formatted(j + 1, list, values.isNullAt(j) ? "NULL" : values.getDouble(j)));
            }
        }
        return values.toDoubleArray();
    }

    @Override
    public boolean hasKernel() {
        return strategy != Elimination.Strategy.SERIAL;
    }
}
