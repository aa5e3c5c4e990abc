package dev.bellman.chain.tree;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Thorough;
import dev.bellman.chain.tree.Parenthesization.DoubleSolution;
import dev.bellman.chain.tree.Parenthesization.LongSolution;
import dev.bellman.chain.tree.Parenthesization.Strategy;
import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ParenthesizationTest {
    private static void check(long[] leaf, long[] w) {
        String instance = Arrays.toString(leaf) + Arrays.toString(w);
        InternalRow expected;
        try {
            expected = (InternalRow) RangeCostTextbook.ofLongs(Values.row(Values.array(leaf), Values.array(w)));
        } catch (BellmanException overflow) {
            assertThat(overflow.code()).isEqualTo(ErrorCode.BELLMAN_OVERFLOW);
            for (Strategy strategy : Strategy.values()) {
                assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> Parenthesization.solve(leaf, w, strategy));
            }
            return;
        }
        for (Strategy strategy : Strategy.values()) {
            LongSolution solution = Parenthesization.solve(leaf, w, strategy);
            assertThat(solution.cost()).as(instance).isEqualTo(expected.getLong(0));
            assertThat(solution.splits())
                    .as(instance)
                    .isEqualTo(expected.getArray(1).toIntArray());
        }
    }

    private static void check(double[] leaf, double[] w) {
        InternalRow expected =
                (InternalRow) RangeCostTextbook.ofDoubles(Values.row(Values.array(leaf), Values.array(w)));
        for (Strategy strategy : Strategy.values()) {
            DoubleSolution solution = Parenthesization.solve(leaf, w, strategy);
            assertThat(solution.cost()).isEqualTo(expected.getDouble(0));
            assertThat(solution.splits()).isEqualTo(expected.getArray(1).toIntArray());
        }
    }

    private static int pairs(int leaves) {
        return leaves * (leaves - 1) / 2;
    }

    @Test
    void random() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 800; round++) {
            int leaves = 1 + random.nextInt(round % 20 == 0 ? 70 : 14);
            long bound = Math.max(1, Long.MAX_VALUE >> random.nextInt(64));
            check(
                    random.longs(leaves, 0, bound).toArray(),
                    random.longs(pairs(leaves), 0, bound).toArray());
            double tenth = 1 + random.nextInt(30);
            check(
                    DoubleStream.generate(() -> random.nextInt(10) / tenth)
                            .limit(leaves)
                            .toArray(),
                    DoubleStream.generate(() ->
                                    random.nextInt(9) == 0 ? Double.POSITIVE_INFINITY : random.nextInt(10) / tenth)
                            .limit(pairs(leaves))
                            .toArray());
        }
    }

    /** Forbids leaves and ranges by the largest cost, so that any additional cost overflows. */
    @Test
    void forbidden() {
        long never = Long.MAX_VALUE;
        check(new long[] {1, 1, 1}, new long[] {never, 5, 3});
        check(new long[] {1, 1, 1}, new long[] {3, 5, never});
        check(new long[] {1, 1, 1, 1}, new long[] {never, never, 5, 3, 4, never});
        check(new long[] {1, 1, 1}, new long[] {never, 5, never});
        check(new long[] {never}, new long[0]);
        check(new long[] {never, 0}, new long[] {0});
        check(new long[] {never, 1}, new long[] {0});
    }

    /** Merges files of 10, 20, 30 and 40, always two neighbours at a time. */
    @Test
    void merging() {
        LongSolution solution =
                Parenthesization.solve(new long[4], new long[] {30, 60, 100, 50, 90, 70}, Strategy.AUTO);
        assertThat(solution.cost()).isEqualTo(190);
        assertThat(solution.splits()).containsExactly(3, 2, 1);
    }

    /** A search tree is a parenthesization of its gaps. */
    @Test
    void searchTrees() {
        SplittableRandom random = new SplittableRandom(3);
        for (int keys : new int[] {1, 7, 40, 150}) {
            long[] p = random.longs(keys, 0, 50).toArray();
            long[] q = random.longs(keys + 1, 0, 50).toArray();
            long[] w = IntStream.rangeClosed(0, keys)
                    .boxed()
                    .flatMapToLong(a -> IntStream.rangeClosed(a + 1, keys)
                            .mapToLong(b -> Arrays.stream(p, a, b).sum()
                                    + Arrays.stream(q, a, b + 1).sum()))
                    .toArray();
            OptimalBst.LongSolution expected = OptimalBst.solve(p, q, OptimalBst.Strategy.KNUTH);
            LongSolution solution = Parenthesization.solve(q, w, Strategy.AUTO);
            assertThat(solution.cost()).isEqualTo(expected.cost());
            assertThat(solution.splits()).isEqualTo(expected.roots());
        }
    }

    /**
     * Tests sizes around the boundaries of the recursion's tiles, including sides whose number of tiles is not a power
     * of two.
     */
    @Test
    void rWay() {
        SplittableRandom random = new SplittableRandom(6);
        for (int leaves : new int[] {1, 2, 126, 127, 128, 129, 255, 256, 300, 517}) {
            long[] leaf = random.longs(leaves, 0, 1_000).toArray();
            long[] w = random.longs(pairs(leaves), 0, 1_000).toArray();
            LongSolution rows = Parenthesization.solve(leaf, w, Strategy.TABLE);
            LongSolution tiles = Parenthesization.solve(leaf, w, Strategy.R_WAY, 2);
            assertThat(tiles.cost()).as("%d leaves", leaves).isEqualTo(rows.cost());
            assertThat(tiles.splits()).isEqualTo(rows.splits());
        }
    }

    /** Compares rows with tiles at the sizes at which tiles begin to be used. */
    @Test
    void large() {
        SplittableRandom random = new SplittableRandom(4);
        int[] sizes = {1_025, 1_023, 1_300};
        for (int leaves : Arrays.copyOf(sizes, Thorough.rounds(1, sizes.length))) {
            long[] leaf = random.longs(leaves, 0, 1_000).toArray();
            long[] w = random.longs(pairs(leaves), 0, 1_000).toArray();
            LongSolution rows = Parenthesization.solve(leaf, w, Strategy.TABLE);
            LongSolution tiles = Parenthesization.solve(leaf, w, Strategy.TILED, 2);
            assertThat(tiles.cost()).isEqualTo(rows.cost());
            assertThat(tiles.splits()).isEqualTo(rows.splits());
            double[] leafDoubles = LongStream.of(leaf).mapToDouble(x -> x / 7.0).toArray();
            double[] wDoubles = LongStream.of(w).mapToDouble(x -> x / 7.0).toArray();
            DoubleSolution doubleRows = Parenthesization.solve(leafDoubles, wDoubles, Strategy.TABLE);
            DoubleSolution doubleTiles = Parenthesization.solve(leafDoubles, wDoubles, Strategy.TILED, 2);
            assertThat(doubleTiles.cost()).isEqualTo(doubleRows.cost());
            assertThat(doubleTiles.splits()).isEqualTo(doubleRows.splits());
        }
    }

    @ParameterizedTest
    @EnumSource
    void rejected(Strategy strategy) {
        assertThatThrownBy(() -> Parenthesization.solve(new long[0], new long[0], strategy))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] parenthesization: leaf_costs is empty");
        assertThatThrownBy(() -> Parenthesization.solve(new long[3], new long[2], strategy))
                .hasMessage(
                        "[BELLMAN_INPUT_VALUE] parenthesization: range_costs has 2 entries; for 3 leaves it needs 3, "
                                + "one for each i < j. Correct the row, or use try_parenthesization, which returns NULL");
        assertThatThrownBy(() -> Parenthesization.solve(new long[2], new long[] {-1}, strategy))
                .hasMessageContaining(
                        "entry 1 of range_costs (counted from 1) is -1; it must be a number and at least 0");
        assertThatThrownBy(() -> Parenthesization.solve(new double[] {0, Double.NaN}, new double[1], strategy))
                .hasMessageContaining("entry 2 of leaf_costs (counted from 1) is NaN");
        assertThat(Parenthesization.solve(new double[] {-0.0}, new double[0], strategy)
                        .cost())
                .isEqualTo(0.0);
    }
}
