package dev.bellman.order;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;

/** Provides the textbook implementation and the test instances for {@code join_order}. */
public final class JoinProofs implements Proofs {
    private static final int REJECTED = 300;

    private static final int MAX_RELATIONS = 20;

    @Override
    public List<Proof> list() {
        return List.of(new Proof(
                "join_order", new InstanceGenerator(JoinProofs::instance, 7, 11, 4), JoinOrderTextbook::solve));
    }

    /**
     * Draws chains, stars, random trees and dense graphs, most of them with additional edges. Costs tie, have ordinary
     * values, or exceed the range of DOUBLE. In most rows, the block size has no effect.
     */
    private static InternalRow instance(SplittableRandom random, int size) {
        int n = random.nextInt(REJECTED) == 0 ? 0 : Math.max(1, Values.size(random, Math.min(size, MAX_RELATIONS)));
        int kind = random.nextInt(4);
        double[] cardinalities = new double[n];
        int magnitude = random.nextInt(20) == 0 ? 300 : 1 + random.nextInt(6);
        for (int r = 0; r < n; r++) {
            cardinalities[r] = kind == 0 ? 10 : Math.rint(Math.pow(10, magnitude * random.nextDouble()));
        }
        if (n > 0 && random.nextInt(REJECTED) == 0) {
            cardinalities[random.nextInt(n)] = Values.oneOf(random, 0.0, -1.0, Double.NaN, Double.POSITIVE_INFINITY);
        }
        List<Object> edges = new ArrayList<>();
        boolean isConnected = random.nextInt(REJECTED) > 0;
        int shape = random.nextInt(4);
        for (int r = 1; r < n && isConnected; r++) {
            int other = shape == 0 ? r - 1 : shape == 1 ? 0 : random.nextInt(r);
            edges.add(random.nextBoolean() ? edge(random, r, other) : edge(random, other, r));
        }
        int more = n < 2 ? 0 : shape == 3 ? random.nextInt(n * n) : random.nextInt(3);
        for (int e = 0; e < more; e++) {
            int a = random.nextInt(n);
            edges.add(edge(random, a, (a + 1 + random.nextInt(n - 1)) % n));
        }
        if (!edges.isEmpty()) {
            int at = random.nextInt(edges.size());
            switch (random.nextInt(REJECTED)) {
                case 0 -> edges.set(at, null);
                case 1 -> edges.set(at, Values.row(0, n, 0.5));
                case 2 -> edges.set(at, Values.row(0, 0, 0.5));
                case 3 -> edges.set(at, Values.row(0, null, 0.5));
                case 4 -> edges.set(at, Values.row(0, n - 1, Values.oneOf(random, 0.0, 1.5, Double.NaN)));
                default -> {}
            }
        }
        int blockSize = random.nextInt(REJECTED) == 0
                ? random.nextInt(-1, 2)
                : random.nextInt(8) == 0 ? random.nextInt(2, 2 + Math.max(1, n)) : JoinGraph.MAX_RELATIONS;
        return Values.row(
                Values.sometimesNull(random, Values.array(cardinalities), DataTypes.DoubleType),
                Values.sometimesNull(random, Values.arrayOf(edges.toArray())),
                blockSize);
    }

    private static InternalRow edge(SplittableRandom random, int source, int target) {
        return Values.row(source, target, Values.oneOf(random, 1.0, 0.5, 0.1, 0.001, 1 - random.nextDouble()));
    }
}
