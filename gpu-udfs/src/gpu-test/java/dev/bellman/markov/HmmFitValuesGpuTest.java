package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Tests {@code hmm_fit} and {@code hmm_refit} for sequences of normally distributed numbers and points on the GPU. */
class HmmFitValuesGpuTest extends GpuTest {
    private static final DataType NUMBERS = DataTypes.createArrayType(DataTypes.DoubleType);
    private static final DataType MATRIX = DataTypes.createArrayType(NUMBERS);
    private static final StructType SCHEMA = new StructType()
            .add("numbers", MATRIX)
            .add("points", DataTypes.createArrayType(MATRIX))
            .add("states", DataTypes.IntegerType)
            .add("iterations", DataTypes.IntegerType)
            .add("seed", DataTypes.LongType)
            .add("min_variance", DataTypes.DoubleType)
            .add("start", NUMBERS)
            .add("transitions", MATRIX)
            .add("emissions", MATRIX)
            .add("pairs", MATRIX)
            .add("logs", DataTypes.BooleanType);

    private static final List<String> FITS = List.of(
            "try_hmm_fit(numbers, states, iterations, seed, min_variance)",
            "try_hmm_fit(points, states, iterations, seed, min_variance)");
    private static final List<String> REFITS = List.of(
            "try_hmm_refit(numbers, start, transitions, emissions, iterations, logs, min_variance)",
            "try_hmm_refit(points, start, transitions, pairs, iterations, logs, min_variance)");

    private static void compare(List<Row> rows, List<String> calls) {
        Dataset<Row> input = rows(SCHEMA, 3, rows);
        calls.forEach(call -> assertSameAsOnCpu(input, call));
    }

