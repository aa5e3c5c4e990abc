package dev.bellman.linear;

import dev.bellman.proof.Values;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Runs the textbook loops, with the rounding that {@link Elimination} defines. */
final class EliminationTextbook {
    private EliminationTextbook() {}

    static Object lu(InternalRow arguments) {
        double[][] a = matrix(arguments);
        eliminate(a, a.length - 1);
        return Values.row(factors(a));
    }

    /** Exchanges the indices of the rows together with the rows. */
    static Object permutedLu(InternalRow arguments) {
        double[][] a = matrix(arguments);
        double[] permutation = new double[a.length];
        for (int i = 0; i < a.length; i++) {
            permutation[i] = i;
        }
        if (arguments.getBoolean(1)) {
            eliminatePivoting(a, permutation, 0, true);
        } else {
            eliminate(a, a.length - 1);
        }
        Object[] factors = factors(a);
        int[] indices = Arrays.stream(permutation).mapToInt(each -> (int) each).toArray();
        return Values.row(factors[0], factors[1], Values.array(indices));
    }

    /** Returns L and U. */
    private static Object[] factors(double[]... a) {
        int n = a.length;
        Object[] l = new Object[n];
        Object[] u = new Object[n];
        for (int i = 0; i < n; i++) {
            double[] lower = new double[n];
            double[] upper = new double[n];
            for (int j = 0; j < n; j++) {
                lower[j] = j < i ? a[i][j] : j == i ? 1 : 0;
                upper[j] = j < i ? 0 : a[i][j];
            }
            l[i] = Values.array(lower);
            u[i] = Values.array(upper);
        }
        return new Object[] {Values.arrayOf(l), Values.arrayOf(u)};
    }

    static Object determinant(InternalRow arguments) {
        double[][] a = matrix(arguments);
        boolean pivot = arguments.getBoolean(1);
        if (pivot) {
            return product(eliminatePivoting(a, new double[a.length], 0, false), a);
        }
        eliminate(a, a.length - 1);
        double product = 1;
        for (int k = 0; k < a.length; k++) {
            product *= a[k][k];
        }
        return product;
    }

    /** Returns the product of a sign and the diagonal; only the result may exceed the range of DOUBLE. */
    private static double product(int sign, double[]... a) {
        double product = sign;
        int doublings = 0;
        for (int k = 0; k < a.length && product != 0; k++) {
            double pivot = a[k][k];
            for (; Math.abs(pivot) >= 2; pivot /= 2) {
                doublings++;
            }
            for (; Math.abs(pivot) < 1; pivot *= 2) {
                doublings--;
            }
            product *= pivot;
            for (; Math.abs(product) >= 2; product /= 2) {
                doublings++;
            }
        }
        return Math.scalb(product, doublings);
    }

    static Object solve(InternalRow arguments) {
        double[][] a = matrix(arguments);
        int n = a.length;
        double[] y = list(arguments.getArray(1), n);
        if (arguments.getBoolean(2)) {
            eliminatePivoting(a, y, n, false);
        } else {
            eliminate(a, n);
        }
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++) {
                y[i] = Math.fma(-a[i][k], y[k], y[i]);
            }
        }
        double[] x = new double[n];
        for (int i = n - 1; i >= 0; i--) {
            double rest = y[i];
            for (int k = n - 1; k > i; k--) {
                rest = Math.fma(-a[i][k], x[k], rest);
            }
            x[i] = rest / a[i][i];
            checkFinite(x[i]);
        }
        return Values.array(x);
    }

    /** @param divisors the number of pivots that are used as divisors */
    private static void eliminate(double[][] a, int divisors) {
        int n = a.length;
        double least = least(a);
        for (int k = 0; k < n; k++) {
            checkFinite(a[k][k]);
            if (k < divisors && Math.abs(a[k][k]) <= least) {
                throw Values.invalid();
            }
            for (int i = k + 1; i < n; i++) {
                a[i][k] = a[i][k] / a[k][k];
                for (int j = k + 1; j < n; j++) {
                    a[i][j] = Math.fma(-a[i][k], a[k][j], a[i][j]);
                }
            }
        }
    }

    /**
     * Eliminates and exchanges rows.
     *
     * @param y the right-hand side, whose entries are exchanged together with the rows
     * @param factors whether the factors are needed; otherwise, the elimination ends at a pivot of 0
     * @return the sign of the row permutation; 0 if a pivot is 0
     */
    private static int eliminatePivoting(double[][] a, double[] y, int divisors, boolean factors) {
        int n = a.length;
        double least = least(a);
        int sign = 1;
        for (int k = 0; k < n; k++) {
            int best = k;
            for (int i = k; i < n; i++) {
                checkFinite(a[i][k]);
                if (Math.abs(a[i][k]) > Math.abs(a[best][k])) {
                    best = i;
                }
            }
            if (best != k) {
                sign = -sign;
            }
            double[] row = a[best];
            a[best] = a[k];
            a[k] = row;
            double right = y[best];
            y[best] = y[k];
            y[k] = right;
            if (k < divisors && Math.abs(a[k][k]) <= least) {
                throw Values.invalid();
            }
            if (a[k][k] == 0) {
                sign = 0;
                if (!factors) {
                    return sign;
                }
            }
            for (int i = k + 1; i < n; i++) {
                a[i][k] = a[k][k] == 0 ? 0 : a[i][k] / a[k][k];
                for (int j = k + 1; j < n; j++) {
                    a[i][j] = Math.fma(-a[i][k], a[k][j], a[i][j]);
                }
            }
        }
        return sign;
    }

    /** Returns the largest magnitude of a pivot that may be nonzero only because of rounding. */
    private static double least(double[][] a) {
        double largest = 0;
        for (double[] row : a) {
            for (double entry : row) {
                largest = Math.max(largest, Math.abs(entry));
            }
        }
        return a.length * Math.pow(2, -52) * largest;
    }

    private static double[][] matrix(InternalRow arguments) {
        ArrayData rows = arguments.getArray(0);
        if (rows.numElements() == 0 || Values.hasNull(rows)) {
            throw Values.invalid();
        }
        double[][] matrix = new double[rows.numElements()][];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = list(rows.getArray(i), matrix.length);
        }
        return matrix;
    }

    private static double[] list(ArrayData values, int n) {
        if (values.numElements() != n || Values.hasNull(values)) {
            throw Values.invalid();
        }
        for (double value : values.toDoubleArray()) {
            checkFinite(value);
        }
        return values.toDoubleArray().clone();
    }

    private static void checkFinite(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw Values.invalid();
        }
    }
}
