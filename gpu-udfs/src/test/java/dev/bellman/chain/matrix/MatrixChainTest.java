package dev.bellman.chain.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Golden;
import dev.bellman.Thorough;
import dev.bellman.chain.matrix.MatrixChain.Solution;
import dev.bellman.chain.matrix.MatrixChain.Strategy;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MatrixChainTest {
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private record Product(int first, int last) {}

    /** The multiplications of an order that is written as text; matrices are counted from {@code base}. */
    private static BigInteger score(String order, long[] dims, int base) {
        BigInteger cost = BigInteger.ZERO;
        Deque<Product> parts = new ArrayDeque<>();
        int at = 0;
        int expected = 1;
        while (at < order.length()) {
            char symbol = order.charAt(at++);
            if (symbol == 'A') {
                int end = at;
                while (end < order.length() && Character.isDigit(order.charAt(end))) {
                    end++;
                }
                int matrix = Integer.parseInt(order.substring(at, end)) + 1 - base;
                assertThat(matrix).isEqualTo(expected++);
                parts.push(new Product(matrix, matrix));
                at = end;
            } else if (symbol == ')') {
                Product right = parts.pop();
                Product left = parts.pop();
                cost = cost.add(ChainTextbook.product(dims, left.first() - 1, left.last(), right.last()));
                parts.push(new Product(left.first(), right.last()));
            } else {
                assertThat(symbol).isEqualTo('(');
            }
        }
        assertThat(parts).containsExactly(new Product(1, dims.length - 1));
        assertThat(order.chars().filter(c -> c == '(').count()).isEqualTo(dims.length - 2L);
        return cost;
    }

    /** The order given by the splits, read recursively. */
    private static String order(Deque<Integer> splits, int i, int j) {
        if (i == j) {
            return "A" + i;
        }
        int k = splits.pop();
        assertThat(k).isBetween(i, j - 1);
        return "(" + order(splits, i, k) + order(splits, k + 1, j) + ")";
    }

    private static void check(long[] dims) {
        ChainTextbook expected = ChainTextbook.of(dims);
        if (expected.least().compareTo(LARGEST) > 0) {
            for (Strategy strategy : Strategy.values()) {
                assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> MatrixChain.cost(dims, strategy));
                assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> MatrixChain.order(dims, strategy));
                assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> MatrixChain.solve(dims, strategy));
            }
            return;
        }
        long cost = expected.least().longValueExact();
        int[] splits = expected.splits();
        String order = expected.order(1, dims.length - 1);
        for (Strategy strategy : Strategy.values()) {
            assertThat(MatrixChain.cost(dims, strategy))
                    .as("%s %s", strategy, Arrays.toString(dims))
                    .isEqualTo(cost);
            Solution solution = MatrixChain.solve(dims, strategy);
            assertThat(solution.cost()).isEqualTo(cost);
            assertThat(MatrixChain.order(dims, strategy)).isEqualTo(solution.order());
            assertThat(solution.splits()).hasSize(dims.length - 2);
            if (strategy == Strategy.HU_SHING) {
                assertThat(score(solution.order(), dims, 1))
                        .as("%s %s", solution.order(), Arrays.toString(dims))
                        .isEqualTo(expected.least());
                Deque<Integer> own = new ArrayDeque<>();
                Arrays.stream(solution.splits()).forEach(own::add);
                assertThat(solution.order()).isEqualTo(order(own, 1, dims.length - 1));
            } else {
                assertThat(solution.order()).as(Arrays.toString(dims)).isEqualTo(order);
                assertThat(solution.splits()).isEqualTo(splits);
            }
        }
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(BellmanException.class, e -> assertThat(e.code())
                .isEqualTo(code));
    }

    private static long[] dims(long... dims) {
        return dims;
    }

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

    /** Every chain of up to 6 dimensions, in the thorough tests 7, from 1 to 4: all possible ties. */
    @Test
    void allSmallChains() {
        for (int length = 2; length <= Thorough.rounds(6, 7); length++) {
            long[] dims = new long[length];
            for (int code = 0; code < 1 << 2 * length; code++) {
                for (int i = 0; i < length; i++) {
                    dims[i] = (code >> 2 * i & 3) + 1;
                }
                long expected = ChainTextbook.of(dims).least().longValueExact();
                for (Strategy strategy : Strategy.values()) {
                    Solution solution = MatrixChain.solve(dims, strategy);
                    assertThat(solution.cost()).isEqualTo(expected);
                    assertThat(MatrixChain.cost(dims, strategy)).isEqualTo(expected);
                }
                assertThat(score(MatrixChain.order(dims, Strategy.HU_SHING), dims, 1))
                        .isEqualTo(expected);
            }
        }
    }

    /** The least costs of all parts, from the vertex {@code i} of the polygon to the vertex {@code j}. */
    private static long[][] costs(long... dims) {
        long[][] costs = new long[dims.length][dims.length];
        for (int i = dims.length - 3; i >= 0; i--) {
            for (int j = i + 2; j < dims.length; j++) {
                costs[i][j] = Long.MAX_VALUE;
                for (int k = i + 1; k < j; k++) {
                    costs[i][j] = Math.min(costs[i][j], costs[i][k] + costs[k][j] + dims[i] * dims[k] * dims[j]);
                }
            }
        }
        return costs;
    }

    /** The multiplications of an order, given by its splits in preorder from {@code at[0]} on. */
    private static long price(long[] dims, int[] splits, int[] at, int i, int j) {
        if (j == i + 1) {
            return 0;
        }
        int k = splits[at[0]++];
        return dims[i] * dims[k] * dims[j] + price(dims, splits, at, i, k) + price(dims, splits, at, k, j);
    }

    private static void collectSmallest(long[] dims, long[][] costs, int i, int j, List<Integer> splits) {
        if (j > i + 1) {
            int k = i + 1;
            while (costs[i][k] + costs[k][j] + dims[i] * dims[k] * dims[j] > costs[i][j]) {
                k++;
            }
            splits.add(k);
            collectSmallest(dims, costs, i, k, splits);
            collectSmallest(dims, costs, k, j, splits);
        }
    }

    private static boolean hasSmaller(long[] dims, int from, int to, long than) {
        for (int i = from + 1; i < to; i++) {
            if (dims[i] < than) {
                return true;
            }
        }
        return false;
    }

    /** The strategies' pruning is safe: the facts 1 to 5 of {@link HuShing}. */
    private static void checkFacts(long... dims) {
        int last = dims.length - 1;
        long[][] costs = costs(dims);
        HuShing huShing = new HuShing(dims);
        assertThat(huShing.cost())
                .withFailMessage(() -> Arrays.toString(dims))
                .isEqualTo(costs[0][last])
                .isEqualTo(price(dims, huShing.splits(), new int[1], 0, last));
        List<Integer> smallest = new ArrayList<>();
        collectSmallest(dims, costs, 0, last, smallest);
        assertThat(ChainTable.tiled("test", dims, 1).splits())
                .withFailMessage(() -> Arrays.toString(dims))
                .isEqualTo(smallest.stream().mapToInt(k -> k).toArray());
        for (int i = 0; i < last; i++) {
            for (int j = i + 2; j <= last; j++) {
                for (int k = i + 1; k < j; k++) {
                    if (costs[i][k] + costs[k][j] + dims[i] * dims[k] * dims[j] == costs[i][j]) {
                        assertThat(hasSmaller(dims, i, k, dims[k]) && hasSmaller(dims, k, j, dims[k]))
                                .withFailMessage(() -> Arrays.toString(dims))
                                .isFalse();
                    }
                }
            }
        }
    }

    /** Every chain of up to 7 dimensions from 1 to 5, in the thorough tests 7. */
    @Test
    void factsOfAllSmallChains() {
        int largest = Thorough.rounds(5, 7);
        for (int length = 2; length <= 7; length++) {
            long[] dims = new long[length];
            Arrays.fill(dims, 1);
            int at = 0;
            while (at < length) {
                checkFacts(dims);
                at = 0;
                while (at < length && dims[at] == largest) {
                    dims[at++] = 1;
                }
                if (at < length) {
                    dims[at]++;
                }
            }
        }
    }

    @Test
    void factsOfRandomChains() {
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < Thorough.rounds(5_000, 20_000); round++) {
            long least = 1 + random.nextInt(1_000);
            checkFacts(random.longs(2 + random.nextInt(24), least, least + 1 + (1L << random.nextInt(12)))
                    .toArray());
        }
    }

    /** Their costs alone were once wrong on the GPU. */
    @Test
    void chainsOnceWrong() {
        check(dims(726, 45, 937, 44, 709, 119, 182, 128, 198, 957));
        check(dims(288, 327, 427, 938, 960, 192, 179, 484, 660, 469, 556, 579, 435, 262));
        check(dims(712, 154, 157, 302, 361, 660, 761, 698, 88, 400, 899, 948, 930, 548, 106, 217, 325, 86, 175, 298));
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

    /** Around the limits of 31 and of 63 bits, and beyond. */
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

    /** 2^63 - 1 is a cost like any other, and the next one is not. */
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

    /** Tiles of every width on chains of lengths around them, in each arithmetic. */
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

    /** Around the switch from rows to tiles, in one thread and in several. */
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
        // just beyond 32 bits
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

    /** Trees as deep as the chain is long. */
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
        assertThatThrownBy(() -> MatrixChain.order(
                        new SplittableRandom(5).longs(1_000_001, 1, 9).toArray(), Strategy.TABLE))
                .isInstanceOfSatisfying(
                        BellmanException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_LIMIT))
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
