package dev.bellman.chain.matrix;

import dev.bellman.chain.matrix.Triangulation.Triangle;
import dev.bellman.proof.Values;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;

/**
 * Computes the textbook recurrence of a triangulation. The cost of the part beyond the chord {@code (a, c)} is the
 * minimum, over all vertices {@code b} between a and c, of {@code w(a) w(b) w(c)} plus the costs of the parts beyond
 * {@code (a, b)} and {@code (b, c)}. Numbers are unbounded. Ties: each triangle has the smallest optimal {@code b}.
 */
record PolygonTextbook(BigInteger[][] costs, int[][] corner) {
    static PolygonTextbook of(long... weights) {
        int n = weights.length;
        BigInteger[][] costs = new BigInteger[n][n];
        int[][] corner = new int[n][n];
        for (int a = n - 1; a >= 0; a--) {
            for (int c = a + 1; c < n; c++) {
                costs[a][c] = BigInteger.ZERO;
                for (int b = a + 1; b < c; b++) {
                    BigInteger candidate = ChainTextbook.product(weights, a, b, c)
                            .add(costs[a][b])
                            .add(costs[b][c]);
                    if (b == a + 1 || candidate.compareTo(costs[a][c]) < 0) {
                        costs[a][c] = candidate;
                        corner[a][c] = b;
                    }
                }
            }
        }
        return new PolygonTextbook(costs, corner);
    }

    /** @throws dev.bellman.BellmanException if the function rejects the row */
    private static PolygonTextbook of(InternalRow arguments) {
        ArrayData weights = arguments.getArray(0);
        if (weights.numElements() < 2
                || Values.hasNull(weights)
                || LongStream.of(weights.toLongArray()).anyMatch(weight -> weight < 1)) {
            throw Values.invalid();
        }
        PolygonTextbook table = of(weights.toLongArray());
        if (table.least().bitLength() > 63) {
            throw Values.overflow();
        }
        return table;
    }

    static Object cost(InternalRow arguments) {
        return of(arguments).least().longValueExact();
    }

    static Object triangulation(InternalRow arguments) {
        PolygonTextbook table = of(arguments);
        Object[] triangles = table.triangles().stream()
                .map(triangle -> Values.row(triangle.a(), triangle.b(), triangle.c()))
                .toArray();
        return Values.row(table.least().longValueExact(), new GenericArrayData(triangles));
    }

    BigInteger least() {
        return costs[0][costs.length - 1];
    }

    /** Returns the triangles. A triangle on a chord comes before the triangles beyond its other two sides. */
    List<Triangle> triangles() {
        List<Triangle> triangles = new ArrayList<>();
        collect(0, costs.length - 1, triangles);
        return triangles;
    }

    private void collect(int a, int c, List<Triangle> triangles) {
        if (c - a > 1) {
            int b = corner[a][c];
            triangles.add(new Triangle(a, b, c));
            collect(a, b, triangles);
            collect(b, c, triangles);
        }
    }
}
