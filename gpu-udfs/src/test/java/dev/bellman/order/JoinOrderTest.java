package dev.bellman.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.TextbookAnswers;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.order.JoinOrder.Strategy;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.junit.jupiter.api.Test;

class JoinOrderTest {
    private static final int INSTANCES = 300;

    @Test
    void equalsTheTextbook() {
        for (BellmanFunction<?> function : JoinFunctions.list()) {
            TextbookAnswers.compare(function, 2006, INSTANCES, 8);
        }
    }

    /** Compares the strategies with each other at sizes that are too large for the textbook. */
    @Test
    void largerGraphs() {
        SplittableRandom random = new SplittableRandom(1979);
        for (int round = 0; round < 40; round++) {
            int n = 10 + random.nextInt(4);
            double[] cardinalities = random.doubles(n, 1, 1_000).map(Math::rint).toArray();
            List<Object> edges = new ArrayList<>();
            for (int r = 1; r < n; r++) {
                edges.add(Values.row(r, random.nextInt(r), 0.25));
                edges.add(Values.row(r - 1, r, random.nextInt(1, 5) / 4.0));
            }
            Collections.shuffle(edges, new java.util.Random(round));
            Row found = solve(Strategy.AUTO, Values.array(cardinalities), Values.arrayOf(edges.toArray()));
            assertThat(found)
                    .isEqualTo(solve(Strategy.SERIAL, Values.array(cardinalities), Values.arrayOf(edges.toArray())));
        }
    }

    /** Enumerates all trees over up to 9 relations of a chain, without a table. */
    @Test
    void chainsEqualAllTrees() {
        SplittableRandom random = new SplittableRandom(9);
        for (int n = 1; n <= 9; n++) {
            double[] cardinalities = IntStream.range(0, n)
                    .mapToDouble(i -> random.nextInt(1, 64))
                    .toArray();
            Object[] edges = IntStream.range(1, n)
                    .mapToObj(r -> Values.row(r - 1, r, 0.25))
                    .toArray();
            Row found = solve(Strategy.AUTO, Values.array(cardinalities), Values.arrayOf(edges));
            assertThat(found.getDouble(0)).isEqualTo(least(cardinalities, 0, n));
        }
    }

    /**
     * Returns the lowest cost of all trees over a part of a chain. Products of small integers and of quarters are
     * exact.
     */
    private static double least(double[] cardinalities, int first, int end) {
        if (end - first == 1) {
            return 0;
        }
        double rows = 1;
        for (int r = first; r < end; r++) {
            rows *= cardinalities[r] * (r > first ? 0.25 : 1);
        }
        double best = Double.POSITIVE_INFINITY;
        for (int middle = first + 1; middle < end; middle++) {
            best = Math.min(best, least(cardinalities, first, middle) + least(cardinalities, middle, end) + rows);
        }
        return best;
    }

    private static Row solve(Strategy strategy, ArrayData cardinalities, ArrayData edges) {
        return (Row) TextbookAnswers.call(
                JoinFunctions.list().get(0), Strategies.name(strategy), FunctionOptions.DEFAULT, cardinalities, edges);
    }

    private enum Shape {
        CHAIN,
        STAR,
        CYCLE,
        CLIQUE;

        private boolean has(int a, int b, int n) {
            return switch (this) {
                case CHAIN -> b == a + 1;
                case STAR -> a == 0;
                case CYCLE -> b == a + 1 || a == 0 && b == n - 1;
                case CLIQUE -> true;
            };
        }

        ArrayData[] graph(int n, long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Object> edges = new ArrayList<>();
            for (int a = 0; a < n; a++) {
                for (int b = a + 1; b < n; b++) {
                    if (has(a, b, n)) {
                        edges.add(Values.row(a, b, random.nextInt(1, 5) / 8.0));
                    }
                }
            }
            double[] cardinalities = random.doubles(n, 1, 50).map(Math::rint).toArray();
            return new ArrayData[] {Values.array(cardinalities), Values.arrayOf(edges.toArray())};
        }
    }

    private static Row solve(Strategy strategy, ArrayData[] graph) {
        return solve(strategy, graph[0], graph[1]);
    }

    /** Compares both strategies for graphs with few connected sets, which a hash table stores, and with many. */
    @Test
    void shapes() {
        for (Shape shape : Shape.values()) {
            for (int n = 12; n <= 14; n++) {
                ArrayData[] graph = shape.graph(n, n);
                assertThat(solve(Strategy.AUTO, graph)).isEqualTo(solve(Strategy.SERIAL, graph));
            }
        }
    }

    /** Compares the costs for long chains and cycles with those from a table of all intervals. */
    @Test
    void manyRelations() {
        for (int n : new int[] {25, 40, 62, 63}) {
            for (Shape shape : List.of(Shape.CHAIN, Shape.CYCLE)) {
                ArrayData[] graph = shape.graph(n, n);
                double expected = ofIntervals(graph, shape == Shape.CYCLE);
                assertThat(solve(Strategy.AUTO, graph).getDouble(0)).isCloseTo(expected, withPercentage(1e-9));
            }
        }
    }

