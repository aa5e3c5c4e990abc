package dev.bellman.chain.tree;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.ErrorCode;
import dev.bellman.Golden;
import dev.bellman.Thorough;
import dev.bellman.chain.tree.OptimalBst.DoubleSolution;
import dev.bellman.chain.tree.OptimalBst.LongSolution;
import dev.bellman.chain.tree.OptimalBst.Strategy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OptimalBstTest {
    private static void check(long[] p, long[] q) {
        SearchTreeTextbook expected = SearchTreeTextbook.of(SearchTreeTextbook.exact(p), SearchTreeTextbook.exact(q));
        for (Strategy strategy : Strategy.values()) {
            if (expected.cost().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
                assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> OptimalBst.cost(p, q, strategy));
                assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> OptimalBst.solve(p, q, strategy));
                continue;
            }
            LongSolution solution = OptimalBst.solve(p, q, strategy);
            String instance = strategy + Arrays.toString(p) + Arrays.toString(q);
            assertThat(solution.cost()).as(instance).isEqualTo(expected.cost().longValueExact());
            assertThat(OptimalBst.cost(p, q, strategy)).isEqualTo(solution.cost());
            assertThat(solution.roots()).as(instance).isEqualTo(expected.roots());
        }
    }

    private static long[] frequencies(SplittableRandom random, int count, long bound) {
        return random.longs(count, 0, bound).toArray();
    }

    /** Tests figure 15.10 and exercise 15.5-2 of "Introduction to Algorithms", third edition. */
    @ParameterizedTest
    @EnumSource
    void literature(Strategy strategy) {
        double[] p = {0.15, 0.10, 0.05, 0.10, 0.20};
        double[] q = {0.05, 0.10, 0.05, 0.05, 0.05, 0.10};
        DoubleSolution solution = OptimalBst.solve(p, q, strategy);
        assertThat(solution.cost()).isEqualTo(2.75).isEqualTo(OptimalBst.cost(p, q, strategy));
        // two roots are optimal if the frequencies are exact hundredths, but only one if they are DOUBLE values
        assertThat(solution.roots())
                .isEqualTo(SearchTreeTextbook.of(SearchTreeTextbook.exact(p), SearchTreeTextbook.exact(q))
                        .roots())
                .startsWith(4);
        assertThat(OptimalBst.solve(new long[] {15, 10, 5, 10, 20}, new long[] {5, 10, 5, 5, 5, 10}, strategy)
                        .roots())
                .containsExactly(2, 1, 5, 4, 3);
        assertThat(OptimalBst.cost(
                        new double[] {0.04, 0.06, 0.08, 0.02, 0.10, 0.12, 0.14},
                        new double[] {0.06, 0.06, 0.06, 0.06, 0.05, 0.05, 0.05, 0.05},
                        strategy))
                .isEqualTo(3.12);
    }

    @ParameterizedTest
    @EnumSource
    void smallest(Strategy strategy) {
        assertThat(OptimalBst.solve(new long[0], new long[] {7}, strategy).cost())
                .isEqualTo(7);
        assertThat(OptimalBst.solve(new long[0], new long[] {7}, strategy).roots())
                .isEmpty();
        assertThat(OptimalBst.solve(new long[] {3}, new long[] {1, 2}, strategy).cost())
                .isEqualTo(3 + 2 * 3);
        assertThat(OptimalBst.solve(new double[3], new double[4], strategy).cost())
                .isZero();
        assertThat(OptimalBst.solve(new double[3], new double[4], strategy).roots())
                .containsExactly(1, 2, 3);
    }

    /** Tests all frequencies from 0 to 2 for up to 3 keys; many of them lead to ties. */
    @Test
    void allSmallTrees() {
        for (int keys = 0; keys <= 3; keys++) {
            int entries = 2 * keys + 1;
            for (int code = 0; code < Math.pow(3, entries); code++) {
                long[] p = new long[keys];
                long[] q = new long[keys + 1];
                int rest = code;
                for (int i = 0; i < entries; i++) {
                    if (i < keys) {
                        p[i] = rest % 3;
                    } else {
                        q[i - keys] = rest % 3;
                    }
                    rest /= 3;
                }
                check(p, q);
            }
        }
    }

    @Test
    void random() {
        SplittableRandom random = new SplittableRandom(1971);
        for (int round = 0; round < 1_500; round++) {
            int keys = random.nextInt(round % 30 == 0 ? 60 : 14);
            long bound = 1L << random.nextInt(1, 50);
            check(frequencies(random, keys, bound), frequencies(random, keys + 1, random.nextInt(3) == 0 ? 1 : bound));
        }
        for (int keys : new int[] {31, 32, 33, 63, 64, 65}) {
            check(LongStream.range(0, keys).toArray(), new long[keys + 1]);
            check(LongStream.range(0, keys).map(i -> keys - i).toArray(), new long[keys + 1]);
            check(new long[keys], LongStream.range(0, keys + 1).map(i -> 1).toArray());
            check(new long[keys], new long[keys + 1]);
        }
    }

    /** Tests costs around 2^63. */
    @Test
    void overflow() {
        SplittableRandom random = new SplittableRandom(63);
        for (int round = 0; round < 1_000; round++) {
            int keys = 1 + random.nextInt(8);
            long bound = Long.MAX_VALUE >> random.nextInt(10);
            check(
                    frequencies(random, keys, bound),
                    frequencies(random, keys + 1, Math.max(1, bound >> random.nextInt(60))));
        }
        check(new long[] {Long.MAX_VALUE}, new long[] {0, 0});
        check(new long[] {Long.MAX_VALUE - 2}, new long[] {1, 0});
        check(new long[] {Long.MAX_VALUE - 1}, new long[] {1, 0});
        check(new long[] {}, new long[] {Long.MAX_VALUE});
        check(new long[] {0, 0}, new long[] {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE});
    }

    /**
     * If all frequencies are multiples of one power of two, and this power is within a factor of 2^57 of their sum, the
     * cost is exact except for the last rounding.
     */
    @Test
    void doublesAreExact() {
        SplittableRandom random = new SplittableRandom(754);
        for (int round = 0; round < 600; round++) {
            int keys = random.nextInt(20);
            int exponent = random.nextInt(-1_060, 960);
            double[] p = scaled(frequencies(random, keys, 1L << 50), exponent);
            double[] q = scaled(frequencies(random, keys + 1, 1L << random.nextInt(1, 50)), exponent);
            SearchTreeTextbook expected =
                    SearchTreeTextbook.of(SearchTreeTextbook.exact(p), SearchTreeTextbook.exact(q));
            for (Strategy strategy : Strategy.values()) {
                DoubleSolution solution = OptimalBst.solve(p, q, strategy);
                assertThat(solution.cost()).isEqualTo(expected.cost().doubleValue());
                assertThat(solution.roots()).isEqualTo(expected.roots());
            }
        }
    }

    private static double[] scaled(long[] values, int exponent) {
        return LongStream.of(values)
                .mapToDouble(value -> Math.scalb((double) value, exponent))
                .toArray();
    }

    /**
     * For frequencies of very different sizes, both strategies agree, and the relative error of the cost is at most
     * 2^-48.
     */
    @Test
    void doublesOfAllSizes() {
        SplittableRandom random = new SplittableRandom(755);
        for (int round = 0; round < Thorough.rounds(200, 600); round++) {
            int keys = random.nextInt(40);
            int spread = 1 + random.nextInt(300);
            double[] p = DoubleStream.generate(() -> random.nextDouble() * Math.pow(10, -random.nextInt(spread)))
                    .limit(keys)
                    .toArray();
            double[] q = DoubleStream.generate(() -> random.nextDouble() * Math.pow(10, -random.nextInt(spread)))
                    .limit(keys + 1L)
                    .toArray();
            DoubleSolution knuth = OptimalBst.solve(p, q, Strategy.KNUTH);
            DoubleSolution table = OptimalBst.solve(p, q, Strategy.TABLE);
            assertThat(knuth.cost()).isEqualTo(table.cost());
            assertThat(knuth.roots()).isEqualTo(table.roots());
            double exact = SearchTreeTextbook.of(SearchTreeTextbook.exact(p), SearchTreeTextbook.exact(q))
                    .cost()
                    .doubleValue();
            assertThat(Math.abs(knuth.cost() - exact)).isLessThanOrEqualTo(exact * 0x1p-48);
        }
        assertThat(OptimalBst.cost(new double[] {Double.MAX_VALUE}, new double[] {0, 0}, Strategy.AUTO))
                .isEqualTo(Double.MAX_VALUE);
        assertThat(OptimalBst.cost(new double[] {Double.MAX_VALUE}, new double[] {Double.MAX_VALUE, 0}, Strategy.AUTO))
                .isInfinite();
        assertThat(OptimalBst.cost(new double[] {Double.MIN_VALUE}, new double[] {0, -0.0}, Strategy.AUTO))
                .isEqualTo(Double.MIN_VALUE);
    }

    /** Compares the strategies with each other on trees that are too large for the oracle. */
    @Test
    void large() {
        SplittableRandom random = new SplittableRandom(5);
        int[] sizes = {500, 1_023, 1_024, 2_100};
        for (int keys : Arrays.copyOf(sizes, Thorough.rounds(3, sizes.length))) {
            for (long bound : new long[] {2, 1_000_000}) {
                long[] p = frequencies(random, keys, bound);
                long[] q = frequencies(random, keys + 1, bound);
                LongSolution knuth = OptimalBst.solve(p, q, Strategy.KNUTH);
                LongSolution table = OptimalBst.solve(p, q, Strategy.TABLE, 2);
                assertThat(knuth.cost()).isEqualTo(table.cost());
                assertThat(knuth.roots()).isEqualTo(table.roots());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void rejected(Strategy strategy) {
        assertThatThrownBy(() -> OptimalBst.cost(new long[2], new long[2], strategy))
                .hasMessage("[BELLMAN_INPUT_VALUE] optimal_bst_cost: key_frequencies has 2 entries and "
                        + "gap_frequencies has 2; gap_frequencies needs one more entry than key_frequencies, for the "
                        + "gaps before, between and after the keys. Correct the row, or use try_optimal_bst_cost, "
                        + "which returns NULL");
        assertThatThrownBy(() -> OptimalBst.solve(new long[] {1, -2}, new long[3], strategy))
                .hasMessage("[BELLMAN_INPUT_VALUE] optimal_bst: entry 2 of key_frequencies (counted from 1) is -2; it "
                        + "must be a number and at least 0. Correct the row, or use try_optimal_bst, which returns "
                        + "NULL");
        for (double bad : new double[] {-0.5, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            assertFails(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    () -> OptimalBst.cost(new double[] {1}, new double[] {1, bad}, strategy));
        }
    }

    @Test
    void tableLargerThanTheHeap() {
        assertFails(
                        ErrorCode.BELLMAN_LIMIT,
                        () -> OptimalBst.cost(new long[1_000_000], new long[1_000_001], Strategy.AUTO))
                .hasMessageContaining("the table of a tree of 1000000 keys takes 6,000,218,000,212 bytes");
    }

    @Test
    void golden() {
        for (Map<String, String> row : Golden.rows("optimal_bst.gold").values()) {
            long[] p = longs(row.get("p"));
            long[] q = longs(row.get("q"));
            long expected = new BigInteger(row.get("min_cost")).longValueExact();
            for (Strategy strategy : Strategy.values()) {
                assertThat(OptimalBst.cost(p, q, strategy)).as(row.get("id")).isEqualTo(expected);
                assertThat(OptimalBst.cost(
                                LongStream.of(p).asDoubleStream().toArray(),
                                LongStream.of(q).asDoubleStream().toArray(),
                                strategy))
                        .isEqualTo(expected);
            }
        }
    }

    private static long[] longs(String list) {
        return Arrays.stream(list.split(",")).mapToLong(Long::parseLong).toArray();
    }
}
