package dev.bellman.schedule;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class LongestIncreasingGpuTest extends GpuTest {
    private static final String CALL = "longest_increasing(v)";

    private static Dataset<Row> random(DataType type, long seed, int count, int longest) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int kind = random.nextInt(7);
            Object[] numbers = IntStream.range(0, random.nextInt(longest + 1))
                    .mapToObj(k -> type.equals(DataTypes.LongType)
                            ? (Object) integer(random, kind, k)
                            : (Object) real(random, kind, k))
                    .toArray();
            values.add(random.nextInt(50) == 0 ? null : numbers);
        }
        return series(type, values);
    }

    private static Long integer(SplittableRandom random, int kind, int k) {
        return switch (kind) {
            case 0 -> random.nextLong(0, 3);
            case 1 -> (long) k;
            case 2 -> (long) -k;
            case 3 -> random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
            case 4 -> random.nextInt(200) == 0 ? null : k + random.nextLong(0, 9);
            case 5 -> random.nextLong();
            default -> random.nextLong(0, 20);
        };
    }

    private static Double real(SplittableRandom random, int kind, int k) {
        return switch (kind) {
            case 0 -> random.nextBoolean() ? -0.0 : random.nextInt(2);
            case 1 -> k / 10.0;
            case 2 -> -k / 10.0;
            case 3 -> random.nextInt(400) == 0 ? Double.NaN : random.nextInt(9) / 10.0;
            case 4 -> random.nextInt(400) == 0 ? null : k + 9 * random.nextDouble();
            case 5 -> Math.scalb(random.nextDouble() - 0.5, random.nextInt(-60, 60));
            default -> random.nextDouble();
        };
    }

    @Test
    void random() {
        for (DataType type : List.of(DataTypes.LongType, DataTypes.DoubleType)) {
            assertSameAsOnCpu("try_longest_increasing", random(type, 1, 20_000, 40), "try_" + CALL);
            assertSameAsOnCpu("try_longest_increasing", random(type, 2, 500, 3_000), "try_" + CALL);
        }
    }

    /** The CPU solves rows with more than 2^20 values. */
    @Test
    void longRows() {
        SplittableRandom random = new SplittableRandom(3);
        List<Object> values = new ArrayList<>();
        for (int length : new int[] {5, 1 << 20, (1 << 20) + 1}) {
            values.add(LongStream.range(0, length)
                    .mapToObj(k -> k + random.nextLong(0, 1_000))
                    .toArray());
        }
        assertSameAsOnCpu("longest_increasing", series(DataTypes.LongType, values), CALL);
    }

    @Test
    void rejectedRows() {
        assertSameFailure(series(DataTypes.LongType, Arrays.asList(new Object[] {1L}, null, new Object[] {1L, null})));
        for (Double wrong : new Double[] {null, Double.NaN, Double.NEGATIVE_INFINITY}) {
            assertSameFailure(
                    series(DataTypes.DoubleType, Arrays.asList(new Object[] {1.0}, null, new Object[] {1.0, wrong})));
        }
    }

    private static void assertSameFailure(Dataset<Row> input) {
        assertSameFailure(input, CALL).isNotEmpty();
    }
}