    /** Returns the cost of the best tree over the intervals of a chain or, if it is closed, of a cycle. */
    private static double ofIntervals(ArrayData[] graph, boolean isClosed) {
        int n = graph[0].numElements();
        double[][] selectivities = new double[n][n];
        for (double[] row : selectivities) {
            Arrays.fill(row, 1);
        }
        for (int e = 0; e < graph[1].numElements(); e++) {
            InternalRow edge = graph[1].getStruct(e, 3);
            selectivities[edge.getInt(0)][edge.getInt(1)] *= edge.getDouble(2);
            selectivities[edge.getInt(1)][edge.getInt(0)] = selectivities[edge.getInt(0)][edge.getInt(1)];
        }
        double[][] costs = new double[n][n + 1];
        for (int length = 2; length <= n; length++) {
            for (int first = 0; first < n; first++) {
                double rows = 1;
                for (int i = 0; i < length; i++) {
                    int r = (first + i) % n;
                    rows *= graph[0].getDouble(r) * (i > 0 ? selectivities[(r + n - 1) % n][r] : 1);
                }
                rows *= isClosed && length == n ? selectivities[(first + n - 1) % n][first] : 1;
                double best = Double.POSITIVE_INFINITY;
                for (int left = 1; left < length && (isClosed || first + length <= n); left++) {
                    best = Math.min(best, costs[first][left] + costs[(first + left) % n][length - left]);
                }
                costs[first][length] = best + rows;
            }
        }
        return isClosed ? Arrays.stream(costs).mapToDouble(row -> row[n]).min().orElseThrow() : costs[0][n];
    }

    @Test
    void blocks() {
        for (Shape shape : Shape.values()) {
            for (int n = 2; n <= 12; n++) {
                ArrayData[] graph = shape.graph(n, n);
                double cheapest = solve(Strategy.AUTO, graph).getDouble(0);
                double greedy = solve(graph, 2).getDouble(0);
                for (int block = 3; block <= n; block++) {
                    assertThat(solve(graph, block).getDouble(0))
                            .isBetween(cheapest * (1 - 1e-12), greedy * (1 + 1e-12));
                }
                assertThat(solve(graph, n)).isEqualTo(solve(Strategy.AUTO, graph));
            }
        }
        // a clique of 63 relations has too many connected sets for an exact solution, so compare two block sizes
        assertThat(solve(Shape.CLIQUE.graph(63, 1), 10).getDouble(0))
                .isLessThanOrEqualTo(solve(Shape.CLIQUE.graph(63, 1), 2).getDouble(0));
    }

    private static Row solve(ArrayData[] graph, int blockSize) {
        return (Row) TextbookAnswers.call(
                JoinFunctions.list().get(0), "auto", FunctionOptions.DEFAULT, graph[0], graph[1], blockSize);
    }

    @Test
    void messages() {
        ArrayData two = Values.array(10.0, 20.0);
        assertThatThrownBy(() -> solve(Strategy.AUTO, two, Values.arrayOf()))
                .hasMessage("[BELLMAN_INPUT_VALUE] join_order: relation 1 is not connected to relation 0; add an edge, "
                        + "with selectivity 1 for a cross product. Correct the row, or use try_join_order, which "
                        + "returns NULL");
        ArrayData[] graph = {two, Values.arrayOf(Values.row(0, 1, 0.5))};
        assertThatThrownBy(() -> solve(graph, 1))
                .hasMessageContaining("join_order: block_size is 1; it must be at least 2");
        assertThatThrownBy(() -> solve(Strategy.AUTO, two, Values.arrayOf(Values.row(0, 2, 0.5))))
                .hasMessageContaining("the target of edge 1 (counted from 1) is 2; it must be a relation from 0 to 1");
        assertThatThrownBy(() -> solve(Strategy.AUTO, Values.array(new double[64]), Values.arrayOf()))
                .hasMessageContaining(
                        "[BELLMAN_LIMIT] join_order: cardinalities lists 64 relations; the maximum is 63");
        assertThatThrownBy(() -> solve(Strategy.AUTO, Shape.STAR.graph(40, 1)))
                .hasMessageContaining("[BELLMAN_LIMIT] join_order: the graph of 40 relations has more than 33,554,432 "
                        + "connected sets; set block_size, for example to 12");
        assertThatThrownBy(() -> solve(Strategy.SERIAL, Shape.CHAIN.graph(26, 1)))
                .hasMessageContaining("[BELLMAN_LIMIT] join_order: the strategy serial tries all sets of 26 relations, "
                        + "which are more than 33,554,432 sets; use the strategy auto");
        ArrayData[] growing = {
            Values.array(DoubleStream.generate(() -> 10).limit(63).toArray()),
            Values.arrayOf(
                    IntStream.range(1, 63).mapToObj(i -> Values.row(0, i, 0.5)).toArray())
        };
        assertThatThrownBy(() -> solve(growing, 62))
                .hasMessageContaining("[BELLMAN_LIMIT] join_order: a block of 62 subtrees has more than 33,554,432 "
                        + "connected sets; decrease block_size, for example to 12");
        assertThatThrownBy(() -> TextbookAnswers.call(
                        JoinFunctions.list().get(0), "serial", FunctionOptions.DEFAULT, growing[0], growing[1], 30))
                .hasMessageContaining("[BELLMAN_LIMIT] join_order: the strategy serial tries all sets of a block's 30 "
                        + "subtrees, which are more than 33,554,432 sets; use the strategy auto, or decrease "
                        + "block_size");
    }
}
