package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.job.run.Estimate.Pass;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EstimateTest {
    /** A query costs 0.4 s, 3 s at first, and a row 10 microseconds. */
    @Test
    void costOfStartIsNotExtrapolated() {
        Estimate estimate = Estimate.of(
                1_000_000, 2, new Pass(200, 3.002), Optional.of(new Pass(200, 0.402)), new Pass(20_000, 0.6));

        assertThat(estimate.expectedSeconds()).isCloseTo(2 + 3 + 10, within(0.1));
        assertThat(estimate)
                .hasToString("1,000,000 rows to solve, about 15 s here without writing: 5.0 s to start and to read, "
                        + "then 100 k/s as the first 20,000 rows");
    }

    @Test
    void fewRowsTakeTheirPass() {
        Pass all = new Pass(100, 2.5);

        assertThat(Estimate.of(100, 1, all, Optional.empty(), all))
                .hasToString("100 rows to solve, about 3.5 s here without writing");
    }

    /** Rows of 0.1 s each: the first pass is long enough. */
    @Test
    void costlyRows() {
        Pass warm = new Pass(200, 20);

        assertThat(Estimate.of(10_000, 1, new Pass(200, 22), Optional.of(warm), warm)
                        .expectedSeconds())
                .isCloseTo(1 + 2 + 1000, within(0.1));
    }

    /** A pass over more rows that is no longer, by chance. */
    @Test
    void rateIsPositive() {
        Pass last = new Pass(2000, 0.3);

        assertThat(Estimate.of(2000, 0, new Pass(200, 1), Optional.of(new Pass(200, 0.4)), last)
                        .expectedSeconds())
                .isBetween(1.0, 1.5);
    }
}
