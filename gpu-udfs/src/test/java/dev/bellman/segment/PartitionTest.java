package dev.bellman.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the costs and starts of all prefixes with a search that tries every start, bit for bit. */
class PartitionTest {
    private static final int KINDS = 9;
    private static final int INSTANCES = 3_000;

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
                case 7 -> level * i;
                default -> level + random.nextDouble();
            };
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(strings = {"l2", "normal", "poisson", "l1", "line"})
    void equalsAllStarts(String cost) {
        SplittableRandom random = new SplittableRandom(8);
        for (int round = 0; round < INSTANCES; round++) {
            int count = 2 + random.nextInt(round % 20 == 0 ? 300 : 60);
            int dimensions = cost.equals("line") || random.nextInt(4) > 0 ? 1 : 1 + random.nextInt(3);
            double[][] series = new double[dimensions][];
            for (int k = 0; k < dimensions; k++) {
                series[k] = series(random, count, random.nextInt(KINDS));
                if (cost.equals("poisson")) {
                    series[k] = Arrays.stream(series[k]).map(Math::abs).toArray();
                }
            }
            double penalty = random.nextInt(4) * random.nextInt(6) / 2.0;
            compare(cost, 1 + random.nextInt(5), penalty, round % 3, series);
        }
    }

    /** Compares the costs for a penalty, and then for one segment more at a time. */
    private static void compare(String name, int minSize, double penalty, int segments, double[]... series) {
        int count = series[0].length;
        double[][] costs = new double[2][count + 1];
        for (double[] each : costs) {
            Arrays.fill(each, 1, count + 1, Double.POSITIVE_INFINITY);
        }
        int[][] starts = new int[2][count + 1];
        for (int segment = 0; segment <= segments; segment++) {
            double[][] targets = segment == 0 ? costs : new double[2][count + 1];
            for (int i = 0; i < 2; i++) {
                SegmentCost cost = name.equals("line")
                        ? new LineCost(series[0])
                        : SegmentCost.ofPoints("change_points", name, series);
                new Partition(cost, count, minSize, i == 0)
                        .solve(costs[i], targets[i], segment == 0 ? penalty : 0, starts[i]);
            }
            costs = targets;
            assertThat(costs[0]).isEqualTo(costs[1]);
            assertThat(starts[0]).isEqualTo(starts[1]);
        }
    }
}
