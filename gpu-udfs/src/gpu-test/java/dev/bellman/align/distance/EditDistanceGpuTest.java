package dev.bellman.align.distance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EditDistanceGpuTest extends GpuTest {
    private static final StructType PAIRS = new StructType()
            .add("a", DataTypes.StringType)
            .add("b", DataTypes.StringType)
            .add("max", DataTypes.IntegerType);

    private static final int[] LENGTHS = {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 150};

    private static final List<String> ALPHABETS =
            List.of("ACGT", "abcdefghijklmnopqrstuvwxyz", "aä", "日本語中国", "a\ud83d\ude00\ud83d\ude01ß");

    private static String text(Random random, int length) {
        int[] alphabet =
                ALPHABETS.get(random.nextInt(ALPHABETS.size())).codePoints().toArray();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return text.toString();
    }

    private static Dataset<Row> pairs(int count, int partitions) {
        Random random = new Random(1954);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String a = text(random, LENGTHS[random.nextInt(LENGTHS.length)]);
            String b = random.nextInt(4) == 0 ? a : text(random, LENGTHS[random.nextInt(LENGTHS.length)]);
            rows.add(RowFactory.create(
                    random.nextInt(20) == 0 ? null : a,
                    random.nextInt(20) == 0 ? null : b,
                    random.nextInt(20) == 0 ? null : random.nextInt(100) - 1));
        }
        return rows(PAIRS, partitions, rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance(a, b)",
                "edit_distance(a, b, max)",
                "edit_distance(a, 'ACGTTGCA日')",
                "edit_distance(a, b, 7)"
            })
    void sameAsOnCpu(String expression) {
        assertSameAsOnCpu(pairs(20_000, 3), expression);
    }

    @Test
    void nothingButNulls() {
        Row nulls = RowFactory.create(null, null, null);
        assertSameAsOnCpu(rows(PAIRS, 1, Arrays.asList(nulls, nulls, nulls)), "edit_distance(a, b, max)");
    }

    @Test
    void noRows() {
        Dataset<Row> distances = rows(PAIRS, 2, List.of()).selectExpr("edit_distance(a, b)");
        assertThat(distances.collectAsList()).isEmpty();
    }

    /** RAPIDS tries again if GPU memory is exhausted. */
    @ParameterizedTest
    @ValueSource(strings = {"num_ooms=1,skip=0,type=GPU", "num_ooms=1,skip=1,type=GPU", "num_ooms=2,skip=1,type=GPU"})
    void outOfMemory(String injection) {
        Dataset<Row> pairs = pairs(5_000, 1);
        withConf("spark.rapids.sql.test.injectRetryOOM", injection, () -> {
            assertSameAsOnCpu(pairs, "edit_distance(a, b)");
        });
    }

    /** A strategy without a kernel runs on the CPU. */
    @Test
    void serialStaysOnCpu() {
        withConf("spark.bellman.edit_distance.strategy", "serial", () -> {
            Dataset<Row> pairs = pairs(100, 1);
            Dataset<Row> distances = pairs.selectExpr("edit_distance(a, b)");
            assertThat(distances.collectAsList()).hasSize((int) pairs.count());
            assertThat(distances.queryExecution().executedPlan().toString()).doesNotContain("gpu_edit_distance");
        });
    }
}
