package dev.bellman.align.subsequence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import dev.bellman.align.TestPairs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SupersequenceOfAllGpuTest extends GpuTest {
    private static final StructType LISTS =
            new StructType().add("strings", DataTypes.createArrayType(DataTypes.StringType));

    private static final List<String> ALPHABETS = List.of("a", "ab", TestPairs.DNA, "abÀéж中\ud83d\ude00\ud83d\ude01");

    /** Returns lists of up to {@code most} strings; some lists are NULL, and some contain a NULL. */
    private static Dataset<Row> lists(int rows, int most, int longest) {
        Random random = new Random(34);
        List<Row> lists = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            String alphabet = ALPHABETS.get(random.nextInt(ALPHABETS.size()));
            String text = TestPairs.random(random, alphabet, random.nextInt(longest));
            String[] strings = Stream.generate(() -> random.nextBoolean()
                            ? TestPairs.mutate(random, alphabet, text, 0.1)
                            : TestPairs.random(random, alphabet, random.nextInt(longest)))
                    .limit(random.nextInt(most + 1))
                    .toArray(String[]::new);
            if (random.nextInt(20) == 0 && strings.length > 0) {
                strings[random.nextInt(strings.length)] = null;
            }
            lists.add(RowFactory.create((Object) (random.nextInt(20) == 0 ? null : strings)));
        }
        return rows(LISTS, 2, lists);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "progressive-merge"})
    void sameAsOnCpu(String strategy) {
        withConf("spark.bellman.scs_all.strategy", strategy, () -> {
            assertSameAsOnCpu(lists(2_000, 5, 200), "try_scs_all(strings)");
            assertSameAsOnCpu(lists(60, 150, 40), "try_scs_all(strings)");
            assertSameAsOnCpu(lists(6, 4, 5_000), "try_scs_all(strings)");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "progressive-merge"})
    void malformedText(String strategy) {
        Random random = new Random(36);
        List<Row> lists = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            byte[][] strings = Stream.generate(() -> TestPairs.malformed(random, 60))
                    .limit(random.nextInt(6))
                    .toArray(byte[][]::new);
            lists.add(RowFactory.create((Object) strings));
        }
        Dataset<Row> malformed = rows(
                        new StructType().add("bytes", DataTypes.createArrayType(DataTypes.BinaryType)), 1, lists)
                .selectExpr("cast(bytes as array<string>) strings")
                .repartition(1);
        withConf("spark.bellman.scs_all.strategy", strategy, () -> {
            assertSameAsOnCpu("scs_all", malformed, "hex(scs_all(strings))");
        });
    }

    @Test
    void nothingButNulls() {
        Row missing = RowFactory.create((Object) null);
        Dataset<Row> nulls = rows(LISTS, 1, Arrays.asList(missing, missing));
        assertSameAsOnCpu(nulls, "scs_all(strings)");
    }

    @Test
    void failsAsOnCpu() {
        Dataset<Row> lists = lists(100, 5, 50);
        String message = failure(lists, "scs_all(strings)");
        assertThat(message).contains("[BELLMAN_INPUT_VALUE]");
        assertThat(withConf("spark.rapids.sql.enabled", "false", () -> failure(lists, "scs_all(strings)")))
                .contains("[BELLMAN_INPUT_VALUE]");
    }

    /** The memory is exhausted after the input has been copied to the GPU. */
    @ParameterizedTest
    @ValueSource(strings = {"num_ooms=1,skip=6,type=GPU", "num_ooms=1,skip=12,type=GPU", "num_ooms=2,skip=30,type=GPU"})
    void outOfMemory(String injection) {
        Dataset<Row> lists = lists(300, 5, 100);
        withConf("spark.rapids.sql.test.injectRetryOOM", injection, () -> {
            assertSameAsOnCpu(lists, "try_scs_all(strings)");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"exact", "majority-merge"})
    void staysOnCpu(String strategy) {
        withConf("spark.bellman.scs_all.strategy", strategy, () -> {
            Dataset<Row> merged = lists(100, 3, 20).selectExpr("try_scs_all(strings)");
            assertThat(merged.collectAsList()).hasSize(100);
            assertThat(merged.queryExecution().executedPlan().toString()).doesNotContain("gpu_try_scs_all");
        });
    }
}
