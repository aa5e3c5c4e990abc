package dev.bellman.chain.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Thorough;
import dev.bellman.chain.matrix.MatrixChain.Solution;
import dev.bellman.chain.matrix.MatrixChain.Strategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests all small chains, and the properties of optimal orders on which the algorithms rely. */
class ChainFactsTest extends MatrixChainFixture {
    /** Tests every chain of up to 6 dimensions (in thorough tests, 7) from 1 to 4, many of which have ties. */
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

    /** Returns the minimum cost of every part, from the polygon's vertex {@code i} to its vertex {@code j}. */
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

    /**
     * Returns the number of multiplications for an order, given by its splits in preorder, starting at {@code at[0]}.
     */
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

    /** Compares the costs and splits of the strategies, and checks the properties on which their pruning relies. */
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

    /** Tests every chain of up to 7 dimensions from 1 to 5 (in thorough tests, from 1 to 7). */
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

    /** On the GPU, the costs of these chains, computed without orders, were once incorrect. */
    @Test
    void chainsOnceWrong() {
        check(dims(726, 45, 937, 44, 709, 119, 182, 128, 198, 957));
        check(dims(288, 327, 427, 938, 960, 192, 179, 484, 660, 469, 556, 579, 435, 262));
        check(dims(712, 154, 157, 302, 361, 660, 761, 698, 88, 400, 899, 948, 930, 548, 106, 217, 325, 86, 175, 298));
    }
}
