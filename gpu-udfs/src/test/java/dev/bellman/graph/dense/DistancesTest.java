package dev.bellman.graph.dense;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.large.tiles.Schedule;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares tables of distances with the textbook's three nested loops. */
class DistancesTest {
    private static final long UNREACHED = Long.MAX_VALUE / 4;

    private static List<Schedule> schedules(int side) {
        return List.of(
                Schedule.blocked(side),
                Schedule.twoWay(side),
                Schedule.twoWay(side).inOrder(9),
                Schedule.rWay(3, (side + 2) / 3));
    }

    /** Returns edges without a negative cycle: each weight is a difference of heights plus a nonnegative number. */
    private static long[][] edges(int n, double density, long largest, boolean negative, Random random) {
        long[] heights = random.longs(n, 0, negative ? largest : 1).toArray();
        long[][] weights = new long[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                weights[i][j] = i != j && random.nextDouble() < density
                        ? heights[j] - heights[i] + random.nextLong(largest)
                        : UNREACHED;
            }
        }
        return weights;
    }

    private static void textbook(long[][] distances) {
        int n = distances.length;
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    if (distances[i][k] < UNREACHED && distances[k][j] < UNREACHED) {
                        distances[i][j] = Math.min(distances[i][j], distances[i][k] + distances[k][j]);
                    }
                }
            }
        }
    }

    private static void textbook(double[][] distances) {
        int n = distances.length;
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    distances[i][j] = Math.min(distances[i][j], distances[i][k] + distances[k][j]);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100, 255, 256, 257, 600})
    void integers(int n) {
        Random random = new Random(n);
        // the largest weights that the bound allows
        long most = (IntDistances.UNREACHED / 2 - 1) / Math.max(1, n) / 2;
        long[][] weights = edges(n, Math.min(1, 3.0 / n), most, true, random);
        long[][] expected = Arrays.stream(weights).map(long[]::clone).toArray(long[][]::new);
        textbook(expected);
        for (int threads : new int[] {1, 3}) {
            for (Schedule schedule : schedules(new IntDistances(n).side())) {
                IntDistances ints = new IntDistances(n);
                LongDistances longs = new LongDistances(n, 0);
                // the weights for 64 bits are larger by this factor
                long scale = LongDistances.UNREACHED / IntDistances.UNREACHED;
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j < n; j++) {
                        if (weights[i][j] < UNREACHED) {
                            ints.set(i, j, (int) weights[i][j]);
                            longs.set(i, j, weights[i][j] * scale);
                        }
                    }
                }
                assertThat(ints.solve(schedule, threads)).isEqualTo(Distances.NONE);
                assertThat(longs.solve(schedule, threads)).isEqualTo(Distances.NONE);
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j < n; j++) {
                        int found = ints.get(i, j);
                        if (IntDistances.reaches(found) != expected[i][j] < UNREACHED
                                || IntDistances.reaches(found) && found != expected[i][j]) {
                            assertThat(found).as("%d to %d of %d", i, j, n).isEqualTo(expected[i][j]);
                        }
                        long wide = longs.get(i, j);
                        if (LongDistances.reaches(wide) != expected[i][j] < UNREACHED
                                || LongDistances.reaches(wide) && wide != expected[i][j] * scale) {
                            assertThat(wide).as("%d to %d of %d", i, j, n).isEqualTo(expected[i][j] * scale);
                        }
                    }
                }
            }
        }
    }

    /**
     * The results equal those of the textbook's loops bit for bit, although sums of such weights depend on their order.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 255, 256, 257, 600})
    void doubles(int n) {
        Random random = new Random(n);
        double[][] weights = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                weights[i][j] = random.nextInt(n) < 4 ? random.nextDouble() / 3 : Double.POSITIVE_INFINITY;
            }
        }
        weights[0][n - 1] = 0.0;
        double[][] expected = Arrays.stream(weights).map(double[]::clone).toArray(double[][]::new);
        textbook(expected);
        weights[0][n - 1] = -0.0;
        for (int threads : new int[] {1, 3}) {
            for (Schedule schedule : schedules(new DoubleDistances(n, 0).side())) {
                DoubleDistances found = new DoubleDistances(n, 0);
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j < n; j++) {
                        found.set(i, j, weights[i][j]);
                    }
                }
                assertThat(found.solve(schedule, threads)).isEqualTo(Distances.NONE);
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j < n; j++) {
                        if (Double.doubleToRawLongBits(found.get(i, j)) != Double.doubleToRawLongBits(expected[i][j])) {
                            assertThat(found.get(i, j))
                                    .as("%d to %d of %d", i, j, n)
                                    .isEqualTo(expected[i][j]);
                        }
                    }
                }
            }
        }
    }

    /**
     * A key consists of the length, the number of edges and, in the last bits, the next vertex. The smallest key
     * belongs to the shortest path with the fewest edges.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 257, 300})
    void keys(int n) {
        int bits = 10;
        long edge = 1L << bits;
        long[][] weights = edges(n, Math.min(1, 4.0 / n), 4, true, new Random(n));
        // runs the textbook's loops on pairs of a length and a number of edges
        long[][] expected = new long[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                expected[i][j] = weights[i][j] < UNREACHED ? weights[i][j] * edge + 1 : UNREACHED;
            }
        }
        textbook(expected);
        for (Schedule schedule : schedules(new LongDistances(n, 0).side())) {
            LongDistances keys = new LongDistances(n, bits);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    if (weights[i][j] < UNREACHED) {
                        keys.set(i, j, (weights[i][j] * edge + 1) * edge + j);
                    }
                }
            }
            assertThat(keys.solve(schedule, 2)).isEqualTo(Distances.NONE);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    long key = keys.get(i, j);
                    assertThat(LongDistances.reaches(key)).isEqualTo(expected[i][j] < UNREACHED);
                    if (i != j && LongDistances.reaches(key)) {
                        assertThat(key >> bits).isEqualTo(expected[i][j]);
                        assertThat(key & edge - 1).isEqualTo(next(i, j, weights, expected, edge));
                    }
                }
            }
        }
    }

    /** Returns the smallest second vertex of any path that has this length and this number of edges. */
    private static int next(int i, int j, long[][] weights, long[][] expected, long edge) {
        int v = 0;
        while (weights[i][v] == UNREACHED
                || weights[i][v] * edge + 1 + (v == j ? 0 : expected[v][j]) != expected[i][j]) {
            v++;
        }
        return v;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 255, 256, 400})
    void negativeCycle(int last) {
        int n = 500;
        for (Schedule schedule : schedules(new IntDistances(n).side())) {
            IntDistances ints = new IntDistances(n);
            LongDistances longs = new LongDistances(n, 0);
            DoubleDistances doubles = new DoubleDistances(n, 0);
            for (int i = 0; i <= last; i++) {
                edge(i, i == last ? 0 : i + 1, i == last ? -last - 1 : 1, ints, longs, doubles);
            }
            // another negative cycle, through later vertices
            edge(n - 1, n - 2, -1, ints, longs, doubles);
            edge(n - 2, n - 1, -1, ints, longs, doubles);
            assertThat(ints.solve(schedule, 2)).isEqualTo(last);
            assertThat(longs.solve(schedule, 2)).isEqualTo(last);
            assertThat(doubles.solve(schedule, 2)).isEqualTo(last);
        }
    }

    private static void edge(
            int from, int to, int weight, IntDistances ints, LongDistances longs, DoubleDistances doubles) {
        ints.set(from, to, weight);
        longs.set(from, to, weight);
        doubles.set(from, to, weight);
    }

    /** Tests the number of tiles per side. */
    @Test
    void side() {
        assertThat(new IntDistances(1).side()).isEqualTo(1);
        assertThat(new IntDistances(Distances.EDGE).side()).isEqualTo(1);
        assertThat(new IntDistances(Distances.EDGE + 1).side()).isEqualTo(2);
    }
}
