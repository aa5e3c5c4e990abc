package dev.bellman.segment;

import dev.bellman.GpuTest;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class PiecewiseLinearGpuTest extends GpuTest {
    private static final String CALL = "piecewise_linear(v, p)";
    private static final StructType SCHEMA = new StructType()
            .add("v", DataTypes.createArrayType(DataTypes.DoubleType))
            .add("p", DataTypes.DoubleType);

    private static Double value(SplittableRandom random, int kind, double level) {
        return switch (kind) {
            case 0 -> level;
            case 1 -> 0.1 * level;
            case 2 -> (double) random.nextInt(3);
            case 3 -> 7.0;
            case 4 -> 1e15 + level;
            case 5 -> Math.scalb(random.nextDouble(), random.nextInt(-300, 300));
            case 6 -> 1e100 * random.nextDouble();
            case 7 -> random.nextInt(50) == 0 ? 1e9 : random.nextInt(9) == 0 ? -0.0 : level;
            case 8 -> random.nextInt(500) == 0 ? null : level + random.nextGaussian();
            default -> random.nextInt(500) == 0 ? Double.NaN : level + random.nextDouble();
        };
    }

    private static Row row(SplittableRandom random, int count) {
        int kind = random.nextInt(10);
        Double[] values = new Double[count];
        double level = 0;
        int slope = 1;
        for (int i = 0; i < count; i++) {
            slope = random.nextInt(9) == 0 ? random.nextInt(7) - 3 : slope;
            level += slope;
            values[i] = value(random, kind, level);
        }
        Double[] penalties = {0.0, 0.5, 1.0, 4.0, 20 * random.nextDouble(), 1e9, 1e100, null, -1.0};
        return RowFactory.create(
                random.nextInt(100) == 0 ? null : values,
                penalties[random.nextInt(random.nextInt(20) == 0 ? penalties.length : penalties.length - 2)]);
    }

    private static Dataset<Row> random(long seed, int count, int most) {
        return random(SCHEMA, seed, count, most, PiecewiseLinearGpuTest::row);
    }

    @Test
    void random() {
        assertSameAsOnCpu("try_piecewise_linear", random(1, 20_000, 9), "try_" + CALL);
        assertSameAsOnCpu("try_piecewise_linear", random(2, 10_000, 80), "try_" + CALL);
        assertSameAsOnCpu("try_piecewise_linear", random(3, 300, 900), "try_" + CALL);
    }

    /** The CPU solves rows with more than 8,192 values, and rows that need too much GPU memory. */
    @Test
    void limits() {
        SplittableRandom random = new SplittableRandom(4);
        List<Row> rows = IntStream.of(0, 1, 2, 3, 4, 31, 32, 33, 64, 1_024, 8_192, 8_193)
                .mapToObj(count -> row(random, count))
                .toList();
        assertSameAsOnCpu("try_piecewise_linear", rows(SCHEMA, 1, rows), "try_" + CALL);
        withConf("spark.bellman.gpuMemory", "10k", () -> {
            assertSameAsOnCpu("try_piecewise_linear", random(5, 200, 300), "try_" + CALL);
        });
    }

    @Test
    void rejectedRows() {
        assertRejected(
                SCHEMA,
                CALL,
                List.of(RowFactory.create(new Object[] {1.0}, 1.0), RowFactory.create(null, 1.0)),
                RowFactory.create(new Object[] {1.0, null}, 1.0),
                RowFactory.create(new Object[] {Double.NaN}, 1.0),
                RowFactory.create(new Object[] {-2e100}, 1.0),
                RowFactory.create(new Object[] {1.0}, -1.0),
                RowFactory.create(new Object[] {1.0}, Double.NaN),
                RowFactory.create(new Object[] {1.0}, 2e100));
    }
}