    private static double value(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> random.nextInt(-2, 3);
            case 1 -> random.nextInt(4) == 0 ? -0.0 : 7.25;
            case 2 -> (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(-100, 101));
            case 3 -> (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(-3, 8));
            default -> random.nextInt(3) * 4 + random.nextGaussian();
        };
    }

    private static Double[] values(SplittableRandom random, int kind, int count) {
        return Stream.generate(() -> value(random, random.nextInt(40) == 0 ? 3 : kind))
                .limit(count)
                .toArray(Double[]::new);
    }

    private static Double[] probabilities(SplittableRandom random, int kind, int count, boolean logs) {
        return Stream.generate(() -> switch (kind) {
                    case 0 -> 1.0 / count;
                    case 1 -> random.nextInt(3) == 0 ? 0.0 : random.nextDouble();
                    case 2 -> Math.scalb(random.nextDouble(), -random.nextInt(1_060));
                    default -> random.nextDouble();
                })
                .map(each -> !logs ? each : kind == 3 ? -each * Math.pow(10, random.nextInt(10)) : StrictMath.log(each))
                .limit(count)
                .toArray(Double[]::new);
    }

    private static Double[] distributions(SplittableRandom random, int kind, int dimensions) {
        Double[] pairs = new Double[2 * dimensions];
        Arrays.setAll(
                pairs,
                i -> i % 2 == 0
                        ? value(random, kind)
                        : (0.1 + random.nextDouble()) * (kind == 2 ? Math.pow(10, random.nextInt(-79, 200)) : 1));
        return pairs;
    }

    private static Row row(SplittableRandom random, int states, int dimensions, int sequences, int longest) {
        int kind = random.nextInt(6);
        int model = random.nextInt(4);
        boolean logs = random.nextInt(3) == 0;
        int[] lengths =
                random.ints(random.nextInt(1, sequences + 1), 1, longest + 1).toArray();
        return RowFactory.create(
                IntStream.of(lengths)
                        .mapToObj(length -> values(random, kind, length))
                        .toArray(),
                IntStream.of(lengths)
                        .mapToObj(length -> ModelRows.matrix(length, () -> values(random, kind, dimensions)))
                        .toArray(),
                states,
                random.nextInt(1, 6),
                random.nextLong(),
                random.nextInt(5) == 0 ? Math.pow(10, random.nextInt(-79, 200)) : 1e-3,
                probabilities(random, model, states, logs),
                ModelRows.matrix(states, () -> probabilities(random, model, states, logs)),
                ModelRows.matrix(states, () -> distributions(random, kind, 1)),
                ModelRows.matrix(states, () -> distributions(random, kind, dimensions)),
                logs);
    }

    private static List<Row> rows(long seed, int count, int states, int dimensions, int sequences, int longest) {
        SplittableRandom random = new SplittableRandom(seed);
        return Stream.generate(() -> row(
                        random, random.nextInt(1, states + 1), random.nextInt(1, dimensions + 1), sequences, longest))
                .limit(count)
                .toList();
    }

    @Test
    void fit() {
        compare(rows(1, 2_000, 6, 4, 8, 20), FITS);
        compare(rows(2, 200, 16, 3, 40, 60), FITS);
        compare(rows(3, 20, 16, 2, 10, 2_000), FITS);
    }

    @Test
    void refit() {
        compare(rows(4, 2_000, 6, 4, 8, 20), REFITS);
        compare(rows(5, 200, 16, 3, 40, 60), REFITS);
        compare(rows(6, 20, 16, 2, 10, 2_000), REFITS);
    }

    /** Tests the limits of the numbers of states and coordinates; the CPU solves larger rows. */
    @Test
    void limits() {
        SplittableRandom random = new SplittableRandom(7);
        List<Row> rows = new ArrayList<>();
        for (int states : new int[] {1, 2, 3, 4, 5, 8, 9, 16, 17}) {
            for (int dimensions : new int[] {1, 2, 3, 4, 31, 32, 63, 64}) {
                rows.add(row(random, states, dimensions, 5, 30));
            }
        }
        compare(rows, FITS);
        compare(rows, REFITS);
    }

    @Test
    void optionalArguments() {
        Dataset<Row> input = rows(SCHEMA, 2, rows(8, 200, 5, 3, 5, 20));
        assertSameAsOnCpu(input, "try_hmm_fit(numbers, states)");
        assertSameAsOnCpu(input, "try_hmm_fit(points, states, seed => seed)");
        assertSameAsOnCpu(input, "try_hmm_fit(points, states, min_variance => min_variance)");
        assertSameAsOnCpu(input, "try_hmm_refit(numbers, start, transitions, emissions)");
        assertSameAsOnCpu(input, "try_hmm_refit(points, start, transitions, pairs, logarithms => logs)");
    }

    @Test
    void smallMemory() {
        withConf("spark.bellman.gpuMemory", "60k", () -> {
            compare(rows(9, 200, 5, 3, 5, 400), FITS);
            return null;
        });
    }

    @Test
    void rejectedRows() {
        Double[] sequence = {0.0, 1.0, 5.0};
        Double[][] points = {{0.0, 1.0}, {1.0, -2.0}};
        Object[][] numbers = {
            {}, {null}, {new Double[0]}, {new Double[] {1.0, null}}, {new Double[] {1e101}}, {new Double[] {Double.NaN}}
        };
        Object[][] lists = {
            {},
            {points, null},
            {new Double[][] {{}}},
            {new Double[][] {null}},
            {points, new Double[][] {{1.0}}},
            {new Double[][] {{1.0, Double.NEGATIVE_INFINITY}}}
        };
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < numbers.length; i++) {
            rows.add(row(numbers[i], lists[i], 2, 3, 1e-3));
        }
        Object[] valid = {sequence};
        Object[] pair = {points};
        rows.add(row(valid, pair, 0, 3, 1e-3));
        rows.add(row(valid, pair, 2, 0, 1e-3));
        rows.add(row(valid, pair, 2, 3, 0.0));
        rows.add(row(valid, pair, 2, 3, Double.NaN));
        rows.add(row(null, null, 2, 3, 1e-3));
        rows.add(row(valid, pair, 2, 3, 1e-3));
        compare(rows, FITS);
        for (String call : FITS) {
            assertThat(rows(SCHEMA, 1, rows)
                            .selectExpr(call + " AS model")
                            .where("model IS NULL")
                            .count())
                    .isEqualTo(rows.size() - 1);
        }
    }

    private static Row row(Object[] numbers, Object[] points, int states, int iterations, double minVariance) {
        return RowFactory.create(numbers, points, states, iterations, 0L, minVariance, null, null, null, null, false);
    }
}
