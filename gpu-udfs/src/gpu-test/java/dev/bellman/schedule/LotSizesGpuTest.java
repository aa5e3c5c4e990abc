package dev.bellman.schedule;

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

class LotSizesGpuTest extends GpuTest {
    private static final String CALL = "lot_sizes(demand, setup, holding)";
    private static final StructType SCHEMA = new StructType()
            .add("demand", DataTypes.createArrayType(DataTypes.LongType))
            .add("setup", DataTypes.LongType)
            .add("holding", DataTypes.LongType);

    private static Row plan(SplittableRandom random, int periods) {
        int kind = random.nextInt(6);
        Object[] demand =
                Stream.generate(() -> demand(random, kind)).limit(periods).toArray();
        return RowFactory.create(
                random.nextInt(100) == 0 ? null : demand,
                kind == 2 ? random.nextLong() >>> random.nextInt(1, 64) : random.nextLong(20L * periods + 1),
                random.nextInt(100) == 0 ? -1L : random.nextLong(kind == 2 ? 1_000_000 : 3));
    }

    private static Long demand(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> random.nextLong(3);
            case 1 -> random.nextInt(4) > 0 ? 0 : random.nextLong(100);
            case 2 -> random.nextLong() >>> random.nextInt(1, 64);
            case 3 -> random.nextInt(400) == 0 ? null : 1L;
            case 4 -> random.nextInt(400) == 0 ? -1L : random.nextLong(50);
            default -> random.nextLong(20, 120);
        };
    }

    private static Dataset<Row> random(long seed, int count, int most) {
        return random(SCHEMA, seed, count, most, LotSizesGpuTest::plan);
    }

    @Test
    void random() {
        assertSameAsOnCpu("try_lot_sizes", random(1, 20_000, 8), "try_" + CALL);
        assertSameAsOnCpu("try_lot_sizes", random(2, 20_000, 60), "try_" + CALL);
        assertSameAsOnCpu("try_lot_sizes", random(3, 500, 1_000), "try_" + CALL);
    }

    /** The CPU solves rows with more than 4,096 periods. */
    @Test
    void longRows() {
        SplittableRandom random = new SplittableRandom(4);
        Dataset<Row> input = rows(
                SCHEMA,
                3,
                IntStream.of(0, 1, 31, 32, 33, 4_095, 4_096, 4_097, 10_000)
                        .mapToObj(periods -> plan(random, periods))
                        .toList());
        assertSameAsOnCpu("try_lot_sizes", input, "try_" + CALL);
        assertSameAsOnCpu("try_lot_sizes", input, "try_lot_sizes(demand, 100, 1)");
    }

    /** Tests the largest costs and demands, and numbers just above them. */
    @Test
    void limits() {
        long most = Long.MAX_VALUE / 2;
        assertSameAsOnCpu(
                "try_lot_sizes",
                rows(
                        SCHEMA,
                        1,
                        List.of(
                                RowFactory.create(new Object[] {Long.MAX_VALUE, 0L, 0L}, 1L, 1L),
                                RowFactory.create(new Object[] {Long.MAX_VALUE, 0L, 1L}, 1L, 0L),
                                RowFactory.create(new Object[] {0L, most - 7}, 7L, 1L),
                                RowFactory.create(new Object[] {0L, most - 6}, 7L, 1L),
                                RowFactory.create(new Object[] {0L, 1L, most}, 7L, 1L),
                                RowFactory.create(new Object[] {0L, 3L}, 7L, (most - 7) / 3),
                                RowFactory.create(new Object[] {0L, 3L}, 7L, (most - 7) / 3 + 1),
                                RowFactory.create(new Object[] {5L}, most, Long.MAX_VALUE),
                                RowFactory.create(new Object[] {5L, 5L}, most, 0L),
                                RowFactory.create(new Object[] {}, most, 1L),
                                RowFactory.create(new Object[] {}, most + 1, 1L))),
                "try_" + CALL);
    }

    @Test
    void rejectedRows() {
        assertRejected(
                SCHEMA,
                CALL,
                List.of(RowFactory.create(new Object[] {1L, 2L}, 3L, 4L), RowFactory.create(null, 3L, 4L)),
                RowFactory.create(new Object[] {1L, null}, 3L, 4L),
                RowFactory.create(new Object[] {1L, -2L}, 3L, 4L),
                RowFactory.create(new Object[] {1L, 2L}, -3L, 4L),
                RowFactory.create(new Object[] {1L, 2L}, 3L, -4L),
                RowFactory.create(new Object[] {1L, 2L}, 3L, Long.MAX_VALUE));
    }
}
