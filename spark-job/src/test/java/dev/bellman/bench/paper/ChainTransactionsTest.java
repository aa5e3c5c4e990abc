package dev.bellman.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.chain.matrix.paper.AdaptiveMapping;
import dev.bellman.chain.matrix.paper.PaperStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class ChainTransactionsTest {
    private static final AdaptiveMapping MAPPING = new AdaptiveMapping(3, 64, 1);

    private static ChainTransactions count(int matrices, PaperStrategy strategy, int lanes, int segment) {
        return ChainTransactions.count(matrices, strategy, MAPPING, lanes, segment);
    }

    /**
     * Every candidate reads two costs, and no two threads read the same cost at the same time. Reads from one segment
     * are one transaction.
     */
    @ParameterizedTest
    @EnumSource(
            mode = Mode.MATCH_ANY,
            names = {"SOLOMON.*", "ADAPTIVE.*", "DIAGONAL"})
    void bounds(PaperStrategy strategy) {
        for (int matrices : new int[] {1, 2, 9, 70}) {
            long reads = (long) matrices * (matrices * matrices - 1) / 3;
            assertThat(count(matrices, strategy, 16, 1).transactions()).isEqualTo(reads);
            ChainTransactions alone = count(matrices, strategy, 1, 8);
            assertThat(alone.requests()).isEqualTo(reads);
            assertThat(alone.transactions()).isEqualTo(reads);
            ChainTransactions together = count(matrices, strategy, 16, matrices * matrices);
            assertThat(together.transactions()).isEqualTo(together.requests());
        }
    }

    /**
     * If each thread has a separate product, the reads from layout type 1 are coalesced. If subthreads share a product,
     * half of the reads from layout type 2 are coalesced.
     */
    @Test
    void layouts() {
        double apart = count(200, PaperStrategy.SOLOMON, 16, 1).perRequest();
        assertThat(count(200, PaperStrategy.SOLOMON, 16, 32).perRequest()).isGreaterThan(0.9 * apart);
        assertThat(count(200, PaperStrategy.SOLOMON_COALESCED, 16, 32).perRequest())
                .isLessThan(2);
        AdaptiveMapping subthreads = new AdaptiveMapping(1_000, 1_024, 1);
        double type1 = ChainTransactions.count(200, PaperStrategy.ADAPTIVE_TYPE_1, subthreads, 16, 32)
                .perRequest();
        double type2 = ChainTransactions.count(200, PaperStrategy.ADAPTIVE, subthreads, 16, 32)
                .perRequest();
        assertThat(type2).isBetween(0.5 * type1, 0.7 * type1);
    }
}
