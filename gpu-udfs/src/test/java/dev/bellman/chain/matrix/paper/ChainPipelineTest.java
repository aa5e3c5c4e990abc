package dev.bellman.chain.matrix.paper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.chain.matrix.paper.ChainPipeline.Analysis;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChainPipelineTest {
    /**
     * Returns the pipeline of figure 8, with "j <= k" instead of "i_j <= k": splits from the left, without delayed
     * diagonals.
     */
    private static ChainPipeline printed(int matrices) {
        return new ChainPipeline(matrices, (splits, stage) -> stage + 1, splits -> matrices - splits);
    }

    private static long[][] textbook(long[] dims) {
        int n = dims.length - 1;
        long[][] costs = new long[n][n];
        for (int i = n - 1; i >= 0; i--) {
            for (int j = i + 1; j < n; j++) {
                costs[i][j] = Long.MAX_VALUE;
                for (int k = i; k < j; k++) {
                    long candidate = costs[i][k] + costs[k + 1][j] + dims[i] * dims[k + 1] * dims[j + 1];
                    costs[i][j] = Math.min(costs[i][j], candidate);
                }
            }
        }
        return costs;
    }

    private static long[] dims(SplittableRandom random, int matrices) {
        return random.longs(matrices + 1, 1, 101).toArray();
    }

    @Test
    void repaired() {
        SplittableRandom random = new SplittableRandom(8);
        for (int matrices = 1; matrices <= 40; matrices++) {
            for (int round = 0; round < 20; round++) {
                long[] dims = dims(random, matrices);
                if (round % 4 == 1) {
                    Arrays.sort(dims);
                }
                long[][] expected = textbook(dims);
                assertThat(ChainPipeline.middleOutwards(matrices).solve(dims)).isDeepEqualTo(expected);
                assertThat(ChainPipeline.delayed(matrices).solve(dims)).isDeepEqualTo(expected);
            }
        }
    }

    /**
     * The printed algorithm reads costs that are not final for chains of four or more matrices, and some of its results
     * are incorrect.
     */
    @ParameterizedTest
    @ValueSource(ints = {4, 5, 8, 20})
    void printedFails(int matrices) {
        SplittableRandom random = new SplittableRandom(9);
        int wrong = 0;
        for (int round = 0; round < 60; round++) {
            long[] dims = dims(random, matrices);
            long[][] found = printed(matrices).solve(dims);
            if (found[0][matrices - 1] != textbook(dims)[0][matrices - 1]) {
                wrong++;
            }
        }
        assertThat(wrong).isPositive();
        assertThat(printed(matrices).analyse().earlyReads()).isPositive();
    }

    @Test
    void steps() {
        for (int n : new int[] {1, 2, 3, 4, 5, 8, 20, 40, 64, 90}) {
            long printed = n == 1 ? 0 : n * (n - 1L) / 2 + n - 2;
            assertThat(printed(n).steps()).isEqualTo(printed);
            Analysis middle = ChainPipeline.middleOutwards(n).analyse();
            assertThat(middle.steps()).isEqualTo(printed);
            assertThat(middle.earlyReads()).isZero();
            Analysis delayed = ChainPipeline.delayed(n).analyse();
            assertThat(delayed.steps()).isBetween(printed, 3L * n * n / 4);
            assertThat(delayed.earlyReads()).isZero();
            assertThat(delayed.concurrentReads()).isZero();
        }
        assertThat(printed(3).analyse().earlyReads()).isZero();
        assertThat(ChainPipeline.middleOutwards(20).analyse().concurrentReads()).isEqualTo(8);
    }
}
