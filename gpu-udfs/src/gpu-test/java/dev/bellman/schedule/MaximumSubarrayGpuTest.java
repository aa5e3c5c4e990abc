package dev.bellman.schedule;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class MaximumSubarrayGpuTest extends GpuTest {
    private static final String CALL = "maximum_subarray(v)";

    private static Dataset<Row> random(DataType type, long seed, int count, int longest) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int kind = random.nextInt(7);
            Object[] numbers = Stream.generate(() -> type.equals(DataTypes.LongType)
                            ? (Object) integer(random, kind)
                            : (Object) real(random, kind))
                    .limit(random.nextInt(longest + 1))
                    .toArray();
            values.add(random.nextInt(50) == 0 ? null : numbers);
        }
        return series(type, values);
    }

    private static Long integer(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> random.nextLong(-1, 2);
            case 1 -> random.nextLong(-9, 0);
            case 2 -> random.nextLong() >> random.nextInt(64);
            case 3 -> random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
            case 4 -> random.nextInt(200) == 0 ? null : random.nextLong(-3, 5);
            default -> random.nextLong(-1000, 1001);
        };
    }

    private static Double real(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> random.nextInt(-1, 2) + 0.0;
            case 1 -> random.nextBoolean() ? -0.0 : -random.nextDouble();
            case 2 -> Math.scalb(random.nextDouble() - 0.5, random.nextInt(-60, 60));
            case 3 -> random.nextInt(3) > 0 ? 1.7e308 : -1.7e308;
            case 4 -> random.nextInt(400) == 0 ? Double.NaN : random.nextInt(9) / 10.0;
            case 5 -> random.nextInt(400) == 0 ? null : random.nextInt(-3, 5) / 10.0;
            default -> random.nextDouble() - 0.5;
        };
    }

    @Test
    void random() {
        for (DataType type : List.of(DataTypes.LongType, DataTypes.DoubleType)) {
            assertSameAsOnCpu(random(type, 1, 20_000, 40), "try_" + CALL);
            assertSameAsOnCpu(random(type, 2, 500, 2_000), "try_" + CALL);
        }
    }

    /** The CPU solves rows with more than 2^20 values. */
    @Test
    void longRows() {
        SplittableRandom random = new SplittableRandom(3);
        List<Object> values = new ArrayList<>();
        for (int length : new int[] {5, 1 << 20, (1 << 20) + 1}) {
            values.add(Stream.generate(() -> real(random, 6)).limit(length).toArray());
        }
        assertSameAsOnCpu(series(DataTypes.DoubleType, values), CALL);
    }

    @Test
    void rejectedRows() {
        for (Object last :
                new Object[] {new Object[] {}, new Object[] {1L, null}, new Object[] {1L, Long.MAX_VALUE, -5L}}) {
            assertSameFailure(series(DataTypes.LongType, Arrays.asList(new Object[] {1L, 2L}, null, last)), CALL)
                    .isNotEmpty();
        }
        for (Object last : new Object[] {
            new Object[] {}, new Object[] {1.0, null}, new Object[] {Double.NaN, 1.0}, new Object[] {1e308, 1e308}
        }) {
            assertSameFailure(series(DataTypes.DoubleType, Arrays.asList(new Object[] {1.0, 2.0}, null, last)), CALL)
                    .isNotEmpty();
        }
    }
}
