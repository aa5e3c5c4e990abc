package dev.bellman.linear;

import static dev.bellman.proof.Values.require;

import dev.bellman.proof.Values;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Applies the Householder reflections column by column, with the rounding that {@link LeastSquares} defines. */
final class LeastSquaresTextbook {
    private LeastSquaresTextbook() {}

    static Object solve(InternalRow arguments) {
        double[][] a = columns(arguments);
        int n = a.length - 1;
        int m = a[0].length;
        double[] norms = Arrays.stream(a).mapToDouble(column -> norm(column, 0)).toArray();
        for (int k = 0; k < n; k++) {
            double rest = norm(a[k], k);
            require(rest > m * (double) n * Math.pow(2, -52) * norms[k] && rest <= Double.MAX_VALUE);
            double diagonal = a[k][k] < 0 ? rest : -rest;
            double[] v = new double[m];
            for (int i = k + 1; i < m; i++) {
                v[i] = a[k][i] / (a[k][k] - diagonal);
            }
            double twice = (diagonal - a[k][k]) / diagonal;
            a[k][k] = diagonal;
            for (int j = k + 1; j <= n; j++) {
                double w = a[j][k];
                for (int i = k + 1; i < m; i++) {
                    w = Math.fma(v[i], a[j][i], w);
                }
                w *= twice;
                a[j][k] -= w;
                for (int i = k + 1; i < m; i++) {
                    a[j][i] = Math.fma(-v[i], w, a[j][i]);
                }
            }
        }
        double[] x = new double[n];
        for (int i = n - 1; i >= 0; i--) {
            double rest = a[n][i];
            for (int k = n - 1; k > i; k--) {
                rest = Math.fma(-a[k][i], x[k], rest);
            }
            x[i] = rest / a[i][i];
            require(Math.abs(x[i]) <= Double.MAX_VALUE);
        }
        return Values.array(x);
    }

    private static double norm(double[] column, int from) {
        double scale = 0;
        for (int i = from; i < column.length; i++) {
            scale = Math.max(scale, Math.abs(column[i]));
        }
        double sum = 0;
        for (int i = from; i < column.length && scale > 0; i++) {
            sum = Math.fma(column[i] / scale, column[i] / scale, sum);
        }
        // if an entry is NaN, so are the scale and the result
        return scale == 0 ? 0 : scale * Math.sqrt(sum);
    }

    /** Returns the columns of the matrix and, after them, the right-hand side. */
    private static double[][] columns(InternalRow arguments) {
        ArrayData rows = arguments.getArray(0);
        int m = rows.numElements();
        require(m > 0 && !Values.hasNull(rows));
        int n = rows.getArray(0).numElements();
        require(n > 0 && m >= n);
        double[][] columns = new double[n + 1][m];
        for (int i = 0; i < m; i++) {
            double[] row = list(rows.getArray(i), n);
            for (int j = 0; j < n; j++) {
                columns[j][i] = row[j];
            }
        }
        columns[n] = list(arguments.getArray(1), m);
        return columns;
    }

    private static double[] list(ArrayData values, int length) {
        require(values.numElements() == length && !Values.hasNull(values));
        require(Arrays.stream(values.toDoubleArray()).allMatch(value -> Math.abs(value) <= Double.MAX_VALUE));
        return values.toDoubleArray().clone();
    }
}
