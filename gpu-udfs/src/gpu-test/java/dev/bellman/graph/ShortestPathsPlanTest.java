package dev.bellman.graph;

import static dev.bellman.graph.SparsePathsTest.complete;
import static dev.bellman.graph.SparsePathsTest.graph;
import static dev.bellman.graph.SparsePathsTest.plan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.graph.ShortestPaths.Strategy;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests when a GPU solves a graph; only the GPU side knows how many bytes a table takes on the GPU. */
class ShortestPathsPlanTest {
    private static final long ALL = Long.MAX_VALUE;

    @Test
    void aGpuOrTheHeap() {
        Graph dense = complete(2_000);
        // the table takes 21 MB on the GPU, and three times as much with recursion
        assertThat(plan(dense, Strategy.AUTO, 1 << 20, 30 << 20, false))
                .matches(plan -> plan.onGpu() && plan.strategy() == Strategy.BLOCKED);
        assertThat(plan(dense, Strategy.R_WAY, ALL, 30 << 20, true))
                .matches(plan -> !plan.onGpu() && plan.strategy() == Strategy.R_WAY);
        assertThat(plan(dense, Strategy.JOHNSON, ALL, ALL, true).onGpu()).isFalse();
        assertThat(plan(graph(3, new long[] {0, 1, 1}), Strategy.AUTO, ALL, ALL, false)
                        .onGpu())
                .isFalse();
        assertThat(plan(graph(3, new long[] {0, 1, 1}), Strategy.AUTO, ALL, ALL, true)
                        .onGpu())
                .isTrue();
        Graph wide = graph(3, new long[] {0, 1, Long.MAX_VALUE});
        assertThat(plan(wide, Strategy.JOHNSON, ALL, ALL, true))
                .matches(plan -> !plan.onGpu() && plan.strategy() == Strategy.FLOYD_WARSHALL);
    }

    /** A GPU would solve the graph faster, but then a single task would write all paths. */
    @Test
    void writingCounts() {
        Graph sparse = graph(
                6_000,
                IntStream.range(0, 120_000)
                        .mapToObj(e -> new long[] {e / 20, (e * 7_919L + e / 20) % 6_000, 1 + e % 1_000})
                        .toArray(long[][]::new));
        assertThat(plan(sparse, Strategy.AUTO, ALL, ALL, false).strategy()).isEqualTo(Strategy.JOHNSON);
        assertThat(plan(sparse, Strategy.AUTO, ALL, ALL, true).onGpu()).isTrue();
    }

    @Test
    void largeTilesAndSharedTables() {
        int n = 2_000;
        Graph dense = complete(n);
        for (int tasks : new int[] {1, 16}) {
            ShortestPaths.Machine machine = new ShortestPaths.Machine(ALL, true, ALL, 1, tasks);
            assertThat(ShortestPaths.plan(dense, Strategy.AUTO, n, true, machine, false))
                    .matches(plan -> plan.onGpu() && plan.shared() == tasks > 1, tasks + " tasks");
        }
    }

    /** One GPU is expected to take 4.5 s for 40,000 vertices, 15 s for 60,000, and 19 s for 40,000 with 64-bit cells. */
    @ParameterizedTest
    @CsvSource({"2_000, 1, false", "40_000, 1, false", "40_000, 10_000, true", "60_000, 1, true"})
    void severalGpus(int nodes, long weight, boolean together) {
        Random random = new Random(nodes);
        Graph graph = graph(
                nodes,
                IntStream.range(0, 3 * nodes)
                        .mapToObj(e -> new long[] {e / 3, random.nextInt(nodes), weight})
                        .toArray(long[][]::new));
        for (int gpus : new int[] {1, 2}) {
            ShortestPaths.Machine machine = new ShortestPaths.Machine(1 << 20, true, ALL, gpus, 16);
            assertThat(ShortestPaths.plan(graph, Strategy.BLOCKED, nodes, false, machine, true))
                    .matches(plan -> plan.onGpu() && plan.largeTiles() == (together && gpus > 1), gpus + " GPUs");
        }
    }
}
