package dev.bellman.graph;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.Thorough;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.graph.ShortestPaths.Strategy;
import dev.bellman.proof.Proofs;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShortestPathsTest extends ShortestPathsFixture {
    private static final int INSTANCES = Thorough.rounds(800, 2_500);

    /** Returns a function's result as nested lists, or the error code if it fails. */
    private static Object answer(Signature<Strategy> signature, Strategy strategy, InternalRow row) {
        try {
            Object result = signature.call(strategy, FunctionOptions.DEFAULT).result(row.getInt(0), row.getArray(1));
            return values(
                    signature.result(),
                    CatalystTypeConverters$.MODULE$
                            .createToCatalystConverter(signature.result())
                            .apply(result));
        } catch (BellmanException e) {
            return e.code();
        }
    }

    @SuppressWarnings("unchecked") // all functions of the family have this type of strategy
    private static Collection<BellmanFunction<Strategy>> functions() {
        return GraphFunctions.list().stream()
                .map(each -> (BellmanFunction<Strategy>) each)
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void asDefined(Strategy strategy) {
        // even a small table takes a whole tile, so fewer instances are tested
        boolean tiles = strategy == Strategy.R_WAY || strategy == Strategy.BLOCKED;
        int instances = tiles ? Thorough.rounds(125, 500) : INSTANCES;
        int answers = 0;
        for (BellmanFunction<Strategy> function : functions()) {
            for (Signature<Strategy> signature : function.signatures()) {
                SplittableRandom random = new SplittableRandom(1962);
                for (int i = 0; i < instances; i++) {
                    InternalRow row = Proofs.of(signature).generator().generate(random, 1 + i % 12);
                    if (!row.anyNull() && Proofs.of(signature).leeway().serves(strategy, row)) {
                        Object expected = expected(signature, row);
                        assertThat(answer(signature, strategy, row))
                                .as("%s of %s", function.name(), row)
                                .isEqualTo(expected);
                        answers += expected instanceof ErrorCode ? 0 : 1;
                    }
                }
            }
        }
        assertThat(answers).isGreaterThan(instances / 2);
    }

    /** Tests larger graphs, for which the textbook would take too long to find next vertices. */
    @ParameterizedTest
    @EnumSource(
            value = Strategy.class,
            names = {"AUTO", "JOHNSON", "R_WAY", "BLOCKED"})
    void strategiesAgree(Strategy strategy) {
        for (BellmanFunction<Strategy> function : functions()) {
            for (Signature<Strategy> signature : function.signatures()) {
                SplittableRandom random = new SplittableRandom(1977);
                for (int size : new int[] {31, 64, 127, 128, 129, 256, 257, 300}) {
                    for (int i = 0; i < Thorough.rounds(1, 4); i++) {
                        InternalRow row = Proofs.of(signature).generator().generate(random, size);
                        if (!row.anyNull() && Proofs.of(signature).leeway().serves(strategy, row)) {
                            assertThat(answer(signature, strategy, row))
                                    .isEqualTo(answer(signature, Strategy.FLOYD_WARSHALL, row));
                        }
                    }
                }
            }
        }
    }

    /** Following next vertices reaches the target, along edges whose weights add up to the length. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nextVerticesLeadToTheTarget(boolean doubles) {
        SplittableRandom random = new SplittableRandom(5);
        int walked = 0;
        for (int i = 0; i < 400; i++) {
            InternalRow row = doubles ? GraphInstances.doubles(random, 40) : GraphInstances.longs(random, 40);
            Graph graph;
            PathTable lengths;
            PathTable next;
            try {
                graph = graph(row, doubles);
                lengths = ShortestPaths.solve(graph, Strategy.FLOYD_WARSHALL, false);
                next = ShortestPaths.solve(graph, Strategy.FLOYD_WARSHALL, true);
                for (int from = 0; from < graph.nodes; from++) {
                    PathTable back = backward(from, Predecessors.of(graph, lengths, from, from));
                    for (int to = 0; to < graph.nodes; to++) {
                        walked += walk(graph, lengths, next, from, to);
                        walk(graph, lengths, back, from, to);
                        for (int at = from; !doubles && next.next(at, to) != PathTable.NONE; at = next.next(at, to)) {
                            assertThat(back.next(at, to)).isEqualTo(next.next(at, to));
                        }
                    }
                }
            } catch (BellmanException e) {
                assertThat(e.code().isRowError()).isTrue();
            }
        }
        assertThat(walked).isGreaterThan(10_000);
    }

    /** Returns the next vertices on the paths from one vertex, as derived from predecessors. */
    private static PathTable backward(int source, int... previous) {
        return new PathTable() {
            @Override
            public boolean reaches(int from, int to) {
                throw new UnsupportedOperationException();
            }

            @Override
            public long length(int from, int to) {
                throw new UnsupportedOperationException();
            }

            @Override
            public int next(int from, int to) {
                if (to != source && previous[to] == NONE) {
                    return NONE;
                }
                int at = to;
                for (int edges = 0; at != source && previous[at] != from; edges++) {
                    assertThat(edges).isLessThan(previous.length);
                    at = previous[at];
                }
                return at == source ? NONE : at;
            }

            @Override
            public int edges(int from, int to) {
                throw new UnsupportedOperationException();
            }
        };
    }

    private static int walk(Graph graph, PathTable lengths, PathTable next, int from, int to) {
        if (from == to || !lengths.reaches(from, to)) {
            assertThat(next.next(from, to)).isEqualTo(PathTable.NONE);
            return 0;
        }
        long length = 0;
        double sum = 0;
        double magnitude = 0;
        int edges = 0;
        for (int at = from; at != to; edges++) {
            assertThat(edges).isLessThan(graph.nodes);
            int target = next.next(at, to);
            int edge = Arrays.binarySearch(graph.targets, graph.starts[at], graph.starts[at + 1], target);
            assertThat(edge).isNotNegative();
            if (graph.longs != null) {
                length += graph.longs[edge];
            } else {
                sum += graph.doubles[edge];
                magnitude += Math.abs(graph.doubles[edge]);
            }
            at = target;
        }
        if (graph.longs != null) {
            assertThat(length).isEqualTo(lengths.length(from, to));
        } else {
            assertThat(Math.abs(Double.longBitsToDouble(lengths.length(from, to)) - sum))
                    .isLessThanOrEqualTo(magnitude * graph.nodes * 0x1p-50);
        }
        return 1;
    }

    /** Vertex 0 leads to a cycle of weight -1 through 2, 3 and 4, which leads to 1. */
    @ParameterizedTest
    @EnumSource(
            value = Strategy.class,
            names = {"FLOYD_WARSHALL", "JOHNSON", "R_WAY", "BLOCKED"})
    void negativeCycleIsNamed(Strategy strategy) {
        Graph graph = graph(
                6,
                new long[] {0, 2, 7},
                new long[] {2, 3, 1},
                new long[] {3, 4, -5},
                new long[] {4, 2, 3},
                new long[] {4, 1, 2},
                new long[] {1, 5, 0});
        assertThatThrownBy(() -> ShortestPaths.solve(graph, strategy, false))
                .hasMessageMatching(".*BELLMAN_INPUT_VALUE. f: vertex [234] is on a cycle of negative weight.*");
        assertThatThrownBy(() -> graph(3, new long[] {1, 1, -1}))
                .hasMessageContaining("vertex 1 is on a cycle of negative weight");
    }

    /**
     * Each round of the Bellman-Ford algorithm follows the cycle once, so after a few rounds the length would exceed 64
     * bits.
     */
    @ParameterizedTest
    @EnumSource(
            value = Strategy.class,
            names = {"FLOYD_WARSHALL", "JOHNSON", "BLOCKED"})
    void longNegativeCycleIsNamed(Strategy strategy) {
        int nodes = 100;
        Graph graph = graph(
                nodes,
                IntStream.range(0, nodes)
                        .mapToObj(i -> new long[] {i, (i + 1) % nodes, -1L << 53})
                        .toArray(long[][]::new));

        assertThatThrownBy(() -> ShortestPaths.solve(graph, strategy, false))
                .hasMessageContaining("is on a cycle of negative weight");
    }

    /** Tests lengths that fit in 64 bits although intermediate sums do not, and lengths that do not fit. */
    @Test
    void hugeWeights() {
        long huge = Long.MAX_VALUE;
        PathTable fits =
                ShortestPaths.solve(graph(3, new long[] {0, 1, huge}, new long[] {1, 2, -huge}), Strategy.AUTO, false);
        assertThat(fits.length(0, 1)).isEqualTo(huge);
        assertThat(fits.length(0, 2)).isZero();
        assertThat(fits.length(1, 2)).isEqualTo(-huge);
        Graph beyond =
                graph(4, new long[] {0, 1, huge}, new long[] {1, 2, 1}, new long[] {2, 3, Long.MIN_VALUE}, new long[] {
                    3, 1, huge
                });
        PathTable lengths = ShortestPaths.solve(beyond, Strategy.AUTO, false);
        assertThat(lengths.reaches(0, 2)).isTrue();
        assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> lengths.length(0, 2));
        assertThat(lengths.length(0, 3)).isZero();
        assertThat(ShortestPaths.solve(beyond, Strategy.AUTO, true).next(0, 2)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Strategy.class,
            names = {"DIJKSTRA", "JOHNSON"})
    void strategiesForOtherWeights(Strategy strategy) {
        Graph doubles = Graph.ofDoubles(CONTEXT, 2, new int[] {0}, new int[] {1}, new double[] {1.5});
        assertFails(ErrorCode.BELLMAN_CONFIGURATION, () -> ShortestPaths.solve(doubles, strategy, false));
    }

    /** Compares with the results of scipy and igraph. */
    @ParameterizedTest
    @ValueSource(strings = {"karate", "lesmis", "miles400"})
    void goldenUndirected(String name) {
        List<String[]> edges = Golden.lines("graph_" + name + ".data");
        List<String[]> gold = Golden.lines("apsp_" + name + ".gold");
        long[][] both = edges.subList(1, edges.size()).stream()
                .map(line -> Arrays.stream(line).mapToLong(Long::parseLong).toArray())
                .flatMap(e -> Stream.of(e, new long[] {e[1], e[0], e[2]}))
                .toArray(long[][]::new);
        Graph graph = graph(gold.size(), both);
        for (Strategy strategy : Strategy.values()) {
            PathTable paths = ShortestPaths.solve(graph, strategy, false);
            for (int i = 0; i < gold.size(); i++) {
                for (int j = 0; j < gold.size(); j++) {
                    assertThat(paths.reaches(i, j) ? Long.toString(paths.length(i, j)) : "inf")
                            .isEqualTo(gold.get(i)[j]);
                }
            }
        }
    }
}
