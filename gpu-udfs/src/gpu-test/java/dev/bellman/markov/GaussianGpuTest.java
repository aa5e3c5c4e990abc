package dev.bellman.markov;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Collections;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the functions on normally distributed numbers and points on the GPU. */
class GaussianGpuTest extends GpuTest {
    private static final DataType NUMBERS = DataTypes.createArrayType(DataTypes.DoubleType);
    private static final DataType MATRIX = DataTypes.createArrayType(NUMBERS);
    private static final StructType SCHEMA = new StructType()
            .add("start", NUMBERS)
            .add("transitions", MATRIX)
            .add("emissions", MATRIX)
            .add("numbers", NUMBERS)
            .add("pairs", MATRIX)
            .add("points", MATRIX);

    private static final List<String> ARGUMENTS =
            List.of("(start, transitions, emissions, numbers)", "(start, transitions, pairs, points)");

    /** The arguments for models that contain logarithms if their sequence has an even number of steps. */
    private static final List<String> WITH_LOGARITHMS = ARGUMENTS.stream()
            .map(each -> each.replace(")", ", logarithms => size(numbers) % 2 = 0)"))
            .toList();

    private static void compare(String function, List<Row> models, List<String> calls) {
        Dataset<Row> input = rows(SCHEMA, 3, models);
        for (String arguments : calls) {
            assertSameAsOnCpu(input, "try_" + function + arguments);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"viterbi", "forward", "posterior"})
    void random(String function) {
        compare(function, models(1, 3_000, 5, 30, false), ARGUMENTS);
        compare(function, models(2, 1_000, 32, 100, false), ARGUMENTS);
        compare(function, models(3, 30, 32, 3_000, false), ARGUMENTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"viterbi", "forward", "posterior"})
    void logarithms(String function) {
        compare(function, models(4, 3_000, 5, 30, true), WITH_LOGARITHMS);
        compare(function, models(5, 1_000, 32, 100, true), WITH_LOGARITHMS);
    }

    /** The CPU solves models with more than 32 states, and rows whose tables do not fit in GPU memory. */
    @ParameterizedTest
    @ValueSource(strings = {"viterbi", "forward", "posterior"})
    void onCpu(String function) {
        compare(function, models(6, 50, 60, 20, false), ARGUMENTS);
        withConf("spark.bellman.gpuMemory", "20k", () -> compare(function, models(7, 200, 20, 300, false), ARGUMENTS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"viterbi", "forward", "posterior"})
    void oneModel(String function) {
        assertSameAsOnCpu(
                rows(SCHEMA, 2, models(8, 500, 2, 40, false)),
                function + "(array(0.6, 0.4), array(array(0.7, 0.3), array(0.4, 0.6)), "
                        + "array(array(0, 1), array(3, 0.5)), numbers)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"viterbi", "forward", "posterior"})
    void rejectedRows(String function) {
        for (boolean logarithms : new boolean[] {false, true}) {
            Dataset<Row> input = rows(SCHEMA, 1, rejected(logarithms));
            for (String arguments : ARGUMENTS) {
                String call = arguments.replace(")", ", logarithms => " + logarithms + ")");
                assertSameAsOnCpu(input, "try_" + function + call);
                assertSameFailure(input, function + call);
            }
        }
    }

    /** Returns models with ties, impossible transitions and dead ends, and values of all magnitudes. */
    private static List<Row> models(long seed, int count, int maxStates, int maxSteps, boolean withLogarithms) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    int states = random.nextInt(1, maxStates + 1);
                    int steps = random.nextInt(1, maxSteps);
                    int kind = random.nextInt(4);
                    int dimensions = random.nextInt(1, 4);
                    boolean logs = withLogarithms && steps % 2 == 0;
                    return RowFactory.create(
                            probabilities(random, kind, states, logs),
                            ModelRows.matrix(states, () -> probabilities(random, kind, states, logs)),
                            ModelRows.matrix(states, () -> distributions(random, kind, 1)),
                            values(random, kind, steps),
                            ModelRows.matrix(states, () -> distributions(random, kind, dimensions)),
                            ModelRows.matrix(steps, () -> values(random, kind, dimensions)));
                })
                .toList();
    }

