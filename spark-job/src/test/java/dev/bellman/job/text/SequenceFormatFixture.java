package dev.bellman.job.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.LocalSpark;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;

/** Contains the code that {@link SequenceFormatTest} and {@link SequenceSplitsTest} share. */
abstract class SequenceFormatFixture {
    static final String SPLIT_SIZE = "spark.sql.files.maxPartitionBytes";

    final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    static List<String> parsed(String format, String text) {
        return records(parser(format, text, layout(format)), layout(format));
    }

    static SequenceParser parser(String format, String text, SequenceLayout layout) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        TextInput input = input(bytes, 0, Integer.MAX_VALUE);
        return format.equals("fasta") ? new FastaParser(input, Long.MAX_VALUE, layout) : new FastqParser(input, layout);
    }

    static TextInput input(byte[] bytes, int start, int maximumRecordBytes) {
        int from = Math.max(0, start - 1);
        return new TextInput(
                new ByteArrayInputStream(bytes, from, bytes.length - from),
                "x",
                start,
                false,
                maximumRecordBytes,
                () -> new ByteArrayInputStream(bytes));
    }

    static SequenceLayout layout(String format) {
        SequenceColumn[] all = SequenceColumn.values();
        return new SequenceLayout(format.equals("fasta") ? Arrays.copyOf(all, 3) : all, false);
    }

    static List<String> records(SequenceParser parser, SequenceLayout layout) {
        List<String> records = new ArrayList<>();
        while (parser.next()) {
            records.add(String.join(
                    "|",
                    layout.columns().stream()
                            .map(column -> String.valueOf(parser.value(column)))
                            .toList()));
        }
        return records;
    }

    static List<String> rows(Dataset<Row> rows) {
        return rows.collectAsList().stream().map(row -> row.mkString("|")).toList();
    }

    static String randomFasta(int records, int maximumLength, List<String> expected) {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < records; i++) {
            String letters = letters(random, random.nextInt(maximumLength + 1));
            text.append(">r").append(i).append(" number ").append(i).append('\n');
            for (int at = 0; at < letters.length(); at += 60) {
                text.append(letters, at, Math.min(at + 60, letters.length())).append('\n');
            }
            expected.add("r" + i + "|number " + i + "|" + letters);
        }
        return text.toString();
    }

    static String letters(Random random, int length) {
        StringBuilder letters = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            letters.append("ACGT".charAt(random.nextInt(4)));
        }
        return letters.toString();
    }

    void withSplits(int bytes, Runnable test) {
        String before = spark.conf().get(SPLIT_SIZE);
        spark.conf().set(SPLIT_SIZE, Integer.toString(bytes));
        try {
            test.run();
        } finally {
            spark.conf().set(SPLIT_SIZE, before);
        }
    }

    static void assertFails(ThrowingCallable action, ErrorCode code, String... parts) {
        assertThatThrownBy(action).satisfies(failure -> {
            BellmanException found = BellmanException.in(failure).orElseThrow(() -> new AssertionError(failure));
            assertThat(found.code()).isEqualTo(code);
            assertThat(found.getMessage()).contains(parts);
        });
    }
}
