package dev.bellman.align.consensus;

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

/** Compares {@code consensus} on the GPU with the CPU. */
class ConsensusGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("bytes", DataTypes.createArrayType(DataTypes.BinaryType))
            .add("scoring", DataTypes.StringType);

    private static final String CALL = "consensus(sequences, scoring)";
    private static final String USUAL = "match 5 mismatch -4 open 8 extend 6";
    private static final String TWO_PIECES = "match 2 mismatch -4 open 6 extend 2 open2 25 extend2 1";
    private static final List<String> ALPHABETS = List.of("ab", TestPairs.DNA, TestPairs.LETTERS, TestPairs.MIXED);

    private static Dataset<Row> lists(List<Row> rows) {
        return rows(SCHEMA, 1, rows)
                .selectExpr("cast(bytes AS ARRAY<STRING>) sequences", "scoring")
                .repartition(1);
    }

    /** Returns copies of a string with errors; rarely, a string is empty or not valid UTF-8. */
    private static byte[][] copies(Random random, String alphabet, int length, int count, double rate) {
        String truth = TestPairs.random(random, alphabet, length);
        return IntStream.range(0, count)
                .mapToObj(i -> switch (random.nextInt(100)) {
                    case 0 -> new byte[0];
                    case 1 -> TestPairs.malformed(random, 20);
                    default -> TestPairs.mutate(random, alphabet, truth, rate).getBytes(UTF_8);
                })
                .toArray(byte[][]::new);
    }

    private static List<Row> random(int rows, int longest, int most, double... rates) {
        Random random = new Random(longest);
        return IntStream.range(0, rows)
                .mapToObj(i -> RowFactory.create(
                        random.nextInt(100) == 0
                                ? null
                                : copies(
                                        random,
                                        ALPHABETS.get(random.nextInt(ALPHABETS.size())),
                                        random.nextInt(longest + 1),
                                        random.nextInt(most + 1),
                                        rates[random.nextInt(rates.length)]),
                        random.nextInt(100) == 0
                                ? "match 1"
                                : ConsensusProofs.SCORINGS[random.nextInt(ConsensusProofs.SCORINGS.length)]))
                .toList();
    }

    @Test
    void random() {
        assertSameAsOnCpu("try_consensus", lists(random(5_000, 12, 8, 0, 0.1, 0.5)), "try_" + CALL);
        assertSameAsOnCpu("try_consensus", lists(random(1_000, 100, 12, 0, 0.05, 0.3)), "try_" + CALL);
        assertSameAsOnCpu("try_consensus", lists(random(100, 1_500, 8, 0.05, 0.1)), "try_" + CALL);
    }

    /** Strings of more than 1,024 bytes are aligned by several warps. Their scores may need more than 16 bits. */
    @Test
    void lengths() {
        List<Row> rows = new ArrayList<>();
        Random random = new Random(2);
        for (int length : new int[] {1, 15, 16, 17, 255, 256, 257, 511, 512, 513, 1_023, 1_024, 1_025, 2_047, 2_049}) {
            rows.add(RowFactory.create(copies(random, TestPairs.DNA, length, 5, 0.05), USUAL));
            for (String scoring : List.of(
                    "match 300 mismatch -40 gap 60",
                    TWO_PIECES,
                    "match 300 mismatch -40 open 90 extend 60 open2 400 extend2 10")) {
                rows.add(RowFactory.create(copies(random, TestPairs.DNA, length, 4, 0.05), scoring));
            }
        }
        assertSameAsOnCpu(lists(rows), CALL);
    }

    /**
     * If strings have little in common, the graph does not fit in the row's first slot of memory, or even in the larger
     * second one.
     */
    @Test
    void unrelated() {
        List<Row> rows = new ArrayList<>();
        Random random = new Random(3);
        for (int count = 2; count < 40; count += 3) {
            byte[][] strings = IntStream.range(0, count)
                    .mapToObj(
                            i -> TestPairs.random(random, TestPairs.LETTERS, 60).getBytes(UTF_8))
                    .toArray(byte[][]::new);
            rows.add(RowFactory.create(strings, "match 1 mismatch -9 gap 1"));
            byte[][] column = IntStream.range(0, 8 * count)
                    .mapToObj(i -> ("a" + (char) (0x4e00 + i) + "b").getBytes(UTF_8))
                    .toArray(byte[][]::new);
            rows.add(RowFactory.create(column, "match 5 mismatch -4 gap 8"));
        }
        assertSameAsOnCpu(lists(rows), CALL);
    }

    /** In one of the rows, the graph fills the first slot exactly before the last strings are aligned. */
    @Test
    void full() {
        List<Row> rows = IntStream.range(196, 212)
                .mapToObj(distinct -> IntStream.range(0, 980)
                        .mapToObj(i -> Character.toString(0x4e00 + i % distinct).getBytes(UTF_8))
                        .toArray(byte[][]::new))
                .map(strings -> RowFactory.create(strings, "match 1 mismatch -9 gap 1"))
                .toList();
        assertSameAsOnCpu(lists(rows), CALL);
    }

    /** Each string may add nodes that precede all earlier ones, and long insertions. */
    @Test
    void fragments() {
        Random random = new Random(5);
        List<Row> rows = IntStream.range(0, 500)
                .mapToObj(i -> {
                    String truth = TestPairs.random(random, ALPHABETS.get(i % 2), 20 + random.nextInt(130));
                    byte[][] strings = IntStream.range(0, 8)
                            .mapToObj(k -> {
                                int begin = random.nextInt(truth.length());
                                int end = k == 0 ? begin + 1 : begin + 1 + random.nextInt(truth.length() - begin);
                                return (truth.substring(begin, end)
                                                + TestPairs.random(random, TestPairs.DNA, random.nextInt(40))
                                                + truth.substring(end))
                                        .getBytes(UTF_8);
                            })
                            .toArray(byte[][]::new);
                    return RowFactory.create(strings, i % 3 == 0 ? TWO_PIECES : USUAL);
                })
                .toList();
        assertSameAsOnCpu(lists(rows), CALL);
    }

    /** The CPU solves rows that do not fit in GPU memory. */
    @Test
    void onCpu() {
        Dataset<Row> rows = lists(random(300, 80, 12, 0.05, 0.5));
        for (String memory : List.of("20k", "100k", "400k")) {
            withConf("spark.bellman.gpuMemory", memory, () -> assertSameAsOnCpu("try_consensus", rows, "try_" + CALL));
        }
    }

    @Test
    void omittedScoring() {
        Random random = new Random(4);
        List<Row> rows = IntStream.range(0, 200)
                .mapToObj(i -> RowFactory.create(copies(random, TestPairs.DNA, 50, 10, 0.1), ""))
                .toList();
        assertSameAsOnCpu(lists(rows), "consensus(sequences)");
        assertSameAsOnCpu(lists(rows), "consensus(sequences, '" + USUAL + "')");
    }

    @Test
    void failsAsOnCpu() {
        byte[][] strings = {{'A'}, {'C'}};
        for (Row wrong : List.of(
                RowFactory.create(new byte[][] {{'A'}, null}, USUAL),
                RowFactory.create(strings, "match 1"),
                RowFactory.create(new byte[][] {{'A'}, {'J'}}, "blosum62 open 11 extend 1"))) {
            assertSameFailure(lists(Arrays.asList(RowFactory.create(strings, USUAL), wrong)), CALL)
                    .isNotEmpty();
        }
    }
}
