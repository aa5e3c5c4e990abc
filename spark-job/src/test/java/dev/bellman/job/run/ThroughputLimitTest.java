package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ThroughputLimitTest {
    @Test
    void ofCores() {
        ThroughputLimit limit = ThroughputLimit.ofCores(4, 0.8, 0.5, 60, 2e9).orElseThrow();
        assertThat(limit.share()).isEqualTo(0.4, within(1e-9));
        assertThat(limit.cellsPerSecond()).isEqualTo(5e9, within(1.0));
        assertThat(limit).hasToString("40% of the peak throughput of 4 fully utilized cores");
        assertThat(ThroughputLimit.ofCores(4, 0, 0, 60, 0)).isEmpty();
        // a job that ran for a minute but computed for a second, because other work kept the machine busy
        assertThat(ThroughputLimit.ofCores(2, 0.038, 0.5, 62, 1e6)).isEmpty();
        assertThat(ThroughputLimit.ofCores(2, 0.038, 0.5, 620, 1e6)).isPresent();
    }

    /** A word of 32 cells takes 10 operations for the edit distance, and 4 for the longest common subsequence. */
    @Test
    void ofGpus() {
        ThroughputLimit limit = ThroughputLimit.ofGpus(
                        "NVIDIA H200", 2, 3.2e13, List.of("edit_distance", "edit_cigar"), 1e12)
                .orElseThrow();
        assertThat(limit.cellsPerSecond()).isEqualTo(3.2e13 * 32 / 10, within(1.0));
        assertThat(limit).hasToString("0.98% of the peak throughput of the arithmetic units of 2 x NVIDIA H200");
        assertThat(ThroughputLimit.ofGpus("x", 1, 1e13, List.of("edit_distance", "lcs_length"), 1e12)
                        .orElseThrow()
                        .cellsPerSecond())
                .isEqualTo(1e13 * 32 / 7, within(1.0));
        assertThat(ThroughputLimit.ofGpus("x", 1, 1e13, List.of("edit_distance", "jaro_winkler_similarity"), 1e12))
                .isEmpty();
    }

    /** On an H200, {@code dtw} computes up to 2.2 trillion cells/s, and a loop with only its instructions 2.7. */
    @Test
    void timeWarping() {
        double operations = 132 * 64 * 1.98e9;
        assertThat(ThroughputLimit.ofGpus("NVIDIA H200", 1, operations, List.of("dtw"), 2.2e12)
                        .orElseThrow()
                        .cellsPerSecond())
                .isBetween(2.7e12, 2.9e12);
    }
}
