package dev.bellman.chain.tree;

import dev.bellman.chain.PreorderTextbook;
import dev.bellman.proof.Values;
import java.math.BigInteger;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * Computes the recurrence of {@link Parenthesization}: {@code cost(i, j)} is the minimum of
 * {@code (cost(i, k) + cost(k + 1, j)) + w(i, j)}. Integers are unbounded; the smallest optimal split of each range is
 * used.
 */
final class RangeCostTextbook {
    private RangeCostTextbook() {}

    static Object ofLongs(InternalRow arguments) {
        check(arguments);
        BigInteger[] leaf = exact(arguments.getArray(0));
        BigInteger[] w = exact(arguments.getArray(1));
        int n = leaf.length;
        BigInteger[][] cost = new BigInteger[n + 1][n + 1];
        int[][] split = new int[n + 1][n + 1];
        for (int i = n; i >= 1; i--) {
            cost[i][i] = leaf[i - 1];
            for (int j = i + 1; j <= n; j++) {
                for (int k = i; k < j; k++) {
                    BigInteger candidate = cost[i][k].add(cost[k + 1][j]).add(w[index(n, i, j)]);
                    if (k == i || candidate.compareTo(cost[i][j]) < 0) {
                        cost[i][j] = candidate;
                        split[i][j] = k;
                    }
                }
            }
        }
        if (cost[1][n].bitLength() > 63) {
            throw Values.overflow();
        }
        return Values.row(cost[1][n].longValueExact(), Values.array(PreorderTextbook.splits(split, 1, n)));
    }

    static Object ofDoubles(InternalRow arguments) {
        check(arguments);
        double[] leaf = checked(arguments.getArray(0));
        double[] w = checked(arguments.getArray(1));
        int n = leaf.length;
        double[][] cost = new double[n + 1][n + 1];
        int[][] split = new int[n + 1][n + 1];
        for (int i = n; i >= 1; i--) {
            cost[i][i] = leaf[i - 1];
            for (int j = i + 1; j <= n; j++) {
                for (int k = i; k < j; k++) {
                    double candidate = cost[i][k] + cost[k + 1][j] + w[index(n, i, j)];
                    if (k == i || candidate < cost[i][j]) {
                        cost[i][j] = candidate;
                        split[i][j] = k;
                    }
                }
            }
        }
        return Values.row(cost[1][n], Values.array(PreorderTextbook.splits(split, 1, n)));
    }

    /** Returns the index of {@code w(i, j)}. The rows 1 to i - 1, which have n - 1, n - 2, ... entries, precede it. */
    private static int index(int n, int i, int j) {
        int at = j - i - 1;
        for (int row = 1; row < i; row++) {
            at += n - row;
        }
        return at;
    }

    private static void check(InternalRow arguments) {
        ArrayData leaf = arguments.getArray(0);
        ArrayData w = arguments.getArray(1);
        int n = leaf.numElements();
        if (n == 0 || w.numElements() != n * (n - 1) / 2 || Values.hasNull(leaf) || Values.hasNull(w)) {
            throw Values.invalid();
        }
    }

    private static BigInteger[] exact(ArrayData values) {
        if (Arrays.stream(values.toLongArray()).anyMatch(value -> value < 0)) {
            throw Values.invalid();
        }
        return Arrays.stream(values.toLongArray()).mapToObj(BigInteger::valueOf).toArray(BigInteger[]::new);
    }

    /** Returns a copy of the costs, with 0.0 for -0.0. Rejects negative costs and NaN. */
    private static double[] checked(ArrayData values) {
        if (Arrays.stream(values.toDoubleArray()).anyMatch(value -> !(value >= 0))) {
            throw Values.invalid();
        }
        return Arrays.stream(values.toDoubleArray()).map(value -> value + 0.0).toArray();
    }
}
