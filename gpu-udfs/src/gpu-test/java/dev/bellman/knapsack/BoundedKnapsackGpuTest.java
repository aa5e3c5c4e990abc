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

class BoundedKnapsackGpuTest extends GpuTest {
    private static final DataType NUMBERS = DataTypes.createArrayType(DataTypes.LongType);
    private static final StructType SCHEMA = new StructType()
            .add("weights", NUMBERS)
            .add("values", NUMBERS)
            .add("counts", NUMBERS)
            .add("capacity", DataTypes.LongType);

    private static final StructType REALS = new StructType()
            .add("weights", NUMBERS)
            .add("values", DataTypes.createArrayType(DataTypes.DoubleType))
            .add("counts", NUMBERS)
            .add("capacity", DataTypes.LongType);

    private static final String CALL = "bounded_knapsack(weights, values, counts, capacity)";

    private static Long[] numbers(SplittableRandom random, int count, long most) {
        return Stream.generate(() -> random.nextLong(most + 1)).limit(count).toArray(Long[]::new);
    }

    /**
     * Returns rows with ties, items without weight, value or copies, more copies than fit, and sums of 32 and 64 bits.
     */
    private static List<Row> drawn(long seed, int count, int mostItems, long mostCapacity) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] largest = {3, 1_000, 1L << 40};
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int n = random.nextInt(mostItems + 1);
            long capacity = random.nextLong(mostCapacity + 1);
            rows.add(RowFactory.create(
                    numbers(random, n, Math.max(1, random.nextBoolean() ? capacity / 4 : 2 * capacity)),
                    numbers(random, n, largest[random.nextInt(largest.length)]),
                    numbers(random, n, random.nextInt(4) == 0 ? 10_000 : 9),
                    capacity));
        }
        return rows;
    }

    private static Dataset<Row> items(long seed, int count, int mostItems, long mostCapacity) {
        return rows(SCHEMA, 3, drawn(seed, count, mostItems, mostCapacity));
    }

    @Test
    void random() {
        assertSameAsOnCpu(items(1, 4_000, 20, 300), CALL);
        assertSameAsOnCpu(items(2, 300, 100, 10_000), CALL);
    }

    /** Tests tables most of whose rows do not fit in shared memory, so the kernel stores them in device memory. */
    @Test
    void largeCapacities() {
        assertSameAsOnCpu(items(3, 10, 40, 200_000), CALL);
    }

    /** The CPU solves rows whose tables do not fit in GPU memory, and capacities that exceed every table. */
    @Test
    void onCpu() {
        withConf("spark.bellman.gpuMemory", "20k", () -> {
            assertSameAsOnCpu(items(4, 300, 30, 3_000), CALL);
        });
        assertSameAsOnCpu(items(5, 200, 5, Long.MAX_VALUE / 20), CALL);
    }

    /** Returns rows with DOUBLE values, whose sums are rounded. */
    private static Dataset<Row> reals(long seed, int count, int mostItems, long mostCapacity) {
        double[] units = {0.1, 1.0 / 3, 1e80};
        List<Row> rows = drawn(seed, count, mostItems, mostCapacity).stream()
                .map(row -> RowFactory.create(
                        row.get(0),
                        Arrays.stream((Long[]) row.get(1))
                                .map(value -> value % 5 * units[(int) (row.getLong(3) % units.length)])
                                .toArray(Double[]::new),
                        row.get(2),
                        row.get(3)))
                .toList();
        return rows(REALS, 3, rows);
    }

    @Test
    void doubles() {
        assertSameAsOnCpu(reals(6, 4_000, 20, 300), CALL);
        assertSameAsOnCpu(reals(7, 200, 40, 5_000), CALL);
        withConf("spark.bellman.gpuMemory", "20k", () -> {
            assertSameAsOnCpu(reals(8, 300, 30, 1_000), CALL);
        });
        assertSameAsOnCpu(reals(9, 200, 3, 100_000), CALL);
    }

    @Test
    void rejectedDoubles() {
        Long[] two = {3L, 4L};
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.add(RowFactory.create(two, new Double[] {0.4, 0.5}, new Long[] {2L, (long) i % 5}, (long) i % 30));
        }
        for (Double wrong : Arrays.asList(null, -0.5, Double.NaN, Double.POSITIVE_INFINITY, 1.1e100, 1e100, -0.0)) {
            rows.add(RowFactory.create(two, new Double[] {0.5, wrong}, new Long[] {2L, 3L}, 20L));
        }
        rows.add(RowFactory.create(two, new Double[] {0.5}, two, 9L));
        rows.add(RowFactory.create(two, new Double[] {0.5, 0.25}, new Long[] {3L, -1L}, 9L));
        rows.add(RowFactory.create(two, new Double[] {0.5, 0.25}, two, -1L));
        // items without weight, whose copies have the largest total values
        rows.add(RowFactory.create(
                new Long[] {0L, 1L}, new Double[] {1e100, 0.5}, new Long[] {Long.MAX_VALUE, 40L}, 30L));
        Dataset<Row> input = rows(REALS, 1, rows);
        assertSameAsOnCpu(input, "try_" + CALL);
        assertSameFailure(input, CALL);
    }

    @Test
    void rejectedRows() {
        Long[] two = {3L, 4L};
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.add(RowFactory.create(two, new Long[] {4L, 5L}, new Long[] {2L, (long) i % 5}, (long) i % 30));
        }
        rows.add(RowFactory.create(new Long[] {3L, -4L}, two, two, 9L));
        rows.add(RowFactory.create(two, new Long[] {-3L, 4L}, two, 9L));
        rows.add(RowFactory.create(two, two, new Long[] {3L, -1L}, 9L));
        rows.add(RowFactory.create(new Long[] {null, 4L}, two, two, 9L));
        rows.add(RowFactory.create(two, new Long[] {3L, null}, two, 9L));
        rows.add(RowFactory.create(two, two, new Long[] {null, 1L}, 9L));
        rows.add(RowFactory.create(two, new Long[] {3L}, two, 9L));
        rows.add(RowFactory.create(two, two, new Long[] {3L, 1L, 1L}, 9L));
        rows.add(RowFactory.create(two, two, two, -1L));
        rows.add(RowFactory.create(two, two, null, 9L));
        rows.add(RowFactory.create(new Long[0], new Long[0], new Long[0], 9L));
        // the value of all copies of one item, and the value of two items, exceed the range of BIGINT
        rows.add(RowFactory.create(new Long[] {0L}, new Long[] {Long.MAX_VALUE}, new Long[] {2L}, 9L));
        rows.add(RowFactory.create(new Long[] {1L, 1L}, new Long[] {Long.MAX_VALUE, 5L}, new Long[] {1L, 1L}, 9L));
        Dataset<Row> input = rows(SCHEMA, 1, rows);
        assertSameAsOnCpu(input, "try_" + CALL);
        assertSameFailure(input, CALL);
    }
}
