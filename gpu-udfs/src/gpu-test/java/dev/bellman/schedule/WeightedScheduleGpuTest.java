package dev.bellman.schedule;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class WeightedScheduleGpuTest extends GpuTest {
    private static final String CALL = "weighted_schedule(s, e, w)";
    private static final List<DataType> TYPES = List.of(DataTypes.LongType, DataTypes.DoubleType);

    private static Dataset<Row> schedules(DataType type, List<Row> rows) {
        DataType list = DataTypes.createArrayType(type);
        return rows(new StructType().add("s", list).add("e", list).add("w", list), 3, rows);
    }

    /** Returns a row of intervals; rarely, one of its entries is invalid. */
    private static Row schedule(SplittableRandom random, DataType type, int count) {
        int kind = random.nextInt(5);
        long most = kind == 0 ? 4 : 5L * count + 1;
        Object[][] lists = new Object[3][count];
        for (int i = 0; i < count; i++) {
            long start = random.nextLong(most);
            lists[0][i] = start;
            lists[1][i] = start + random.nextLong(1, kind == 1 ? 3 : 20);
            lists[2][i] = switch (kind) {
                case 2 -> random.nextInt(3) == 0 ? Long.MAX_VALUE / 4 : 1;
                case 3 -> random.nextLong(2);
                default -> random.nextLong(1_000);
            };
        }
        if (count > 0 && random.nextInt(100) == 0) {
            lists[random.nextInt(3)][random.nextInt(count)] = random.nextBoolean() ? null : -1L;
        }
        if (type.equals(DataTypes.DoubleType)) {
            for (Object[] list : lists) {
                Arrays.setAll(list, i -> list[i] == null ? null : (Long) list[i] / 10.0);
            }
        }
        return RowFactory.create(lists[0], lists[1], random.nextInt(200) == 0 ? null : lists[2]);
    }

    @Test
    void random() {
        for (DataType type : TYPES) {
            for (int most : new int[] {8, 40, 700}) {
                SplittableRandom random = new SplittableRandom(most);
                List<Row> rows = IntStream.range(0, most < 100 ? 20_000 : 500)
                        .mapToObj(i -> schedule(random, type, random.nextInt(most + 1)))
                        .toList();
                assertSameAsOnCpu("try_weighted_schedule", schedules(type, rows), "try_" + CALL);
            }
        }
    }

    /** The CPU solves rows with more than 2,048 intervals. */
    @Test
    void longRows() {
        for (DataType type : TYPES) {
            SplittableRandom random = new SplittableRandom(3);
            List<Row> rows = IntStream.of(0, 1, 31, 32, 33, 1_023, 1_024, 2_047, 2_048, 2_049, 5_000)
                    .mapToObj(count -> schedule(random, type, count))
                    .toList();
            assertSameAsOnCpu("try_weighted_schedule", schedules(type, rows), "try_" + CALL);
        }
    }

    @Test
    void rejectedRows() {
        Object[] one = {1L};
        Object[] two = {2L};
        for (Row last : List.of(
                RowFactory.create(one, new Object[] {}, one),
                RowFactory.create(one, two, new Object[] {1L, 1L}),
                RowFactory.create(one, one, one),
                RowFactory.create(new Object[] {null}, two, one),
                RowFactory.create(one, two, new Object[] {-1L}),
                RowFactory.create(new Object[] {1L, 2L}, new Object[] {2L, 3L}, new Object[] {Long.MAX_VALUE, 1L}))) {
            assertSameFailure(DataTypes.LongType, RowFactory.create(one, two, one), last);
        }
        Object[] zero = {0.0};
        Object[] half = {0.5};
        for (Row last : List.of(
                RowFactory.create(zero, new Object[] {-0.0}, half),
                RowFactory.create(zero, new Object[] {Double.POSITIVE_INFINITY}, half),
                RowFactory.create(zero, half, new Object[] {Double.NaN}),
                RowFactory.create(new Object[] {0.0, 1.0}, new Object[] {1.0, 2.0}, new Object[] {1.7e308, 1.7e308}))) {
            assertSameFailure(DataTypes.DoubleType, RowFactory.create(zero, half, half), last);
        }
    }

    private static void assertSameFailure(DataType type, Row valid, Row rejected) {
        List<Row> rows = new ArrayList<>(List.of(valid, RowFactory.create(null, null, null), rejected));
        Dataset<Row> input = schedules(type, rows);
        assertSameFailure(input, CALL).isNotEmpty();
        assertSameAsOnCpu("try_weighted_schedule", input, "try_" + CALL);
    }
}
