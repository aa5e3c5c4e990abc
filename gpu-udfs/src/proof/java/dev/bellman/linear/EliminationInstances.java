package dev.bellman.linear;

import dev.bellman.proof.Values;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;

/**
 * Generates matrices that elimination without pivoting can or cannot factor: diagonally dominant, with small integers,
 * triangular, with entries of all magnitudes, with a last row that equals another row, or with zero pivots. If pivoting
 * is requested, fewer matrices are diagonally dominant, and some matrices have a column of zeros.
 */
final class EliminationInstances {
    private EliminationInstances() {}

    /** Draws {@code (matrix)}. */
    static InternalRow matrix(SplittableRandom random, int size) {
        return Values.row(Values.sometimesNull(random, rows(random, 1 + Values.size(random, size - 1), true)));
    }

    /** Draws {@code (matrix, pivot)}. */
    static InternalRow pivoting(SplittableRandom random, int size) {
        boolean pivot = random.nextBoolean();
        return Values.row(
                Values.sometimesNull(random, rows(random, 1 + Values.size(random, size - 1), !pivot)),
                Values.sometimesNull(random, pivot));
    }

    /** Draws {@code (matrix, rhs, pivot)}. */
    static InternalRow system(SplittableRandom random, int size) {
        int n = 1 + Values.size(random, size - 1);
        boolean pivot = random.nextBoolean();
        double[] b = random.doubles(random.nextInt(200) == 0 ? n + 1 : n, -9, 9).toArray();
        return Values.row(
                Values.sometimesNull(random, rows(random, n, !pivot)),
                Values.sometimesNull(random, Values.array(b), DataTypes.DoubleType),
                Values.sometimesNull(random, pivot));
    }

    /** @param dominant whether most matrices are diagonally dominant; otherwise, fewer than half of them are */
    private static ArrayData rows(SplittableRandom random, int n, boolean dominant) {
        int kind = random.nextInt(6);
        int exponent = random.nextInt(kind == 3 ? 1_000 : 2);
        boolean hasDominant = dominant || random.nextBoolean();
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = switch (kind) {
                    case 0 -> random.nextInt(-4, 5);
                    case 1 -> j < i ? 0 : random.nextDouble();
                    case 2 -> random.nextInt(4) == 0 ? random.nextDouble() - 0.5 : i == j ? 1 : 0;
                    case 3 -> StrictMath.scalb(random.nextDouble() - 0.5, random.nextInt(-exponent, exponent + 1));
                    default -> random.nextDouble() - 0.5;
                };
            }
            if (hasDominant && kind != 0 && random.nextInt(40 * n) != 0) {
                a[i][i] += kind == 3 ? StrictMath.scalb(n, exponent) : n;
            }
        }
        if (n > 1 && random.nextInt(20) == 0) {
            a[n - 1] = a[random.nextInt(n - 1)].clone();
        }
        if (!dominant && random.nextInt(20) == 0) {
            int zeros = random.nextInt(n);
            for (double[] row : a) {
                row[zeros] = random.nextBoolean() ? 0.0 : -0.0;
            }
        }
        if (random.nextInt(60) == 0) {
            a[random.nextInt(n)][random.nextInt(n)] =
                    Values.oneOf(random, Double.NaN, Double.POSITIVE_INFINITY, Double.MAX_VALUE, -0.0, 0.0);
        }
        Object[] rows = new Object[n];
        for (int i = 0; i < n; i++) {
            rows[i] = Values.array(a[i]);
        }
        switch (random.nextInt(400)) {
            case 0 -> rows[random.nextInt(n)] = null;
            case 1 -> rows[random.nextInt(n)] = Values.array(new double[n + 1]);
            case 2 -> rows = new Object[0];
            case 3 -> rows[random.nextInt(n)] = Values.arrayOf(new Object[n]);
            default -> {}
        }
        return Values.arrayOf(rows);
    }
}
