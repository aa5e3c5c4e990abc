package dev.bellman.segment;

import dev.bellman.GpuTest;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class OptimalBinsGpuTest extends GpuTest {
    private static final String CALL = "optimal_bins(v, k)";
    private static final StructType SCHEMA = new StructType()
            .add("v", DataTypes.createArrayType(DataTypes.DoubleType))
            .add("k", DataTypes.IntegerType);

    private static Double value(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> (double) random.nextInt(-10, 11);
            case 1 -> random.nextInt(3) == 0 ? 1.0 : random.nextBoolean() ? -0.0 : 0.0;
            case 2 -> Math.scalb(random.nextDouble() - 0.5, random.nextInt(-30, 31));
            case 3 -> 1 + Math.scalb((double) random.nextInt(8), -52);
            case 4 -> random.nextInt(500) == 0 ? null : 10 * random.nextInt(5) + random.nextDouble();
            case 5 -> random.nextInt(500) == 0 ? Double.NaN : 1e6 + random.nextDouble();
            case 6 -> (double) random.nextInt(-(1 << 30), 1 << 30);
            default -> random.nextDouble();
        };
    }

    private static Row row(SplittableRandom random, int count, int bins) {
        int kind = random.nextInt(9);
        return RowFactory.create(
                random.nextInt(100) == 0
                        ? null
                        : Stream.generate(() -> value(random, kind))
                                .limit(count)
                                .toArray(),
                random.nextInt(100) == 0 ? 0 : bins);
    }

    private static Dataset<Row> random(long seed, int count, int most) {
        return random(SCHEMA, seed, count, most, (random, size) -> row(random, size, random.nextInt(1, 10)));
    }

    @Test
    void random() {
        assertSameAsOnCpu("try_optimal_bins", random(1, 20_000, 9), "try_" + CALL);
        assertSameAsOnCpu("try_optimal_bins", random(2, 10_000, 60), "try_" + CALL);
        assertSameAsOnCpu("try_optimal_bins", random(3, 300, 700), "try_" + CALL);
    }

    @Test
    void oneBinPerValue() {
        SplittableRandom random = new SplittableRandom(4);
        List<Row> rows = IntStream.of(1, 2, 31, 32, 33, 64, 200)
                .mapToObj(count -> row(random, count, count))
                .toList();
        assertSameAsOnCpu("try_optimal_bins", rows(SCHEMA, 1, rows), "try_" + CALL);
    }

    /**
     * The CPU solves rows with more than 2,048 values, rows whose table is too large for the GPU, and rows with a cost
     * that is close to 0 or halfway between two DOUBLE values.
     */
    @Test
    void onCpu() {
        SplittableRandom random = new SplittableRandom(5);
        List<Row> rows = IntStream.of(2_047, 2_048, 2_049, 3_000)
                .mapToObj(count -> row(random, count, count == 2_047 ? 200 : 3))
                .toList();
        assertSameAsOnCpu("try_optimal_bins", rows(SCHEMA, 1, rows), "try_" + CALL);
        List<Row> uncertain = List.of(
                RowFactory.create(new Object[] {0.0, (double) (1L << 27) + 1}, 1),
                RowFactory.create(new Object[] {0.0, (double) (1L << 28) - 1}, 1),
                RowFactory.create(new Object[] {0.0, 1e-160}, 1),
                RowFactory.create(new Object[] {0.0, Double.MIN_VALUE}, 1),
                RowFactory.create(new Object[] {1.0, 2.0, 1e100}, 2));
        assertSameAsOnCpu("optimal_bins", rows(SCHEMA, 1, uncertain), CALL);
        withConf("spark.bellman.gpuMemory", "10k", () -> {
            assertSameAsOnCpu("try_optimal_bins", random(6, 200, 300), "try_" + CALL);
        });
    }

    @Test
    void rejectedRows() {
        assertRejected(
                SCHEMA,
                CALL,
                List.of(RowFactory.create(new Object[] {1.0}, 1), RowFactory.create(null, 1)),
                RowFactory.create(new Object[] {}, 1),
                RowFactory.create(new Object[] {1.0, null}, 1),
                RowFactory.create(new Object[] {1.0, Double.NaN}, 1),
                RowFactory.create(new Object[] {1.0, -2e100}, 1),
                RowFactory.create(new Object[] {1.0, 2.0}, 0));
    }
}
