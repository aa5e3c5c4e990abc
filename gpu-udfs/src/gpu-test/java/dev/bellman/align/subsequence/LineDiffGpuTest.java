package dev.bellman.align.subsequence;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class LineDiffGpuTest extends GpuTest {
    private static final String CALL = "line_diff(a, b)";
    private static final StructType SCHEMA =
            new StructType().add("a", DataTypes.StringType).add("b", DataTypes.StringType);

    private static String line(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> random.nextBoolean() ? "" : "\r";
            case 1 -> "line " + random.nextInt(5);
            case 2 -> "é中\ud83d\ude00".substring(0, random.nextInt(3)) + random.nextInt(40);
            default -> "x".repeat(random.nextInt(200)) + random.nextInt(2);
        };
    }

    private static List<String> lines(SplittableRandom random, int kind, int count) {
        return Stream.generate(() -> line(random, kind)).limit(count).toList();
    }

    private static String join(SplittableRandom random, List<String> lines) {
        return String.join("\n", lines) + (random.nextBoolean() ? "\n" : "");
    }

    private static Row row(SplittableRandom random, int count) {
        int kind = random.nextInt(4);
        List<String> a = lines(random, kind, count);
        List<String> b = new ArrayList<>(random.nextInt(8) == 0 ? lines(random, kind, random.nextInt(count + 1)) : a);
        for (int edits = random.nextInt(1 + count / 4); edits > 0 && !b.isEmpty(); edits--) {
            int place = random.nextInt(b.size());
            switch (random.nextInt(3)) {
                case 0 -> b.remove(place);
                case 1 -> b.add(place, line(random, kind));
                default -> b.set(place, line(random, kind));
            }
        }
        return RowFactory.create(
                random.nextInt(50) == 0 ? null : join(random, a), random.nextInt(50) == 0 ? "" : join(random, b));
    }

    private static Dataset<Row> random(long seed, int count, int most) {
        return random(SCHEMA, seed, count, most, LineDiffGpuTest::row);
    }

    @Test
    void random() {
        assertSameAsOnCpu("line_diff", random(1, 20_000, 6), CALL);
        assertSameAsOnCpu("line_diff", random(2, 6_000, 70), CALL);
        assertSameAsOnCpu("line_diff", random(3, 100, 700), CALL);
    }

    /** The CPU solves rows with more than 8,192 lines or 2^22 bytes, and rows that need too much GPU memory. */
    @Test
    void limits() {
        SplittableRandom random = new SplittableRandom(4);
        String lines = "\n".repeat(8_192);
        String text = "x".repeat(1 << 22);
        assertSameAsOnCpu(
                "line_diff",
                rows(
                        SCHEMA,
                        1,
                        List.of(
                                RowFactory.create("", ""),
                                RowFactory.create(lines, ""),
                                RowFactory.create("", lines + "a"),
                                RowFactory.create("a\n", lines),
                                RowFactory.create(text, text + "\n"),
                                RowFactory.create(text, text),
                                row(random, 4_000))),
                CALL);
        withConf("spark.bellman.gpuMemory", "10k", () -> {
            assertSameAsOnCpu("line_diff", random(5, 200, 400), CALL);
        });
    }

    /** Texts may contain bytes that are not UTF-8. */
    @Test
    void malformedText() {
        SplittableRandom random = new SplittableRandom(6);
        StructType binary = new StructType().add("a", DataTypes.BinaryType).add("b", DataTypes.BinaryType);
        List<Row> rows = Stream.generate(() -> RowFactory.create(malformed(random), malformed(random)))
                .limit(2_000)
                .toList();
        assertSameAsOnCpu("line_diff", texts(binary, rows), CALL);
    }

    private static byte[] malformed(SplittableRandom random) {
        byte[] letters = {'\n', 'a', (byte) 0x80, (byte) 0xc3};
        byte[] text = new byte[random.nextInt(40)];
        for (int i = 0; i < text.length; i++) {
            text[i] = letters[random.nextInt(letters.length)];
        }
        return text;
    }
}
