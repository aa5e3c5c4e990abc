package dev.bellman.job.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests sequence files that several tasks read. */
final class SequenceSplitsTest extends SequenceFormatFixture {
    /** Each record is in exactly one split, for all split sizes. */
    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void everySplitSizeGivesTheSameRecords(String lineEnd) {
        String text =
                "\n>a first\nACGT\n>b\n>c\nAC\n\nGTTTA\nG\n>d >e\nA>C\n>f\n\n>ggggggggggggg\nT".replace("\n", lineEnd);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        List<String> expected = parsed("fasta", text);
        assertThat(expected).hasSize(6);
        for (int size = 1; size <= bytes.length + 1; size++) {
            List<String> found = new ArrayList<>();
            for (int start = 0; start < bytes.length; start += size) {
                found.addAll(parsedPart(bytes, start, start + size));
            }
            assertThat(found).as("parts of %s bytes", size).isEqualTo(expected);
        }
    }

    @Test
    void sparkSplitsInsideAFile() throws IOException {
        List<String> expected = new ArrayList<>();
        Path file = Files.writeString(folder.resolve("sequences.fa"), randomFasta(200, 100, expected));
        for (int size : new int[] {97, 1000, 4096, 1 << 20}) {
            withSplits(size, () -> {
                Dataset<Row> rows = spark.read().format("fasta").load(file.toString());
                assertThat(rows(rows)).containsExactlyInAnyOrderElementsOf(expected);
                assertThat(rows.count()).isEqualTo(expected.size());
            });
        }
    }

    @Test
    void longLinesCrossTheBuffer() {
        Random random = new Random(5);
        StringBuilder text = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int length : new int[] {0, 1, 262_141, 262_142, 262_143, 262_144, 262_145, 600_000}) {
            String letters = letters(random, length);
            text.append(">x").append(length).append('\n').append(letters).append("\r\n");
            expected.add("x" + length + "|null|" + letters);
        }
        assertThat(parsed("fasta", text.toString())).isEqualTo(expected);
    }

    @Test
    void packsManySmallFilesIntoFewTasks() throws IOException {
        for (int i = 0; i < 200; i++) {
            Files.writeString(folder.resolve(i + ".fq"), "@r" + i + "\nAC\n+\nII\n");
        }
        String cost = "spark.sql.files.openCostInBytes";
        String before = spark.conf().get(cost);
        spark.conf().set(cost, "0");
        try {
            Dataset<Row> rows = spark.read().format("fastq").load(folder.toString());
            assertThat(rows.select("id").distinct().count()).isEqualTo(200);
            assertThat(rows.rdd().getNumPartitions()).isLessThan(10);
        } finally {
            spark.conf().set(cost, before);
        }
    }

    private static List<String> parsedPart(byte[] bytes, int start, int end) {
        TextInput input = input(bytes, start, Integer.MAX_VALUE);
        SequenceLayout layout = layout("fasta");
        return records(new FastaParser(input, end, layout), layout);
    }

    @Test
    void namesTheLineWhereATaskStartsInsideAFile() throws IOException {
        String text = ">a\r\nACGT\r\n".repeat(100) + ">b\nAC\0\n";
        Path file = Files.writeString(folder.resolve("damaged.fa"), text);
        withSplits(
                100,
                () -> assertFails(
                        () -> spark.read().format("fasta").load(file.toString()).collectAsList(),
                        ErrorCode.BELLMAN_INPUT_FORMAT,
                        "damaged.fa, line 202: found the control character 0x00"));
    }

    /** A file of 64 kB can contain a record of 64 MiB, which the option {@code maxRecordBytes} refuses. */
    @Test
    void aRecordMustFitATask() throws IOException {
        Path file = folder.resolve("large.fa.gz");
        TestFiles.compress((">a\n" + "A".repeat(64 << 20)).getBytes(StandardCharsets.UTF_8), file);
        assertFails(
                () -> spark.read()
                        .format("fasta")
                        .option("maxRecordBytes", "1m")
                        .load(file.toString())
                        .collectAsList(),
                ErrorCode.BELLMAN_LIMIT,
                "large.fa.gz, line 1: the record has more than 1048576 bytes",
                "maxRecordBytes");
        assertThat(spark.read()
                        .format("fasta")
                        .load(file.toString())
                        .selectExpr("length(sequence)")
                        .first()
                        .getInt(0))
                .isEqualTo(64 << 20);
    }
}
