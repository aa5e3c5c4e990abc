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
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Tests {@code knapsack} and {@code subset_sum} on the GPU. */
class KnapsackGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("weights", DataTypes.createArrayType(DataTypes.LongType))
            .add("values", DataTypes.createArrayType(DataTypes.LongType))
            .add("capacity", DataTypes.LongType);

    private static final StructType REALS = new StructType()
            .add("weights", DataTypes.createArrayType(DataTypes.LongType))
            .add("values", DataTypes.createArrayType(DataTypes.DoubleType))
            .add("capacity", DataTypes.LongType);

    private static final String CALL = "knapsack(weights, values, capacity)";
    private static final String SUM = "subset_sum(weights, capacity)";

    private static Long[] numbers(SplittableRandom random, int count, long most) {
        return Stream.generate(() -> random.nextLong(most + 1)).limit(count).toArray(Long[]::new);
    }

    private static Row items(Long[] weights, Long[] values, long capacity) {
        return RowFactory.create(weights, values, capacity);
    }

    private static Long[] of(Long... numbers) {
        return numbers;
    }

    /** Returns rows with ties, items without weight and value, common divisors, and sums of 32 and 64 bits. */
    private static Dataset<Row> items(long seed, int count, int mostItems, long mostCapacity) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int n = random.nextInt(mostItems + 1);
            long capacity = random.nextLong(mostCapacity + 1);
            long unit = random.nextInt(3) == 0 ? 7 : 1;
            long heaviest = Math.max(1, random.nextBoolean() ? capacity / 4 : 2 * capacity);
            Long[] weights = Stream.of(numbers(random, n, heaviest))
                    .map(weight -> weight * unit)
                    .toArray(Long[]::new);
            long[] largest = {3, 1_000, 1L << 40, 1L << 50};
            rows.add(items(weights, numbers(random, n, largest[random.nextInt(largest.length)]), capacity * unit));
        }
        return rows(SCHEMA, 3, rows);
    }

    @Test
    void random() {
        assertSameAsOnCpu(items(1, 4_000, 40, 300), CALL);
        assertSameAsOnCpu(items(2, 500, 120, 10_000), CALL);
        assertSameAsOnCpu(items(6, 4_000, 40, 300), SUM);
        assertSameAsOnCpu(items(7, 500, 120, 10_000), SUM);
    }

    /** Tests tables of about one tile, one tile per warp, and several chunks; sums have 32 or 64 bits or are DOUBLE. */
    @Test
    void boundaries() {
        SplittableRandom random = new SplittableRandom(14);
        List<Row> rows = new ArrayList<>();
        List<Row> reals = new ArrayList<>();
        for (long capacity :
                List.of(128L, 255L, 512L, 640L, 8_192L, 10_240L, 12_288L, 16_384L, 20_480L, 24_576L, 50_000L)) {
            for (int i = -2; i <= 2; i++) {
                Long[] weights = numbers(random, 30, capacity / 4);
                weights[3] = capacity + i;
                for (long largest : List.of(10L, 1L << 40)) {
                    Long[] values = numbers(random, 30, largest);
                    rows.add(items(weights, values, capacity + i));
                    reals.add(RowFactory.create(
                            weights, Stream.of(values).map(value -> value / 3.0).toArray(Double[]::new), capacity + i));
                }
            }
        }
        assertSameAsOnCpu(rows(SCHEMA, 1, rows), CALL);
        assertSameAsOnCpu(rows(SCHEMA, 1, rows), SUM);
        assertSameAsOnCpu(rows(REALS, 1, reals), CALL);
    }

    /** Tests tables that the kernels store in device memory. */
    @Test
    void largeCapacities() {
        assertSameAsOnCpu(items(3, 10, 60, 200_000), CALL);
        assertSameAsOnCpu(items(8, 10, 60, 200_000), SUM);
    }

    /**
     * Tests a few rows with wide tables, which all blocks solve together. Sums have 32 or 64 bits. One item does not
     * fit, one has no weight, and one takes the whole capacity.
     */
    @Test
    void wideTables() {
        SplittableRandom random = new SplittableRandom(10);
        List<Row> rows = new ArrayList<>();
        for (long largest : List.of(100L, 1L << 50)) {
            for (long capacity : List.of(131_071L, 131_072L, 600_001L, 1_000_000L)) {
                Long[] weights = numbers(random, 90, capacity / 20);
                weights[5] = capacity + 1;
                weights[6] = 0L;
                weights[7] = capacity;
                rows.add(items(weights, numbers(random, 90, largest), capacity));
            }
        }
        assertSameAsOnCpu(rows(SCHEMA, 1, rows), CALL);
        assertSameAsOnCpu(rows(SCHEMA, 1, rows), SUM);
    }

    /** The CPU solves rows whose tables do not fit in GPU memory, and capacities that exceed every table. */
    @Test
    void onCpu() {
        withConf("spark.bellman.gpuMemory", "20k", () -> {
            assertSameAsOnCpu(items(4, 300, 60, 3_000), CALL);
            assertSameAsOnCpu(items(9, 300, 60, 3_000), SUM);
        });
        Dataset<Row> beyond = items(5, 200, 12, Long.MAX_VALUE / 20);
        assertSameAsOnCpu(beyond, CALL);
        assertSameAsOnCpu(beyond, SUM);
    }

    /**
     * Returns rows with DOUBLE values: ties, values that are rounded away in sums, 0.0 and -0.0, and values close to
     * the largest. Most values are multiples of a unit, so that many sums tie or differ by rounding errors.
     */
    private static Dataset<Row> reals(long seed, int count, int fewestItems, int mostItems, long mostCapacity) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] units = {0.1, 1.0 / 3, 1e-300, 1e99};
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int n = random.nextInt(fewestItems, mostItems + 1);
            long capacity = mostCapacity - random.nextLong(fewestItems > 0 ? 10 : mostCapacity + 1);
            double unit = units[random.nextInt(units.length)];
            boolean mixes = random.nextInt(3) == 0;
            Double[] values = new Double[n];
            for (int k = 0; k < n; k++) {
                double value = unit * random.nextInt(11);
                double small = random.nextInt(4) == 0 ? -0.0 : value * Math.scalb(1, random.nextInt(-60, 1));
                values[k] = mixes ? small : value;
            }
            long heaviest = Math.max(1, random.nextBoolean() ? capacity / 4 : 2 * capacity);
            rows.add(RowFactory.create(numbers(random, n, heaviest), values, capacity));
        }
        return rows(REALS, 3, rows);
    }

    @Test
    void doubles() {
        assertSameAsOnCpu(reals(11, 4_000, 0, 40, 300), CALL);
        assertSameAsOnCpu(reals(12, 300, 0, 60, 10_000), CALL);
        assertSameAsOnCpu(reals(13, 4, 24, 30, 60_000), CALL);
        withConf("spark.bellman.gpuMemory", "20k", () -> {
            assertSameAsOnCpu(reals(14, 300, 0, 60, 3_000), CALL);
        });
        assertSameAsOnCpu(reals(15, 200, 0, 12, Long.MAX_VALUE / 20), CALL);
    }

    /** All blocks together solve a few rows with wide tables. */
    @Test
    void wideTablesOfDoubles() {
        assertSameAsOnCpu(reals(16, 1, 30, 34, 131_071), CALL);
        assertSameAsOnCpu(reals(17, 1, 30, 34, 131_082), CALL);
        assertSameAsOnCpu(reals(18, 2, 30, 34, 300_000), CALL);
    }

    @Test
    void rejectedDoubles() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.add(RowFactory.create(of(3L, 4L, 5L, 2L), new Double[] {0.4, 0.5, 0.7, 0.3}, (long) i % 16));
        }
        for (Double wrong : Arrays.asList(
                null, -0.5, Double.NaN, Double.POSITIVE_INFINITY, 1.1e100, 1e100, -0.0, Double.MIN_VALUE)) {
            rows.add(RowFactory.create(of(3L, 4L), new Double[] {0.5, wrong}, 9L));
        }
        rows.add(RowFactory.create(of(3L, -4L), new Double[] {0.5, 0.25}, 9L));
        rows.add(RowFactory.create(of(3L, 4L), new Double[] {0.5}, 9L));
        rows.add(RowFactory.create(of(3L, 4L), new Double[] {0.5, 0.25}, -1L));
        rows.add(RowFactory.create(of(3L, 4L), null, 9L));
        rows.add(RowFactory.create(of(), new Double[0], 9L));
        Dataset<Row> input = rows(REALS, 1, rows);
        assertSameAsOnCpu(input, "try_" + CALL);
        assertSameFailure(input, CALL);
    }

    @Test
    void rejectedRows() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.add(items(of(3L, 4L, 5L, 2L), of(4L, 5L, 7L, 3L), (long) i % 16));
        }
        rows.add(items(of(3L, -4L), of(4L, 5L), 9L));
        rows.add(items(of(3L, 4L), of(4L, -5L), 9L));
        rows.add(items(of(3L, null), of(4L, 5L), 9L));
        rows.add(items(of(3L, 4L), of(4L), 9L));
        rows.add(items(of(3L, 4L), of(4L, 5L), -1L));
        rows.add(items(null, of(4L, 5L), 9L));
        rows.add(items(of(), of(), 9L));
        rows.add(items(of(1L, 1L), of(Long.MAX_VALUE, 5L), 9L));
        Dataset<Row> input = rows(SCHEMA, 1, rows);
        assertSameAsOnCpu(input, "try_" + CALL);
        assertSameAsOnCpu(input, "try_" + SUM);
        for (String call : List.of(CALL, SUM)) {
            assertSameFailure(input, call);
        }
    }
}
