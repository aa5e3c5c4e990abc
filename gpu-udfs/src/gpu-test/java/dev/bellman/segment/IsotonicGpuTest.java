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

class IsotonicGpuTest extends GpuTest {
    private static final String CALL = "isotonic(v)";
    private static final String WEIGHTED = "isotonic(v, w)";
    private static final StructType SCHEMA = new StructType()
            .add("v", DataTypes.createArrayType(DataTypes.DoubleType))
            .add("w", DataTypes.createArrayType(DataTypes.DoubleType));

    private static Double value(SplittableRandom random, int kind, int place) {
        return switch (kind) {
            case 0 -> (double) random.nextInt(5);
            case 1 -> random.nextInt(3) == 0 ? 1.0 : random.nextBoolean() ? -0.0 : 0.0;
            case 2 -> random.nextInt(40) / 10.0;
            case 3 -> 1 + Math.scalb((double) random.nextInt(8), -52);
            case 4 -> random.nextInt(500) == 0 ? null : random.nextDouble();
            case 5 -> random.nextInt(500) == 0 ? Double.NaN : 0.02 * place + random.nextGaussian();
            case 6 -> (double) random.nextInt(3) - place;
            case 7 -> Math.scalb(random.nextDouble(), random.nextInt(-45, 45));
            default -> 1e9 + 0.1 * random.nextInt(7);
        };
    }

    private static Double weight(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> random.nextInt(500) == 0 ? null : 1.0 + random.nextInt(3);
            case 1 -> 0.25 * random.nextInt(1, 9);
            case 2 -> 0.1 * random.nextInt(1, 10);
            case 3 -> random.nextInt(500) == 0 ? 0 : Math.scalb(1.0, random.nextInt(12) - 190);
            default -> 1 - random.nextDouble();
        };
    }

    private static Row row(SplittableRandom random, int count) {
        int kind = random.nextInt(9);
        int weightKind = random.nextInt(5);
        int weights = random.nextInt(100) == 0 ? count + 1 : count;
        return RowFactory.create(
                random.nextInt(100) == 0
                        ? null
                        : IntStream.range(0, count)
                                .mapToObj(i -> value(random, kind, i))
                                .toArray(),
                random.nextInt(100) == 0
                        ? null
                        : Stream.generate(() -> weight(random, weightKind))
                                .limit(weights)
                                .toArray());
    }

    private static Dataset<Row> random(long seed, int count, int most) {
        return random(SCHEMA, seed, count, most, IsotonicGpuTest::row);
    }

    private static void assertSame(Dataset<Row> input) {
        assertSameAsOnCpu("try_isotonic", input, "try_" + CALL);
        assertSameAsOnCpu("try_isotonic", input, "try_" + WEIGHTED);
    }

    @Test
    void random() {
        assertSame(random(1, 20_000, 9));
        assertSame(random(2, 10_000, 80));
        assertSame(random(3, 300, 3_000));
    }

    @Test
    void limits() {
        SplittableRandom random = new SplittableRandom(4);
        assertSame(rows(
                SCHEMA,
                1,
                IntStream.of(0, 1, 2, 31, 32, 33, 64, 1_024, 1_025, 20_000)
                        .mapToObj(count -> row(random, count))
                        .toList()));
    }

    /**
     * The CPU solves rows with more than 2^20 values, rows with more than 8,192 values that need many bits, rows with
     * an uncertain comparison or mean, and rows that need too much GPU memory.
     */
    @Test
    void onCpu() {
        List<Row> large = IntStream.of(1 << 20, (1 << 20) + 1)
                .mapToObj(count -> RowFactory.create(
                        IntStream.range(0, count)
                                .mapToObj(i -> (double) (i % 3))
                                .toArray(),
                        IntStream.range(0, count).mapToObj(i -> 1.0).toArray()))
                .toList();
        assertSameAsOnCpu("isotonic", rows(SCHEMA, 1, large), CALL);
        SplittableRandom random = new SplittableRandom(6);
        List<Row> wide = IntStream.of(8_192, 8_193)
                .mapToObj(count -> RowFactory.create(
                        IntStream.range(0, count)
                                .mapToObj(i -> value(random, 7, i))
                                .toArray(),
                        Stream.generate(() -> weight(random, 4)).limit(count).toArray()))
                .toList();
        assertSameAsOnCpu("try_isotonic", rows(SCHEMA, 1, wide), "try_" + WEIGHTED);
        withConf("spark.bellman.gpuMemory", "10k", () -> {
            assertSame(random(5, 200, 1_000));
        });
    }

    /** Tests means that are halfway between two numbers, and means of numbers with very different magnitudes. */
    @Test
    void rounding() {
        List<Row> rows = Stream.of(
                        new double[] {Math.nextUp(1.0), 1},
                        new double[] {1 + Math.scalb(3.0, -52), 1},
                        new double[] {-1, -Math.nextUp(1.0)},
                        new double[] {1, 0, 0},
                        new double[] {1e100, 1e-100},
                        new double[] {1e100, -1e-300},
                        new double[] {Double.MIN_VALUE, 0},
                        new double[] {0.3, 0.1, 0.2},
                        new double[] {1e20, 1, -1e20})
                .map(values -> RowFactory.create(
                        IntStream.range(0, values.length)
                                .mapToObj(i -> values[i])
                                .toArray(),
                        IntStream.range(0, values.length).mapToObj(i -> 1.0 + i).toArray()))
                .toList();
        assertSameAsOnCpu("isotonic", rows(SCHEMA, 1, rows), CALL);
        assertSameAsOnCpu("isotonic", rows(SCHEMA, 1, rows), WEIGHTED);
    }

    @Test
    void rejectedRows() {
        Object[] one = {1.0};
        assertRejected(
                SCHEMA,
                WEIGHTED,
                List.of(RowFactory.create(one, one), RowFactory.create(null, one)),
                RowFactory.create(new Object[] {1.0, null}, new Object[] {1.0, 1.0}),
                RowFactory.create(new Object[] {Double.NaN}, one),
                RowFactory.create(new Object[] {-2e100}, one),
                RowFactory.create(one, new Object[] {1.0, 1.0}),
                RowFactory.create(one, new Object[] {0.0}),
                RowFactory.create(one, new Object[] {Double.NaN}),
                RowFactory.create(one, new Object[] {2e100}),
                RowFactory.create(one, new Object[] {null}));
    }
}
