package dev.bellman.order;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class JoinOrderGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("cardinalities", DataTypes.createArrayType(DataTypes.DoubleType))
            .add(
                    "edges",
                    DataTypes.createArrayType(new StructType()
                            .add("source", DataTypes.IntegerType)
                            .add("target", DataTypes.IntegerType)
                            .add("selectivity", DataTypes.DoubleType)));

    private static final String CALL = "join_order(cardinalities, edges)";

    private static Row edge(Integer source, Integer target, Double selectivity) {
        return RowFactory.create(source, target, selectivity);
    }

    private static Row query(Double[] cardinalities, Row... edges) {
        return RowFactory.create(cardinalities, edges);
    }

    private static Double[] of(Double... cardinalities) {
        return cardinalities;
    }

    /**
     * Returns chains, stars, trees and cycles, with ties, with repeated edges, and with costs beyond the range of
     * DOUBLE.
     */
    private static Dataset<Row> queries(long seed, int count, int least, int most) {
        return queries(seed, count, least, most, Integer.MAX_VALUE);
    }

    private static Dataset<Row> queries(long seed, int count, int least, int most, int moreEdges) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int n = random.nextInt(least, most + 1);
            int magnitude = random.nextInt(20) == 0 ? 300 : 6;
            boolean hasTies = random.nextInt(3) == 0;
            Double[] cardinalities = Stream.generate(
                            () -> hasTies ? 10.0 : Math.rint(Math.pow(10, magnitude * random.nextDouble())))
                    .limit(n)
                    .toArray(Double[]::new);
            int shape = random.nextInt(4);
            List<Row> edges = new ArrayList<>();
            for (int r = 1; r < n; r++) {
                edges.add(edge(r, shape == 0 ? r - 1 : shape == 1 ? 0 : random.nextInt(r), selectivity(random)));
            }
            for (int more = n < 2 ? 0 : random.nextInt(shape == 3 ? Math.min(n * n, moreEdges) : 3); more > 0; more--) {
                int source = random.nextInt(n);
                edges.add(edge(source, (source + 1 + random.nextInt(n - 1)) % n, selectivity(random)));
            }
            rows.add(query(cardinalities, edges.toArray(Row[]::new)));
        }
        return rows(SCHEMA, 3, rows);
    }

    private static double selectivity(SplittableRandom random) {
        return random.nextBoolean() ? 0.1 : 1 - random.nextDouble();
    }

    @Test
    void random() {
        // the CPU rejects some rows because of their costs
        assertSameAsOnCpu(queries(1, 20_000, 1, 9), "try_" + CALL);
        assertSameAsOnCpu(queries(2, 500, 9, 13), "try_" + CALL);
    }

    @Test
    void manyRelations() {
        assertSameAsOnCpu(queries(3, 6, 16, 20), "try_" + CALL);
    }

    /** The CPU solves rows whose tables do not fit in GPU memory, and rows with more than 20 relations. */
    @Test
    void onCpu() {
        withConf("spark.bellman.gpuMemory", "20k", () -> {
            assertSameAsOnCpu(queries(4, 300, 1, 12), "try_" + CALL);
        });
        Dataset<Row> mixed =
                queries(4, 300, 1, 12).union(queries(5, 20, 21, 21, 3)).coalesce(2);
        assertSameAsOnCpu(mixed, "try_" + CALL);
        assertSameFailure(queries(6, 20, 64, 64), CALL).isNotEmpty();
    }

    @Test
    void rejectedRows() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.add(query(of(1000.0, 10.0, 500.0 + i % 3), edge(0, 1, 0.01), edge(1, 2, 0.5)));
        }
        rows.add(query(of()));
        rows.add(query(of(7.0)));
        rows.add(query(of(1.0, null), edge(0, 1, 0.5)));
        rows.add(query(of(1.0, 0.0), edge(0, 1, 0.5)));
        rows.add(query(of(1.0, Double.NaN), edge(0, 1, 0.5)));
        rows.add(query(of(1.0, 2.0)));
        rows.add(query(of(1.0, 2.0, 3.0), edge(0, 1, 0.5), edge(1, 0, 0.5)));
        rows.add(query(of(1.0, 2.0), edge(0, 1, 0.5), null));
        rows.add(query(of(1.0, 2.0), edge(0, 1, 0.5), edge(0, null, 0.5)));
        rows.add(query(of(1.0, 2.0), edge(0, 1, null)));
        rows.add(query(of(1.0, 2.0), edge(0, 2, 0.5)));
        rows.add(query(of(1.0, 2.0), edge(1, 1, 0.5)));
        rows.add(query(of(1.0, 2.0), edge(0, 1, 1.5)));
        rows.add(query(of(1e300, 1e300), edge(0, 1, 1.0)));
        rows.add(query(null, edge(0, 1, 1.0)));
        Dataset<Row> input = rows(SCHEMA, 1, rows);
        assertSameAsOnCpu(input, "try_" + CALL);
        assertSameFailure(input, CALL).isNotEmpty();
    }
}
