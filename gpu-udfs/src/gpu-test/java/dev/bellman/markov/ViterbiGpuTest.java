package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import java.util.ArrayList;
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

/** {@code viterbi} on the GPU. */
class ViterbiGpuTest extends GpuTest {
    private static final DataType NUMBERS = DataTypes.createArrayType(DataTypes.DoubleType);
    private static final DataType MATRIX = DataTypes.createArrayType(NUMBERS);
    private static final StructType SCHEMA = new StructType()
            .add("start", NUMBERS)
            .add("transitions", MATRIX)
            .add("emissions", MATRIX)
            .add("letters", MATRIX)
            .add("symbols", DataTypes.createArrayType(DataTypes.IntegerType));

    private static final String STEPS = "viterbi(start, transitions, emissions)";
    private static final String SYMBOLS = "viterbi(start, transitions, letters, symbols)";

    private static Double[] weights(SplittableRandom random, int kind, int count) {
        return Stream.generate(() -> switch (kind) {
                    case 0 -> random.nextInt(1, 4) / 4.0;
                    case 1 -> random.nextInt(8) == 0 ? 0.0 : random.nextDouble();
                    default -> Math.scalb(1 + random.nextDouble(), random.nextInt(-1_070, 1_000));
                })
                .limit(count)
                .toArray(Double[]::new);
    }

    private static Double[][] matrix(SplittableRandom random, int kind, int rows, int columns) {
        return Stream.generate(() -> weights(random, kind, columns)).limit(rows).toArray(Double[][]::new);
    }

    /** Ties, impossible transitions, and weights of all magnitudes. */
    private static Row model(SplittableRandom random, int states, int steps) {
        int kind = random.nextInt(3);
        int letters = random.nextInt(1, 6);
        return RowFactory.create(
                weights(random, kind, states),
                matrix(random, kind, states, states),
                matrix(random, kind, steps, states),
                matrix(random, kind, states, letters),
                random.ints(steps, 0, letters).boxed().toArray(Integer[]::new));
    }

    private static void compare(long seed, int count, int mostStates, int mostSteps) {
        SplittableRandom random = new SplittableRandom(seed);
        Dataset<Row> input = rows(
                SCHEMA,
                3,
                IntStream.range(0, count)
                        .mapToObj(i -> model(random, random.nextInt(1, mostStates + 1), random.nextInt(1, mostSteps)))
                        .toList());
        assertSameAsOnCpu("try_viterbi", input, "try_" + STEPS);
        assertSameAsOnCpu("try_viterbi", input, "try_" + SYMBOLS);
    }

    @Test
    void random() {
        compare(1, 3_000, 5, 30);
        compare(2, 600, 70, 100);
    }

    @Test
    void manyStates() {
        compare(3, 10, 400, 60);
    }

    /** Models of more states than a block takes, and tables that do not fit the memory, are the CPU's. */
    @Test
    void onCpu() {
        compare(4, 3, 1_200, 3);
        withConf("spark.bellman.gpuMemory", "20k", () -> {
            compare(5, 200, 20, 300);
            return null;
        });
    }

    @Test
    void oneModel() {
        SplittableRandom random = new SplittableRandom(6);
        Dataset<Row> input = rows(
                SCHEMA, 2, IntStream.range(0, 500).mapToObj(i -> model(random, 2, 40)).toList());
        assertSameAsOnCpu(
                "viterbi",
                input,
                "viterbi(array(0.6, 0.4), array(array(0.7, 0.3), array(0.4, 0.6)), "
                        + "array(array(0.5, 0.4, 0.1, 0.1, 0.2), array(0.1, 0.3, 0.6, 0.1, 0.2)), symbols)");
    }

    @Test
    void rejectedRows() {
        SplittableRandom random = new SplittableRandom(7);
        Double[] one = {1.0};
        Double[][] matrix = {one};
        Integer[] symbols = {0};
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            rows.add(model(random, 3, 10));
        }
        rows.add(RowFactory.create(new Double[0], matrix, matrix, matrix, symbols));
        rows.add(RowFactory.create(new Double[] {null}, matrix, matrix, matrix, symbols));
        rows.add(RowFactory.create(new Double[] {-1.0}, matrix, matrix, matrix, symbols));
        rows.add(RowFactory.create(new Double[] {Double.NaN}, matrix, matrix, matrix, symbols));
        rows.add(RowFactory.create(one, new Double[][] {null}, matrix, matrix, symbols));
        rows.add(RowFactory.create(one, new Double[][] {{1.0, 1.0}}, matrix, matrix, symbols));
        rows.add(RowFactory.create(one, new Double[0][], matrix, matrix, symbols));
        rows.add(RowFactory.create(one, matrix, new Double[0][], new Double[0][], symbols));
        rows.add(RowFactory.create(one, matrix, new Double[][] {one, null}, new Double[][] {{}}, symbols));
        rows.add(RowFactory.create(
                one, matrix, new Double[][] {{Double.POSITIVE_INFINITY}}, new Double[][] {null}, symbols));
        rows.add(RowFactory.create(one, matrix, matrix, matrix, new Integer[0]));
        rows.add(RowFactory.create(one, matrix, matrix, matrix, new Integer[] {null}));
        rows.add(RowFactory.create(one, matrix, matrix, matrix, new Integer[] {1}));
        rows.add(RowFactory.create(one, matrix, matrix, matrix, new Integer[] {-1}));
        rows.add(RowFactory.create(one, matrix, new Double[][] {{0.0}}, new Double[][] {{-0.0}}, symbols));
        rows.add(RowFactory.create(one, null, matrix, matrix, null));
        Dataset<Row> input = rows(SCHEMA, 1, rows);
        for (String call : List.of(STEPS, SYMBOLS)) {
            assertSameAsOnCpu("try_viterbi", input, "try_" + call);
            assertThat(failure(input, call))
                    .isEqualTo(withConf("spark.rapids.sql.enabled", "false", () -> failure(input, call)));
        }
    }
}