    private static Double[] probabilities(SplittableRandom random, int kind, int count, boolean logs) {
        return Stream.generate(() -> switch (kind) {
                    case 0 -> 1.0 / count;
                    case 1 -> random.nextInt(3) > 0 ? 0.0 : random.nextDouble();
                    case 2 -> Math.scalb(random.nextDouble(), -random.nextInt(1_060));
                    default -> random.nextDouble();
                })
                .map(each -> !logs ? each : kind == 3 ? -each * Math.pow(10, random.nextInt(10)) : StrictMath.log(each))
                .limit(count)
                .toArray(Double[]::new);
    }

    private static Double[] distributions(SplittableRandom random, int kind, int dimensions) {
        Double[] pairs = new Double[2 * dimensions];
        for (int d = 0; d < dimensions; d++) {
            pairs[2 * d] = value(random, kind);
            pairs[2 * d + 1] = kind < 3
                    ? 0.1 + random.nextInt(3)
                    : (0.1 + random.nextDouble()) * Math.pow(10, random.nextInt(-79, 200));
        }
        return pairs;
    }

    private static Double[] values(SplittableRandom random, int kind, int count) {
        return Stream.generate(() -> value(random, random.nextInt(20) == 0 ? 3 : kind))
                .limit(count)
                .toArray(Double[]::new);
    }

    private static double value(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> random.nextInt(-2, 3);
            case 3 -> (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(-100, 101));
            default -> (random.nextDouble() - 0.5) * 10;
        };
    }

    /** Returns valid rows, a row with a NULL argument, and at least one row for each reason for a rejection. */
    private static List<Row> rejected(boolean logarithms) {
        Double[] certain = {logarithms ? 0.0 : 1.0};
        Double[] zero = {0.0};
        Double[][] moves = {certain};
        Double[][] normal = {{0.0, 1.0}};
        Double[][] point = {{0.5}};
        List<Row> rows = new ArrayList<>(
                Collections.nCopies(100, RowFactory.create(certain, moves, normal, zero, normal, point)));
        for (Double wrong : new Double[] {null, Double.NaN, -1.0, 1.5, -2e9, Double.NEGATIVE_INFINITY}) {
            Double[] numbers = {wrong};
            rows.add(RowFactory.create(numbers, moves, normal, zero, normal, point));
            rows.add(RowFactory.create(certain, new Double[][] {numbers}, normal, zero, normal, point));
            rows.add(RowFactory.create(certain, moves, new Double[][] {{0.0, wrong}}, numbers, normal, point));
            rows.add(RowFactory.create(certain, moves, normal, zero, new Double[][] {{wrong, 1.0}}, point));
            rows.add(RowFactory.create(certain, moves, normal, zero, normal, new Double[][] {numbers}));
        }
        rows.add(RowFactory.create(new Double[0], moves, normal, zero, normal, point));
        rows.add(RowFactory.create(certain, new Double[0][], normal, zero, normal, point));
        rows.add(RowFactory.create(
                certain, moves, new Double[][] {{0.0}}, zero, new Double[][] {{0.0, 1.0, 2.0}}, point));
        rows.add(RowFactory.create(certain, moves, new Double[][] {{}}, zero, new Double[][] {null}, point));
        rows.add(RowFactory.create(certain, moves, new Double[][] {{1e101, 1.0}}, zero, normal, new Double[][] {{}}));
        rows.add(RowFactory.create(certain, moves, new Double[][] {{0.0, 1e201}}, zero, normal, new Double[][] {null}));
        rows.add(RowFactory.create(certain, moves, normal, new Double[0], normal, new Double[0][]));
        rows.add(RowFactory.create(certain, moves, normal, new Double[] {1e101}, normal, new Double[][] {{0.0, 0.0}}));
        rows.add(RowFactory.create(null, moves, normal, zero, normal, point));
        return rows;
    }
}
