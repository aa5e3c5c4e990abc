package dev.bellman.knapsack;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Tests {@code multiple_choice_knapsack} on the GPU. */
class ChoiceKnapsackGpuTest extends GpuTest {
    private static final DataType CLASSES = DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.LongType));
    private static final StructType SCHEMA =
            new StructType().add("weights", CLASSES).add("values", CLASSES).add("capacity", DataTypes.LongType);

    private static final StructType REALS = new StructType()
            .add("weights", CLASSES)
            .add("values", DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.DoubleType)))
            .add("capacity", DataTypes.LongType);

    private static final String CALL = "multiple_choice_knapsack(weights, values, capacity)";

    private static Long[] numbers(SplittableRandom random, int count, long most) {
        return Stream.generate(() -> random.nextLong(most + 1)).limit(count).toArray(Long[]::new);
    }

    /**
     * Returns rows with ties, options whose extra weights over the lightest option of their class have a common
     * divisor, options that do not fit, classes of one option and of many, and sums of 32 and 64 bits. For some rows,
     * no choice fits.
     */
    private static List<Row> drawn(long seed, int count, int mostClasses, int mostOptions, long mostCapacity) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] largest = {3, 1_000, 1L << 40};
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int n = random.nextInt(mostClasses + 1);
            long capacity = random.nextLong(mostCapacity + 1);
            long heaviest = Math.max(1, random.nextBoolean() ? capacity / Math.max(1, n) : capacity);
            long unit = random.nextInt(3) == 0 ? 7 : 1;
            long most = largest[random.nextInt(largest.length)];
            Long[][] weights = new Long[n][];
            Long[][] values = new Long[n][];
            for (int k = 0; k < n; k++) {
                int options = 1 + random.nextInt(mostOptions);
                weights[k] = numbers(random, options, heaviest);
                weights[k][random.nextInt(options)] = random.nextLong(3);
                for (int o = 0; o < options; o++) {
                    weights[k][o] *= unit;
                }
                values[k] = numbers(random, options, most);
            }
            rows.add(RowFactory.create(weights, values, capacity * unit));
        }
        return rows;
    }

    private static Dataset<Row> classes(long seed, int count, int mostClasses, int mostOptions, long mostCapacity) {
        return rows(SCHEMA, 3, drawn(seed, count, mostClasses, mostOptions, mostCapacity));
    }

    @Test
    void random() {
        assertSameAsOnCpu(classes(1, 4_000, 15, 6, 300), "try_" + CALL);
        assertSameAsOnCpu(classes(2, 300, 60, 40, 10_000), "try_" + CALL);
        assertSameAsOnCpu(classes(3, 20, 6, 900, 2_000), "try_" + CALL);
    }

    /** Tests tables that the kernel stores in device memory. */
    @Test
    void largeCapacities() {
        assertSameAsOnCpu(classes(4, 10, 30, 8, 200_000), "try_" + CALL);
    }

    /** The CPU solves rows whose tables do not fit in GPU memory, and capacities that exceed every table. */
    @Test
    void onCpu() {
        withConf("spark.bellman.gpuMemory", "20k", () -> {
            assertSameAsOnCpu(classes(5, 300, 20, 6, 3_000), "try_" + CALL);
        });
        Dataset<Row> beyond = classes(6, 200, 6, 3, Long.MAX_VALUE / 20);
        assertSameAsOnCpu(beyond, "try_" + CALL);
    }

    /** Returns rows with DOUBLE values, whose sums are rounded. */
    private static Dataset<Row> reals(long seed, int count, int mostClasses, int mostOptions, long mostCapacity) {
        double[] units = {0.1, 1.0 / 3, 1e80};
        List<Row> rows = drawn(seed, count, mostClasses, mostOptions, mostCapacity).stream()
                .map(row -> RowFactory.create(
                        row.get(0),
                        Arrays.stream((Long[][]) row.get(1))
                                .map(values -> Arrays.stream(values)
                                        .map(value -> value % 9 * units[(int) (row.getLong(2) % units.length)])
                                        .toArray(Double[]::new))
                                .toArray(Double[][]::new),
                        row.get(2)))
                .toList();
        return rows(REALS, 3, rows);
    }

    @Test
    void doubles() {
        assertSameAsOnCpu(reals(7, 4_000, 15, 6, 300), "try_" + CALL);
        assertSameAsOnCpu(reals(8, 200, 40, 20, 5_000), "try_" + CALL);
        assertSameAsOnCpu(reals(9, 4, 30, 8, 60_000), "try_" + CALL);
        withConf("spark.bellman.gpuMemory", "20k", () -> {
            assertSameAsOnCpu(reals(10, 300, 20, 6, 1_000), "try_" + CALL);
        });
        assertSameAsOnCpu(reals(11, 200, 6, 3, Long.MAX_VALUE / 20), "try_" + CALL);
    }

    @Test
    void rejectedDoubles() {
        Long[][] two = {{3L, 4L}, {5L}};
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.add(RowFactory.create(two, new Double[][] {{0.3, 0.4}, {0.5}}, 8L + i % 5));
        }
        for (Double wrong : Arrays.asList(null, -0.5, Double.NaN, Double.POSITIVE_INFINITY, 1.1e100, 1e100, -0.0)) {
            rows.add(RowFactory.create(two, new Double[][] {{0.3, wrong}, {0.5}}, 9L));
            rows.add(RowFactory.create(two, new Double[][] {{0.3, 0.4}, {wrong}}, 8L));
        }
        rows.add(RowFactory.create(two, new Double[][] {{0.3, 0.4}, null}, 9L));
        rows.add(RowFactory.create(two, new Double[][] {{0.3, 0.4}}, 9L));
        rows.add(RowFactory.create(two, new Double[][] {{0.3, 0.4}, {}}, 9L));
        rows.add(RowFactory.create(two, new Double[][] {{0.3, 0.4}, {0.5}}, 7L));
        rows.add(RowFactory.create(new Long[0][], new Double[0][], 9L));
        Dataset<Row> input = rows(REALS, 1, rows);
        assertSameAsOnCpu(input, "try_" + CALL);
        assertSameFailure(input, CALL);
    }

    @Test
    void rejectedRows() {
        Long[][] two = {{3L, 4L}, {5L}};
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.add(RowFactory.create(two, two, 8L + i % 5));
        }
        rows.add(RowFactory.create(two, two, 7L));
        rows.add(RowFactory.create(two, two, -1L));
        rows.add(RowFactory.create(new Long[][] {{3L, -4L}, {5L}}, two, 9L));
        rows.add(RowFactory.create(two, new Long[][] {{3L, 4L}, {-5L}}, 9L));
        rows.add(RowFactory.create(new Long[][] {{3L, null}, {5L}}, two, 9L));
        rows.add(RowFactory.create(two, new Long[][] {{3L, 4L}, {null}}, 9L));
        rows.add(RowFactory.create(new Long[][] {{3L, 4L}, null}, two, 9L));
        rows.add(RowFactory.create(two, new Long[][] {null, {5L}}, 9L));
        rows.add(RowFactory.create(two, new Long[][] {{3L, 4L}}, 9L));
        rows.add(RowFactory.create(two, new Long[][] {{3L, 4L}, {5L, 6L}}, 9L));
        rows.add(RowFactory.create(new Long[][] {{}}, new Long[][] {{}}, 9L));
        rows.add(RowFactory.create(two, null, 9L));
        rows.add(RowFactory.create(new Long[0][], new Long[0][], 9L));
        rows.add(RowFactory.create(new Long[][] {{1L}, {1L}}, new Long[][] {{Long.MAX_VALUE}, {5L}}, 9L));
        rows.add(RowFactory.create(new Long[][] {{Long.MAX_VALUE}, {5L}}, two, 9L));
        Dataset<Row> input = rows(SCHEMA, 1, rows);
        assertSameAsOnCpu(input, "try_" + CALL);
        assertSameFailure(input, CALL);
    }
}
