package dev.bellman.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the costs and starts of all prefixes with a search that tries every start, bit for bit. */
class LevelSearchTest {
    private static final int INSTANCES = 2_000;

    private static double[] series(SplittableRandom random, int count, int kind) {
        double[] values = new double[count];
        double level = 0;
        for (int i = 0; i < count; i++) {
            level = random.nextInt(2 + count / 8) == 0 ? random.nextInt(20) - 10 : level;
            values[i] = switch (kind) {
                case 0 -> level;
                case 1 -> random.nextInt(3);
                case 2 -> 0.1 * level + (random.nextInt(10) == 0 ? 1e-12 : 0);
                case 3 -> 1e9 + level + random.nextDouble();
                case 4 -> random.nextInt(30) == 0 ? Math.pow(10, random.nextInt(20)) : random.nextInt(4);
                case 5 -> 1e-160 * level;
                case 6 -> Math.scalb(random.nextInt(5) - 2.0, -random.nextInt(400));
                default -> level + random.nextDouble();
            };
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void equalsAllStarts(int kind) {
        SplittableRandom random = new SplittableRandom(kind);
        for (int round = 0; round < INSTANCES; round++) {
            double[] values = series(random, 2 + random.nextInt(round % 50 == 0 ? 400 : 40), kind);
            double penalty = random.nextInt(4) * random.nextInt(6) / 2.0;
            compare(1 + random.nextInt(5), penalty, round % 3, values);
        }
    }

    /** Compares the costs for a penalty and then for one segment more at a time. */
    private static void compare(int minSize, double penalty, int segments, double... values) {
        double[][] costs = new double[2][];
        int[][] starts = new int[2][values.length + 1];
        for (int i = 0; i < 2; i++) {
            SegmentCost cost = SegmentCost.of("change_points", "l2", values);
            Partition partition = new Partition(cost, values.length, minSize, i == 0);
            costs[i] = partition.empty();
            partition.solve(costs[i], costs[i], penalty, starts[i]);
        }
        assertThat(costs[0]).isEqualTo(costs[1]);
        assertThat(starts[0]).isEqualTo(starts[1]);
        for (int segment = 0; segment < segments; segment++) {
            double[][] next = new double[2][values.length + 1];
            for (int i = 0; i < 2; i++) {
                SegmentCost cost = SegmentCost.of("change_points", "l2", values);
                new Partition(cost, values.length, minSize, i == 0).solve(costs[i], next[i], 0, starts[i]);
            }
            costs = next;
            assertThat(costs[0]).isEqualTo(costs[1]);
            assertThat(starts[0]).isEqualTo(starts[1]);
        }
    }

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
