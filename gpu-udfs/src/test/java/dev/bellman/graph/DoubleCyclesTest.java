package dev.bellman.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.BellmanException;
import dev.bellman.graph.ShortestPaths.Strategy;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests cycles whose weight is 0 as a sum of decimals, but not as a sum of DOUBLEs. */
class DoubleCyclesTest {
    private static final ErrorContext CONTEXT = ErrorContext.ofFunction("f");

    /** A cycle whose computed weight is -5.55e-17 in the order of the Floyd-Warshall loop. */
    private static final int[] CYCLE = {13, 14, 120, 178, 204, 125, 189, 58, 114, 89, 141, 163};

    private static final double[] CYCLE_WEIGHTS = {
        -0.15, 0.13, -0.24, 0.33, 0.04, -0.31, 0.15, -0.07, 0.1, -0.23, 0.3, -0.05
    };

    @ParameterizedTest
    @EnumSource(names = {"AUTO", "FLOYD_WARSHALL", "R_WAY", "BLOCKED"})
    void cycleOfWeightZero(Strategy strategy) {
        int[] targets = new int[CYCLE.length];
        Arrays.setAll(targets, i -> CYCLE[(i + 1) % CYCLE.length]);
        Graph graph = Graph.ofDoubles(CONTEXT, 205, CYCLE, targets, CYCLE_WEIGHTS);
        PathTable lengths = ShortestPaths.solve(graph, strategy, false);
        PathTable next = ShortestPaths.solve(graph, strategy, true);
        for (int from = 0; from < CYCLE.length; from++) {
            double sum = 0;
            for (int step = 0; step < CYCLE.length; step++) {
                int to = (from + step) % CYCLE.length;
                assertThat(length(lengths, CYCLE[from], CYCLE[to])).isCloseTo(sum, within(1e-15));
                assertThat(edges(next, CYCLE[from], CYCLE[to])).isEqualTo(step);
                sum += CYCLE_WEIGHTS[to];
            }
        }
        for (int v = 0; v < 205; v++) {
            assertThat(length(lengths, v, v)).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"0.1, 600", "0.19999, 300", "0.199999999999, 3"})
    void cycleBelowZero(double last, int nodes) {
        int[] sources = {0, 1, 2};
        int[] targets = {1, 2, 0};
        for (Strategy strategy : new Strategy[] {Strategy.FLOYD_WARSHALL, Strategy.R_WAY, Strategy.BLOCKED}) {
            Graph negative = Graph.ofDoubles(CONTEXT, nodes, sources, targets, new double[] {-0.3, 0.1, last});
            assertThatThrownBy(() -> ShortestPaths.solve(negative, strategy, false))
                    .hasMessageContaining("is on a cycle of negative weight");
            Graph zero = Graph.ofDoubles(CONTEXT, nodes, sources, targets, new double[] {-0.3, 0.1, 0.2});
            assertThat(length(ShortestPaths.solve(zero, strategy, false), 0, 0)).isZero();
        }
    }

    /**
     * Graphs with weights in hundredths have the same path lengths, up to rounding, and negative cycles as the same
     * graphs with integer weights.
     */
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 8, 13, 40, 100})
    void likeIntegers(int nodes) {
        SplittableRandom random = new SplittableRandom(nodes);
        int negative = 0;
        int graphs = nodes < 20 ? 1_000 : 10;
        for (int i = 0; i < graphs; i++) {
            // either many edges or a few
            int edges = random.nextBoolean() ? nodes * nodes : random.nextInt(4 * nodes) + 1;
            long[] heights = random.longs(nodes, 0, 1 + random.nextInt(10_000)).toArray();
            // in a quarter of the graphs, every cycle without the edge `below` has weight 0
            int above = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(100);
            int below = random.nextInt(nodes * nodes);
            int[] sources = random.ints(edges, 0, nodes).toArray();
            int[] targets = random.ints(edges, 0, nodes).toArray();
            long[] weights = new long[edges];
            for (int e = 0; e < edges; e++) {
                weights[e] = heights[targets[e]] - heights[sources[e]] + random.nextInt(above);
                weights[e] -= e == below && sources[e] != targets[e] ? 1 : 0;
            }
            double[] hundredths =
                    Arrays.stream(weights).mapToDouble(each -> each / 100.0).toArray();
            Optional<PathTable> exact = solved(Graph.ofLongs(CONTEXT, nodes, sources, targets, weights), false);
            Graph graph = Graph.ofDoubles(CONTEXT, nodes, sources, targets, hundredths);
            Optional<PathTable> found = solved(graph, false);
            assertThat(found.isPresent()).isEqualTo(exact.isPresent());
            negative += exact.isPresent() ? 0 : 1;
            if (exact.isPresent()) {
                compare(nodes, exact.get(), found.get(), solved(graph, true).orElseThrow());
            }
        }
        assertThat(negative).isBetween(1, graphs / 2);
    }

    private static void compare(int nodes, PathTable exact, PathTable found, PathTable next) {
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                boolean same = found.reaches(from, to) == exact.reaches(from, to);
                if (same && exact.reaches(from, to)) {
                    double difference = length(found, from, to) - exact.length(from, to) / 100.0;
                    same = Math.abs(difference) < 1e-10 && edges(next, from, to) < nodes;
                }
                if (!same) {
                    fail("from %d to %d of %d", from, to, nodes);
                }
            }
        }
    }

    private static Optional<PathTable> solved(Graph graph, boolean next) {
        try {
            return Optional.of(ShortestPaths.solve(graph, Strategy.FLOYD_WARSHALL, next));
        } catch (BellmanException e) {
            assertThat(e).hasMessageContaining("is on a cycle of negative weight");
            return Optional.empty();
        }
    }

    private static double length(PathTable paths, int from, int to) {
        return Double.longBitsToDouble(paths.length(from, to));
    }

    /** Returns the number of edges on a path, counted by following next vertices. */
    private static int edges(PathTable next, int from, int to) {
        int edges = 0;
        for (int at = from; at != to && edges < 1_000; at = next.next(at, to)) {
            edges++;
        }
        return edges;
    }

    /** Nonnegative weights are added without a margin. */
    @Test
    void noMarginWithoutNegativeWeights() {
        Graph graph = Graph.ofDoubles(
                CONTEXT, 3, new int[] {0, 1, 0}, new int[] {1, 2, 2}, new double[] {0.1, 0.2, 0.30000000000000009});
        assertThat(graph.margin()).isZero();
        assertThat(length(ShortestPaths.solve(graph, Strategy.FLOYD_WARSHALL, false), 0, 2))
                .isEqualTo(0.1 + 0.2);
    }
}
