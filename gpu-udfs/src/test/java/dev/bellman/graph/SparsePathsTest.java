package dev.bellman.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.bellman.Golden;
import dev.bellman.Thorough;
import dev.bellman.graph.ShortestPaths.Strategy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests sparse graphs, whose tables are computed in tiles, many of which are empty. */
class SparsePathsTest extends ShortestPathsFixture {
    /**
     * Returns a grid of streets, open in one or both directions, some with negative weights. The graph also has a cycle
     * of the given weight and a few isolated vertices.
     */
    private static Graph town(int side, long cycle) {
        SplittableRandom random = new SplittableRandom(side);
        int nodes = side * side + 9;
        long[] heights = random.longs(nodes, 0, 100).toArray();
        Stream<long[]> streets = IntStream.range(0, 4 * side * side)
                .filter(e -> random.nextInt(10) > 0)
                .mapToObj(e -> {
                    int from = e / 4;
                    int to = from + new int[] {1, -1, side, -side}[e % 4];
                    boolean inside =
                            to >= 0 && to < side * side && (from % side == to % side || from / side == to / side);
                    return inside
                            ? new long[] {from, to, heights[to] - heights[from] + random.nextInt(3)}
                            : new long[] {from, from, 0};
                });
        Stream<long[]> circle = Stream.of(
                new long[] {5, 6, heights[6] - heights[5]}, new long[] {6, 5, heights[5] - heights[6] + cycle});
        return graph(nodes, Stream.concat(streets, circle).toArray(long[][]::new));
    }

    /** Tests tables that are reordered so that many tiles are empty and can be omitted. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sparseTables(boolean next) {
        Graph graph = town(45, 100);
        TileOrder order =
                plan(graph, Strategy.BLOCKED, Long.MAX_VALUE, 0, false).order();
        assertThat(order.fill().tasks()).isLessThan(order.fill().allTasks() / 2);
        PathTable expected = ShortestPaths.solve(graph, Strategy.JOHNSON, next);
        PathTable found = ShortestPaths.solve(graph, Strategy.BLOCKED, next);
        for (int i = 0; i < graph.nodes; i++) {
            for (int j = 0; j < graph.nodes; j++) {
                boolean reached = expected.reaches(i, j);
                boolean same = found.reaches(i, j) == reached
                        && (!reached || found.length(i, j) == expected.length(i, j))
                        && (!next || found.next(i, j) == expected.next(i, j))
                        && (!next || !reached || found.edges(i, j) == expected.edges(i, j));
                if (!same) {
                    fail("next %s: the path from %d to %d differs", next, i, j);
                }
            }
        }
    }

    /** While a table is computed, all relaxations in the plan are reported, a part at a time. */
    @ParameterizedTest
    @EnumSource(names = {"FLOYD_WARSHALL", "R_WAY", "BLOCKED"})
    void relaxationsAreTold(Strategy strategy) {
        for (int side : List.of(25, 45).subList(0, Thorough.rounds(1, 2))) {
            Graph graph = town(side, 100);
            ShortestPaths.Plan plan = plan(graph, strategy, Long.MAX_VALUE, 0, false);
            List<Long> told = new ArrayList<>();
            ShortestPaths.solve(graph, plan, false, told::add).close();
            assertThat(told).hasSizeGreaterThan(3).allMatch(relaxations -> relaxations > 0);
            assertThat(told.stream().mapToLong(relaxations -> relaxations).sum())
                    .isEqualTo(ShortestPaths.relaxations(graph, plan))
                    .isBetween(1L, 2L * 2304 * 2304 * 2304);
        }
    }

    @Test
    void negativeCycleInSparseTableIsNamed() {
        Graph graph = town(45, -10);
        assertThat(plan(graph, Strategy.BLOCKED, Long.MAX_VALUE, 0, false).order())
                .isNotNull();
        assertThatThrownBy(() -> ShortestPaths.solve(graph, Strategy.BLOCKED, false))
                .hasMessageContaining("is on a cycle of negative weight");
    }

    /** Returns a graph that has an edge between any two vertices. */
    static Graph complete(int n) {
        return graph(
                n,
                IntStream.range(0, n * n)
                        .mapToObj(e -> new long[] {e / n, e % n, 1 + e % 7})
                        .toArray(long[][]::new));
    }

    static ShortestPaths.Plan plan(Graph graph, Strategy asked, long heap, long gpu, boolean gpuOnly) {
        return ShortestPaths.plan(
                graph, asked, graph.nodes, false, new ShortestPaths.Machine(heap, false, gpu, 1, 4), gpuOnly);
    }

    /** Tests plans without a GPU for a ring, a complete graph, and a graph with a very large weight. */
    @Test
    void plans() {
        int n = 2_000;
        Graph ring = graph(
                n,
                IntStream.range(0, n)
                        .mapToObj(i -> new long[] {i, (i + 1) % n, 1})
                        .toArray(long[][]::new));
        Graph dense = complete(n);
        long all = Long.MAX_VALUE;
        assertThat(plan(ring, Strategy.AUTO, all, 0, false).strategy()).isEqualTo(Strategy.JOHNSON);
        assertThat(plan(dense, Strategy.AUTO, all, 0, false).strategy()).isEqualTo(Strategy.BLOCKED);
        assertThat(plan(dense, Strategy.AUTO, 1 << 20, 0, false).strategy()).isEqualTo(Strategy.JOHNSON);
        Graph wide = graph(3, new long[] {0, 1, Long.MAX_VALUE});
        assertThat(plan(wide, Strategy.JOHNSON, all, 0, true))
                .matches(plan -> !plan.onGpu() && plan.strategy() == Strategy.FLOYD_WARSHALL);
    }

    /**
     * Compares with a checksum of the results of scipy and igraph: lengths in 32 bits, and 2^31 - 1 if there is no
     * path.
     */
    @Test
    void goldenRoads() throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        Map<String, Map<String, String>> gold = Golden.rows("apsp_rome99_balls.gold");
        for (Map<String, String> row : Golden.rows("graph_rome99_balls.data").values()) {
            long[][] edges = Arrays.stream(row.get("edges(src,dst,w;...)").split(";"))
                    .map(edge -> Arrays.stream(edge.split(","))
                            .mapToLong(Long::parseLong)
                            .toArray())
                    .toArray(long[][]::new);
            int nodes = Integer.parseInt(row.get("n"));
            PathTable paths = ShortestPaths.solve(graph(nodes, edges), Strategy.AUTO, false);
            ByteBuffer lengths = ByteBuffer.allocate(4 * nodes * nodes).order(ByteOrder.LITTLE_ENDIAN);
            for (int cell = 0; cell < nodes * nodes; cell++) {
                int i = cell / nodes;
                int j = cell % nodes;
                lengths.putInt(paths.reaches(i, j) ? (int) paths.length(i, j) : Integer.MAX_VALUE);
            }
            assertThat(HexFormat.of().formatHex(digest.digest(lengths.array())))
                    .isEqualTo(gold.get(row.get("id")).get("sha256_int32le_rowmajor_inf=2147483647"));
        }
    }
}
