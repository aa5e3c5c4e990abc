package dev.bellman.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LevelSearchTest {
    private static boolean isFast(double... values) {
        double[] costs = new double[values.length + 1];
        Arrays.fill(costs, 1, costs.length, Double.POSITIVE_INFINITY);
        return SegmentCost.of("change_points", "l2", values).solve(2, costs, costs, 20, new int[costs.length]);
    }

    /** Rounding errors of large values, or underflow, prevent the search. */
    @Test
    void applies() {
        double[] values = new SplittableRandom(1).doubles(3_000).toArray();
        assertThat(isFast(values)).isTrue();
        assertThat(isFast(new double[3_000])).isTrue();
        values[1_000] = 1e5;
        assertThat(isFast(values)).isTrue();
        values[1_000] = 1e12;
        assertThat(isFast(values)).isFalse();
        assertThat(isFast(-1e-170, 1e-170, 1e-170)).isFalse();
    }
}
