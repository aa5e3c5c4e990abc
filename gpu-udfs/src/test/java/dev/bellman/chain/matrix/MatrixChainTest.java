package dev.bellman.chain.matrix;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.bellman.ErrorCode;
import dev.bellman.Golden;
import dev.bellman.Thorough;
import dev.bellman.chain.matrix.MatrixChain.Solution;
import dev.bellman.chain.matrix.MatrixChain.Strategy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MatrixChainTest extends MatrixChainFixture {
    @ParameterizedTest
    @EnumSource
    void literature(Strategy strategy) {
        assertThat(MatrixChain.cost(dims(40, 2, 30, 10, 8), strategy)).isEqualTo(1400);
        assertThat(MatrixChain.cost(dims(5, 2, 3, 4, 6, 7, 8), strategy)).isEqualTo(348);
        assertThat(MatrixChain.cost(dims(30, 35, 15, 5, 10, 20, 25), strategy)).isEqualTo(15125);
        assertThat(MatrixChain.order(dims(30, 35, 15, 5, 10, 20, 25), strategy)).isEqualTo("((A1(A2A3))((A4A5)A6))");
    }

    @ParameterizedTest
    @EnumSource
    void shortest(Strategy strategy) {
        Solution one = MatrixChain.solve(dims(7, 9), strategy);
        assertThat(one.cost()).isZero();
        assertThat(one.order()).isEqualTo("A1");
        assertThat(one.splits()).isEmpty();
        Solution two = MatrixChain.solve(dims(7, 9, 2), strategy);
        assertThat(two.cost()).isEqualTo(126);
        assertThat(two.order()).isEqualTo("(A1A2)");
        assertThat(two.splits()).containsExactly(1);
    }

    @Test
    void randomChains() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < Thorough.rounds(1_000, 4_000); round++) {
            int entries = 2 + random.nextInt(round % 20 == 0 ? 66 : 16);
            check(random.longs(entries, 1, 2 + (1L << random.nextInt(12))).toArray());
        }
    }

    @Test
    void shapedChains() {
        SplittableRandom random = new SplittableRandom(2);
        for (int round = 0; round < Thorough.rounds(80, 300); round++) {
            int entries = 2 + random.nextInt(40);
            long[] dims =
                    random.longs(entries, 1, 1 + (2L << random.nextInt(10))).toArray();
            long smallest = Arrays.stream(dims).min().getAsLong();
            long largest = Arrays.stream(dims).max().getAsLong();
            long[] sorted = dims.clone();
            Arrays.sort(sorted);
            check(sorted);
            check(LongStream.range(0, entries)
                    .map(i -> sorted[entries - 1 - (int) i])
                    .toArray());
            check(LongStream.range(0, entries)
                    .map(i -> sorted[Math.abs(entries - 1 - 2 * (int) i)])
                    .toArray());
            check(LongStream.range(0, entries)
                    .map(i -> i % 2 == 0 ? smallest : dims[(int) i])
                    .toArray());
            check(LongStream.range(0, entries)
                    .map(i -> i % 2 == 0 ? largest + i % 3 : dims[(int) i])
                    .toArray());
            check(LongStream.range(0, entries)
                    .map(i -> random.nextInt(3) == 0 ? smallest : dims[(int) i])
                    .toArray());
            check(LongStream.range(0, entries).map(i -> smallest + i % 7).toArray());
            check(LongStream.range(0, entries).map(i -> largest).toArray());
        }
    }

    /** Tests costs around the limits of 31 and 63 bits, and beyond. */
    @Test
    void hugeDimensions() {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < Thorough.rounds(1_000, 4_000); round++) {
            int bits = 8 + random.nextInt(56);
            check(random.longs(2 + random.nextInt(14))
                    .map(value -> Math.max(1, value >>> 64 - bits >>> random.nextInt(bits)))
                    .toArray());
        }
        for (long middle = 2_097_140; middle < 2_097_160; middle++) {
            check(dims(middle, 2_097_152, 2_097_151));
            check(dims(1, middle, 2_097_152, 2_097_151, 1));
        }
        check(dims(1290, 1290, 1290));
        check(dims(1291, 1291, 1291));
    }

    /** 2^63 - 1 is a valid cost, but the next number is not. */
    @ParameterizedTest
    @EnumSource
    void largestCost(Strategy strategy) {
        // 2^63 - 1 = 7 * 7 * 73 * 127 * 337 * 92737 * 649657
        long[] largest = dims(7 * 7 * 73, 127 * 337, 92737L * 649657);
        assertThat(MatrixChain.cost(largest, strategy)).isEqualTo(Long.MAX_VALUE);
        assertThat(MatrixChain.order(largest, strategy)).isEqualTo("(A1A2)");
        assertThat(MatrixChain.cost(dims(1, 1, Long.MAX_VALUE), strategy)).isEqualTo(Long.MAX_VALUE);
        assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> MatrixChain.cost(dims(1L << 21, 1L << 21, 1L << 21), strategy));
        assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> MatrixChain.cost(dims(1, Long.MAX_VALUE, 1, 1), strategy));
    }

    /** Tests tiles of several widths, on chains whose lengths are around these widths, with each arithmetic. */
    @Test
    void tiles() {
        SplittableRandom random = new SplittableRandom(6);
        for (long bound : new long[] {2, 50, 100_000, 1L << 31}) {
            for (int matrices = 1; matrices <= 67; matrices++) {
                if (Thorough.rounds((matrices + 1) % 8, 0) > 2) {
                    continue;
                }
                long[] dims = random.longs(matrices + 1, 1, bound + 1).toArray();
                if (matrices % 3 == 0) {
                    // a valley, in which every split may be optimal
                    Arrays.sort(dims);
                    long[] sorted = dims.clone();
                    for (int i = 0; i < dims.length; i++) {
                        dims[i % 2 == 0 ? i / 2 : matrices - i / 2] = sorted[matrices - i];
                    }
                }
                ChainTable rows = ChainTable.of("test", dims);
                for (int width : new int[] {8, 16, 24, 64}) {
                    for (int threads = 1; threads <= 3; threads += 2) {
                        ChainTable tiles = ChainTable.empty("test", dims);
                        tiles.fillTiles(width, threads);
                        for (int i = 1; i <= matrices; i++) {
                            for (int j = i; j <= matrices; j++) {
                                if (tiles.cost(i, j) != rows.cost(i, j)) {
                                    fail("%d tiles of %s: %d to %d", width, Arrays.toString(dims), i, j);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /** Tests lengths around the switch from rows to tiles, with one thread and with several. */
    @Test
    void largeTables() {
        SplittableRandom random = new SplittableRandom(7);
        int[] sizes = {1_023, 1_025, 1_024, 2_047, 2_049};
        for (int matrices : Arrays.copyOf(sizes, Thorough.rounds(2, sizes.length))) {
            long[] dims = random.longs(matrices + 1, 1, matrices % 2 == 0 ? 1_000_000 : 90)
                    .toArray();
            if (matrices % 4 == 1) {
                Arrays.sort(dims);
            }
            Solution table = MatrixChain.solve(dims, Strategy.TABLE);
            for (int threads = 1; threads <= 3; threads++) {
                Solution tiled = MatrixChain.solve(dims, Strategy.TILED, threads);
                assertThat(tiled.cost()).isEqualTo(table.cost());
                assertThat(tiled.splits()).isEqualTo(table.splits());
            }
        }
        // the cost just exceeds 31 bits
        long[] equal = LongStream.range(0, 2_100).map(i -> 101).toArray();
        assertThat(MatrixChain.solve(equal, Strategy.TILED, 2).cost()).isEqualTo(2_098L * 101 * 101 * 101);
    }

    @Test
    void longChains() {
        SplittableRandom random = new SplittableRandom(4);
        for (long bound : new long[] {3, 100, 1_000_000}) {
            for (int matrices : new int[] {127, 128, 129, 600}) {
                long[] dims = random.longs(matrices + 1, 1, bound + 1).toArray();
                Solution table = MatrixChain.solve(dims, Strategy.TABLE);
                Solution huShing = MatrixChain.solve(dims, Strategy.HU_SHING);
                assertThat(huShing.cost()).isEqualTo(table.cost());
                assertThat(score(huShing.order(), dims, 1)).isEqualTo(table.cost());
                assertThat(score(table.order(), dims, 1)).isEqualTo(table.cost());
            }
        }
    }

    /** Tests chains whose trees may be as deep as the chain is long. */
    @Test
    void degenerateChains() {
        int entries = 100_001;
        for (long[] dims : List.of(
                LongStream.rangeClosed(1, entries).toArray(),
                LongStream.rangeClosed(1, entries).map(i -> entries + 1 - i).toArray(),
                LongStream.range(0, entries).map(i -> 3).toArray(),
                LongStream.range(0, entries).map(i -> i % 2 * 50 + 1).toArray())) {
            Solution solution = MatrixChain.solve(dims, Strategy.HU_SHING);
            assertThat(score(solution.order(), dims, 1)).isEqualTo(solution.cost());
            assertThat(MatrixChain.cost(dims, Strategy.AUTO)).isEqualTo(solution.cost());
        }
    }

    @ParameterizedTest
    @EnumSource
    void invalid(Strategy strategy) {
        assertThatThrownBy(() -> MatrixChain.cost(dims(3, 4, -2), strategy))
                .hasMessage("[BELLMAN_INPUT_VALUE] matrix_chain_cost: entry 3 of dims (counted from 1) is -2; a "
                        + "dimension must be at least 1. Correct the row, or use try_matrix_chain_cost, "
                        + "which returns NULL");
        assertFails(ErrorCode.BELLMAN_INPUT_VALUE, () -> MatrixChain.order(dims(0, 1), strategy));
        assertFails(ErrorCode.BELLMAN_INPUT_VALUE, () -> MatrixChain.solve(dims(5), strategy));
        assertFails(ErrorCode.BELLMAN_INPUT_VALUE, () -> MatrixChain.cost(dims(), strategy));
    }

    @Test
    void tableLargerThanTheHeap() {
        assertFails(
                        ErrorCode.BELLMAN_LIMIT,
                        () -> MatrixChain.order(
                                new SplittableRandom(5).longs(1_000_001, 1, 9).toArray(), Strategy.TABLE))
                .hasMessageContaining("1000000 matrices")
                .hasMessageContaining("hu-shing");
    }

    @Test
    void relaxations() {
        assertThat(MatrixChain.relaxations(new long[2])).isZero();
        assertThat(MatrixChain.relaxations(new long[3])).isEqualTo(1);
        assertThat(MatrixChain.relaxations(new long[7])).isEqualTo(35);
        assertThat(MatrixChain.relaxations(new long[1001])).isEqualTo(166_666_500);
        assertThat(MatrixChain.relaxations(new long[4_000_001])).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void golden() {
        for (Map<String, String> row : Golden.rows("matrix_chain.gold").values()) {
            long[] dims = Arrays.stream(row.get("dims").split(","))
                    .mapToLong(Long::parseLong)
                    .toArray();
            long expected = Long.parseLong(row.get("min_scalar_mults"));
            assertThat(score(row.get("one_optimal_parenthesisation(numpy)"), dims, 0))
                    .isEqualTo(expected);
            for (Strategy strategy : Strategy.values()) {
                assertThat(MatrixChain.cost(dims, strategy)).as(row.get("id")).isEqualTo(expected);
                assertThat(score(MatrixChain.order(dims, strategy), dims, 1))
                        .as(row.get("id"))
                        .isEqualTo(expected);
            }
        }
    }
}
