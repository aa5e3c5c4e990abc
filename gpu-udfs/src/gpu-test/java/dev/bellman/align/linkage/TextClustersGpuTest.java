package dev.bellman.align.linkage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bellman.GpuTest;
import dev.bellman.align.TestPairs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares {@code text_clusters} on the GPU with the CPU. */
class TextClustersGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("bytes", DataTypes.createArrayType(DataTypes.BinaryType))
            .add("max", DataTypes.IntegerType)
            .add("linkage", DataTypes.StringType);

    private static final String CALL = "text_clusters(texts, max, linkage)";
    private static final List<String> ALPHABETS = List.of("ab", TestPairs.DNA, TestPairs.LETTERS, TestPairs.MIXED);

    private static Dataset<Row> lists(List<Row> rows) {
        return rows(SCHEMA, 1, rows)
                .selectExpr("cast(bytes AS ARRAY<STRING>) texts", "max", "linkage")
                .repartition(1);
    }

    /** Returns strings of which some are equal or similar to earlier ones; rarely, a string is not valid UTF-8. */
    private static byte[][] texts(Random random, int count, int longest) {
        String alphabet = ALPHABETS.get(random.nextInt(ALPHABETS.size()));
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(
                    i == 0 || random.nextInt(3) == 0
                            ? TestPairs.random(random, alphabet, random.nextInt(longest + 1))
                            : TestPairs.mutate(random, alphabet, texts.get(random.nextInt(i)), 0.1));
        }
        return texts.stream()
                .map(text -> random.nextInt(100) == 0 ? TestPairs.malformed(random, 20) : text.getBytes(UTF_8))
                .toArray(byte[][]::new);
    }

    private static List<Row> random(Linkage linkage, int rows, int most, int longest) {
        Random random = new Random(most);
        return IntStream.range(0, rows)
                .mapToObj(i -> RowFactory.create(
                        random.nextInt(100) == 0 ? null : texts(random, random.nextInt(most + 1), longest),
                        random.nextInt(50) == 0 ? random.nextInt(-2, 1_000_000) : random.nextInt(7),
                        random.nextInt(100) == 0 ? "ward" : linkage.sqlName()))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void random(Linkage linkage) {
        assertSameAsOnCpu("try_text_clusters", lists(random(linkage, 5_000, 8, 9)), "try_" + CALL);
        assertSameAsOnCpu("try_text_clusters", lists(random(linkage, 1_000, 60, 20)), "try_" + CALL);
        assertSameAsOnCpu("try_text_clusters", lists(random(linkage, 100, 140, 66)), "try_" + CALL);
    }

    /** The CPU solves rows with more than 128 strings, and with strings of more than 64 characters. */
    @ParameterizedTest
    @EnumSource
    void limits(Linkage linkage) {
        List<Row> rows = new ArrayList<>();
        Random random = new Random(2);
        for (int count : new int[] {0, 1, 2, 31, 32, 33, 64, 65, 127, 128, 129}) {
            rows.add(RowFactory.create(texts(random, count, 12), 3, linkage.sqlName()));
        }
        for (int length : new int[] {0, 31, 32, 33, 63, 64, 65}) {
            byte[][] texts = texts(random, 20, 30);
            texts[7] = "é".repeat(length).getBytes(UTF_8);
            texts[8] = "x".repeat(length).getBytes(UTF_8);
            rows.add(RowFactory.create(texts, 40, linkage.sqlName()));
        }
        assertSameAsOnCpu(lists(rows), CALL);
    }

    /** The CPU solves rows with more than 128 different characters that are not ASCII. */
    @Test
    void manyCharacters() {
        List<Row> rows = new ArrayList<>();
        for (int different : new int[] {3, 127, 128, 129, 400}) {
            byte[][] texts = IntStream.range(0, 100)
                    .mapToObj(i -> IntStream.range(0, 8)
                            .map(k -> 0x4e00 + (8 * (i / 2) + k + i % 2) % different)
                            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                            .toString()
                            .getBytes(UTF_8))
                    .toArray(byte[][]::new);
            rows.add(RowFactory.create(texts, 4, "average"));
        }
        assertSameAsOnCpu(lists(rows), CALL);
    }

    @Test
    void failsAsOnCpu() {
        byte[][] texts = {{'a'}, {'b'}};
        for (Row wrong : List.of(
                RowFactory.create(new byte[][] {{'a'}, null}, 1, "single"),
                RowFactory.create(texts, -1, "single"),
                RowFactory.create(texts, 1, "ward"))) {
            assertSameFailure(lists(Arrays.asList(RowFactory.create(texts, 1, "average"), wrong)), CALL)
                    .isNotEmpty();
        }
    }
}
