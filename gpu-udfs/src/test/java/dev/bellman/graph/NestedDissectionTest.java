package dev.bellman.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.graph.dense.Distances;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NestedDissectionTest {
    static Graph graph(int nodes, int[]... edges) {
        return Graph.ofLongs(
                ErrorContext.ofFunction("f"),
                nodes,
                Arrays.stream(edges).mapToInt(e -> e[0]).toArray(),
                Arrays.stream(edges).mapToInt(e -> e[1]).toArray(),
                new long[edges.length]);
    }

    /** Returns a square grid of vertices with edges between neighbours, in both directions. */
    private static Graph grid(int side) {
        return graph(
                side * side,
                IntStream.range(0, 2 * side * side)
                        .mapToObj(e -> new int[] {e / 2, e / 2 + (e % 2 == 0 ? 1 : side)})
                        .filter(e -> e[1] < side * side && (e[1] % side != 0 || e[1] - e[0] == side))
                        .flatMap(e -> Stream.of(e, new int[] {e[1], e[0]}))
                        .toArray(int[][]::new));
    }

    private static Graph random(int nodes, int edges) {
        SplittableRandom random = new SplittableRandom(nodes);
        return graph(
                nodes,
                IntStream.range(0, edges)
                        .mapToObj(e -> new int[] {random.nextInt(nodes), random.nextInt(nodes)})
                        .toArray(int[][]::new));
    }

    private static Graph star(int nodes) {
        return graph(
                nodes, IntStream.range(1, nodes).mapToObj(v -> new int[] {v, 0}).toArray(int[][]::new));
    }

    private static Graph path(int nodes) {
        return graph(
                nodes,
                IntStream.range(1, nodes)
                        .mapToObj(v -> new int[] {v * 7 % nodes, (v + 1) * 7 % nodes})
                        .toArray(int[][]::new));
    }

    @Test
    void everyVertexOnce() {
        for (Graph graph : List.of(
                graph(0),
                graph(1),
                graph(1_000),
                star(700),
                path(1_000),
                grid(30),
                random(500, 200),
                random(500, 700),
                random(500, 5_000),
                random(60, 3_000))) {
            for (int tile : new int[] {1, 2, 7, 64, 256}) {
                int[] order = NestedDissection.order(graph, tile);
                Arrays.sort(order);
                assertThat(order).isEqualTo(IntStream.range(0, graph.nodes).toArray());
            }
        }
    }

    /**
     * In the end, the whole table is filled, so for n vertices, at least the n^2 |S| steps of the first separator S
     * remain, where |S| is its number of vertices. These are 0.2 percent of all n^3 steps.
     */
    @Test
    void workOnGridOf512x512() {
        TileOrder order = TileOrder.of(grid(512), false, Distances.EDGE);

        assertThat(order.fill().allTasks()).isEqualTo(1L << 30);
        assertThat(order.fill().tasks()).isBetween(1L << 21, 4L << 20);
    }

    @Test
    void workOnOthers() {
        assertThat(TileOrder.of(random(3_000, 60_000), false, Distances.EDGE)).isNull();
        assertThat(TileOrder.of(path(10_000), false, Distances.EDGE).fill().tasks())
                .isLessThan(40L * 40 * 40 / 10);
        // a thousand components of eight vertices
        Graph parts = graph(
                8_000,
                IntStream.range(0, 8_000)
                        .mapToObj(v -> new int[] {v, (v + 1_000) % 8_000})
                        .toArray(int[][]::new));
        assertThat(TileOrder.of(parts, false, Distances.EDGE).fill().tasks()).isLessThan(32L * 9);
    }

    @Test
    void doublesKeepTheirOrder() {
        Graph path = Graph.ofDoubles(
                ErrorContext.ofFunction("f"),
                5_000,
                IntStream.range(0, 4_999).toArray(),
                IntStream.range(1, 5_000).toArray(),
                new double[4_999]);

        assertThat(TileOrder.of(path, false, Distances.EDGE)).isNull();
    }
}
