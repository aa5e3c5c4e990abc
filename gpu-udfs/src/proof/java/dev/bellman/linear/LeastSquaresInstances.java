package dev.bellman.linear;

import dev.bellman.proof.Values;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;

/**
 * Generates systems with random numbers, small integers, many zeros, powers of positions, or entries of all magnitudes.
 * Some systems have dependent columns, and some are square. Some rows are rejected.
 */
final class LeastSquaresInstances {
    private static final int REJECTED = 300;

    private LeastSquaresInstances() {}

    /** Draws {@code (matrix, rhs)}. */
    static InternalRow system(SplittableRandom random, int size) {
        int m = 1 + Values.size(random, size - 1);
        int n = random.nextInt(4) == 0 ? m : 1 + random.nextInt(m);
        int kind = random.nextInt(6);
        int exponent = random.nextInt(1, 1_000);
        double[][] a = new double[m][n];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = switch (kind) {
                    case 0 -> random.nextInt(-4, 5);
                    case 1 -> random.nextInt(4) == 0 ? random.nextDouble() - 0.5 : i == j ? 1 : 0;
                    case 2 -> Math.pow(i - m / 2.0, j % 6);
                    case 3 -> StrictMath.scalb(random.nextDouble() - 0.5, random.nextInt(-exponent, exponent + 1));
                    default -> random.nextDouble() - 0.5;
                };
            }
        }
        if (n > 1 && random.nextInt(10) == 0) {
            int column = random.nextInt(1, n);
            int other = random.nextInt(column);
            double factor = Values.oneOf(random, 0.0, 1.0, 0.1, -3.0);
            for (double[] row : a) {
                row[column] = factor * row[other];
            }
        }
        if (random.nextInt(REJECTED) == 0) {
            a[random.nextInt(m)][random.nextInt(n)] =
                    Values.oneOf(random, Double.NaN, Double.NEGATIVE_INFINITY, Double.MAX_VALUE, -0.0);
        }
        Object[] rows = new Object[m];
        for (int i = 0; i < m; i++) {
            rows[i] = Values.array(a[i]);
        }
        switch (random.nextInt(REJECTED)) {
            case 0 -> rows[random.nextInt(m)] = null;
            case 1 -> rows[random.nextInt(m)] = Values.array(new double[n + 1]);
            case 2 -> rows = new Object[0];
            case 3 -> rows[random.nextInt(m)] = Values.arrayOf(new Object[n]);
            case 4 -> rows[0] = Values.array(new double[0]);
            default -> {}
        }
        double[] rhs =
                random.doubles(random.nextInt(REJECTED) == 0 ? m + 1 : m, -9, 9).toArray();
        return Values.row(
                Values.sometimesNull(random, Values.arrayOf(rows)),
                Values.sometimesNull(random, Values.array(rhs), DataTypes.DoubleType));
    }
}
