package dev.bellman.graph;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares shortest paths on the GPU with the CPU. */
class ShortestPathsGpuTest extends GpuTest {
    /** Returns graphs of random sizes up to {@code size}; some are NULL, and some are rejected. */
    private static Dataset<Row> graphs(boolean doubles, int count, int partitions, int size) {
        SplittableRandom random = new SplittableRandom(1962 + size);
        StructType edge = GraphFunctions.edge(doubles ? DataTypes.DoubleType : DataTypes.LongType);
        return instances(
                new StructType().add("nodes", DataTypes.IntegerType).add("edges", DataTypes.createArrayType(edge)),
                partitions,
                Stream.generate(() ->
                                doubles ? GraphInstances.doubles(random, size) : GraphInstances.longs(random, size))
                        .limit(count));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manySizes(boolean doubles) {
        for (int size : new int[] {3, 34, 128}) {
            Dataset<Row> graphs = graphs(doubles, size == 128 ? 600 : 3_000, 3, size);
            assertSameAsOnCpu(graphs, "try_shortest_paths(nodes, edges)");
            assertSameAsOnCpu(graphs, "try_shortest_path_next(nodes, edges)");
        }
    }

    /**
     * Mixes small graphs with graphs that the whole device solves or, for next vertices with DOUBLE weights, the CPU.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void largeOnesAmongSmallOnes(boolean doubles) {
        Dataset<Row> graphs = graphs(doubles, 40, 1, 300).union(graphs(doubles, 300, 1, 20));
        assertSameAsOnCpu(graphs.coalesce(1), "try_shortest_paths(nodes, edges)");
        assertSameAsOnCpu(graphs.coalesce(1), "try_shortest_path_next(nodes, edges)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"r-way", "blocked", "floyd-warshall"})
    void strategies(String strategy) {
        withConf("spark.bellman.shortest_paths.strategy", strategy, () -> {
            for (boolean doubles : new boolean[] {false, true}) {
                Dataset<Row> graphs = graphs(doubles, 30, 1, 520);
                assertSameAsOnCpu(graphs, "try_shortest_paths(nodes, edges)");
                assertSameAsOnCpu(graphs, "try_shortest_path_next(nodes, edges)");
            }
        });
    }

    /** Tests graphs of up to 2,000 vertices in one batch. */
    @Test
    void mixedSizes() {
        Dataset<Row> graphs = graphs(false, 4, 1, 2_000).union(graphs(false, 60, 1, 150));
        assertSameAsOnCpu(graphs.coalesce(1), "try_shortest_paths(nodes, edges)");
        assertSameAsOnCpu(graphs.coalesce(1), "try_shortest_path_next(nodes, edges)");
    }

    /**
     * Tests DOUBLE weights with no, few or many ties. Some graphs have about as many edges as the kernel that chooses
     * edges locally accepts.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1_000, 1 << 30})
    void ties(int most) {
        SplittableRandom random = new SplittableRandom(most);
        StructType edge = GraphFunctions.edge(DataTypes.DoubleType);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int n = i < 20 ? 128 : 1 + random.nextInt(128);
            Row[] edges = new Row[i < 20 ? 12 * n - 10 + i : random.nextInt(5) * n];
            Arrays.setAll(
                    edges,
                    e -> RowFactory.create(
                            random.nextInt(n),
                            random.nextInt(n),
                            (1 + random.nextInt(most)) / (n % 2 == 0 ? 1.0 : 10.0)));
            rows.add(RowFactory.create(n, edges));
        }
        Dataset<Row> graphs = rows(
                new StructType().add("nodes", DataTypes.IntegerType).add("edges", DataTypes.createArrayType(edge)),
                1,
                rows);
        assertSameAsOnCpu(graphs, "shortest_path_next(nodes, edges)");
    }

    @Test
    void nothingButNulls() {
        Dataset<Row> none = graphs(false, 50, 2, 9).selectExpr("IF(nodes > 100, nodes, NULL) AS nodes", "edges");
        assertSameAsOnCpu(none, "shortest_paths(nodes, edges)");
        assertSameAsOnCpu(none, "try_shortest_path_next(nodes, edges)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shortest_paths(2, array(struct(0, 1, 2L), struct(1, 0, IF(nodes < 0, -3L, -4L))))",
                "shortest_path_next(2, array(struct(0, IF(nodes < 0, 1, 2), 2L)))",
                "shortest_paths(2, array(struct(0, IF(nodes < 0, 0, 1), double('NaN'))))",
                "shortest_paths(2 - nodes, array(struct(0, 1, 9223372036854775807L), struct(1, 2, 1L)))"
            })
    void failsAsOnCpu(String expression) {
        Dataset<Row> rows = graphs(false, 40, 1, 9).where("nodes >= 5");
        assertSameFailure(rows, expression).contains("[BELLMAN_");
    }

    /** RAPIDS tries again if GPU memory is exhausted. */
    @ParameterizedTest
    @ValueSource(strings = {"num_ooms=1,skip=0,type=GPU", "num_ooms=1,skip=12,type=GPU", "num_ooms=2,skip=16,type=GPU"})
    void outOfMemory(String injection) {
        withConf("spark.rapids.sql.test.injectRetryOOM", injection, () -> {
            Dataset<Row> graphs = graphs(true, 400, 1, 60);
            assertSameAsOnCpu(graphs, "try_shortest_paths(nodes, edges)");
            assertSameAsOnCpu(graphs, "try_shortest_path_next(nodes, edges)");
        });
    }
}
