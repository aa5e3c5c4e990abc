package dev.bellman.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.TextbookAnswers;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.order.JoinOrder.Strategy;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.junit.jupiter.api.Test;

/** Tests the order of joins. */
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

    /** Products of small integers and of quarters are exact. */
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

    @Test
    void messages() {
        ArrayData two = Values.array(10.0, 20.0);
        assertThatThrownBy(() -> solve(Strategy.AUTO, two, Values.arrayOf()))
                .hasMessage("[BELLMAN_INPUT_VALUE] join_order: relation 1 is not connected to relation 0; add an edge, "
                        + "with selectivity 1 for a cross product. Correct the row, or use try_join_order, which "
                        + "returns NULL");
        assertThatThrownBy(() -> solve(Strategy.AUTO, two, Values.arrayOf(Values.row(0, 2, 0.5))))
                .hasMessageContaining(
                        "entry 1 of target of edges (counted from 1) is 2; it must be a relation, from 0 " + "to 1");
        assertThatThrownBy(() -> solve(Strategy.AUTO, Values.array(new double[21]), Values.arrayOf()))
                .hasMessageContaining(
                        "[BELLMAN_LIMIT] join_order: cardinalities lists 21 relations; the maximum is " + "20");
    }
}
