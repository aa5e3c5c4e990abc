package dev.bellman.chain.matrix;

import dev.bellman.chain.PreorderTextbook;
import dev.bellman.proof.Values;
import java.math.BigInteger;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Computes the textbook recurrence of a matrix chain: {@code cost(i, j)} is the minimum of
 * {@code cost(i, k) + cost(k + 1, j) + d(i - 1) d(k) d(j)}. Numbers are unbounded; the smallest optimal split of each
 * product is used.
 */
record ChainTextbook(BigInteger[][] costs, int[][] split) {
    static ChainTextbook of(long... dims) {
        int n = dims.length - 1;
        BigInteger[][] costs = new BigInteger[n + 1][n + 1];
        int[][] split = new int[n + 1][n + 1];
        for (int i = n; i >= 1; i--) {
            costs[i][i] = BigInteger.ZERO;
            for (int j = i + 1; j <= n; j++) {
                for (int k = i; k < j; k++) {
                    BigInteger candidate = costs[i][k].add(costs[k + 1][j]).add(product(dims, i - 1, k, j));
                    if (k == i || candidate.compareTo(costs[i][j]) < 0) {
                        costs[i][j] = candidate;
                        split[i][j] = k;
                    }
                }
            }
        }
        return new ChainTextbook(costs, split);
    }

    /** @throws dev.bellman.BellmanException if the function rejects the row */
    private static ChainTextbook of(InternalRow arguments) {
        ArrayData dims = arguments.getArray(0);
        if (dims.numElements() < 2
                || Values.hasNull(dims)
                || LongStream.of(dims.toLongArray()).anyMatch(dim -> dim < 1)) {
            throw Values.invalid();
        }
        ChainTextbook table = of(dims.toLongArray());
        if (table.least().bitLength() > 63) {
            throw Values.overflow();
        }
        return table;
    }

    static BigInteger product(long[] values, int i, int j, int k) {
        return BigInteger.valueOf(values[i])
                .multiply(BigInteger.valueOf(values[j]))
                .multiply(BigInteger.valueOf(values[k]));
    }

    static Object cost(InternalRow arguments) {
        return of(arguments).least().longValueExact();
    }

    static Object order(InternalRow arguments) {
        ChainTextbook table = of(arguments);
        return UTF8String.fromString(table.order(1, table.matrices()));
    }

    static Object chain(InternalRow arguments) {
        ChainTextbook table = of(arguments);
        return Values.row(
                table.least().longValueExact(),
                UTF8String.fromString(table.order(1, table.matrices())),
                Values.array(table.splits()));
    }

    int matrices() {
        return costs.length - 1;
    }

    BigInteger least() {
        return costs[1][matrices()];
    }

    /** Returns the splits in preorder. */
    int[] splits() {
        return PreorderTextbook.splits(split, 1, matrices());
    }

    String order(int i, int j) {
        return i == j ? "A" + i : "(" + order(i, split[i][j]) + order(split[i][j] + 1, j) + ")";
    }
}
