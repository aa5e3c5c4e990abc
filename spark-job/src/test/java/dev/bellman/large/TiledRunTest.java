package dev.bellman.large;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.chain.matrix.MatrixChain;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.Thorough;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.apache.commons.io.FileUtils;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.util.Progressable;
import org.apache.spark.SparkException;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares jobs on one instance, whose table is computed in tiles, with the functions, which compute the table as a
 * whole.
 */
class TiledRunTest extends TiledRunFixture {
    private JsonNode report() throws IOException {
        return CommandLineRun.report(folder.resolve("out"));
    }

    @Test
    void chain() throws IOException {
        long[] dims = new SplittableRandom(1).longs(401, 1, 100).toArray();
        write(
                "{\"name\": \"short\", \"dims\": [1, 2, 3]}",
                "{\"name\": \"long\", \"dims\": %s}".formatted(Arrays.toString(dims)));
        assertThat(run(CHAIN, "--input-where=name = 'long'", "--dry-run").out())
                .contains("a chain of 400 matrices; a table of 1.31 MB in tiles on the executors; up to 3.93 MB in")
                .contains("splits: array");
        CommandLineRun run = run(CHAIN, "--input-where=name = 'long'");
        assertThat(run.err()).isEmpty();
        run.assertDone();
        MatrixChain.Solution expected = MatrixChain.solve(dims, MatrixChain.Strategy.TABLE);
        Row row = written();
        assertThat(row.<Long>getAs("cost")).isEqualTo(expected.cost());
        assertThat(row.<String>getAs("order")).isEqualTo(expected.order());
        assertThat(row.<Integer>getList(2).stream().mapToInt(each -> each).toArray())
                .isEqualTo(expected.splits());
        assertThat(report().get("matrices").asInt()).isEqualTo(400);
        assertThat(report().at("/tiles/waves").asInt()).isEqualTo(7);
        assertThat(report().at("/seconds/solve").asDouble()).isPositive();
        assertThat(folder.resolve("_out.bellman-tiles")).doesNotExist();
        assertThat(run(CHAIN, "--input-where=name = 'short'", "--results=cost", "--output-mode=overwrite")
                        .err())
                .isEmpty();
        assertThat(written().schema().fieldNames()).containsExactly("cost");
        assertThat(written().getLong(0)).isEqualTo(6);
    }

    /** Local files that simulate the death of executors while they write Parquet. */
    public static final class LittleMemory extends RawLocalFileSystem {
        private static boolean little;

        @Override
        public URI getUri() {
            return URI.create("little:///");
        }

        @Override
        public FSDataOutputStream create(
                org.apache.hadoop.fs.Path path,
                boolean overwrite,
                int bufferSize,
                short replication,
                long blockSize,
                Progressable progress)
                throws IOException {
            if (little && path.getName().endsWith(".parquet")) {
                throw new IOException(
                        new SparkException("Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times, most"
                                + " recent failure: Lost task 0.3 in stage 1.0 (TID 7) (host executor 1):"
                                + " ExecutorLostFailure (executor 1 exited caused by one of the running tasks) Reason:"
                                + " Command exited with code 137"));
            }
            return super.create(path, overwrite, bufferSize, replication, blockSize, progress);
        }
    }

    /**
     * Tiles are kept if memory runs out at the very end of a run. A run continues with less memory for tiles if the
     * existing tiles fit.
     */
    @Test
    void littleMemory() throws IOException {
        spark.sparkContext().hadoopConfiguration().set("fs.little.impl", LittleMemory.class.getName());
        write("{\"dims\": [1, 2, 3]}");
        String[] line = {
            "run",
            "--problem=" + CHAIN,
            "--input=" + folder.resolve("in.json"),
            "--output=little:" + folder.resolve("out")
        };
        LittleMemory.little = true;
        CommandLineRun failed;
        try {
            failed = CommandLineRun.of(line);
        } finally {
            LittleMemory.little = false;
        }
        failed.assertCode(ExitCode.INPUT)
                .contains("[BELLMAN_LIMIT]", "an executor exited with code 137, usually because it ran out");
        assertThat(failed.out()).contains("kept any finished work in");
        CommandLineRun other = CommandLineRun.of(ArrayUtils.addAll(line, "--results=cost", "--resume"));
        other.assertCode(ExitCode.INPUT).contains("belong to a different job");
        assertThat(other.out()).doesNotContain("kept any finished work in");
        String[] again = ArrayUtils.add(line, "--resume");
        Path tiles = folder.resolve("_out.bellman-tiles");
        FileUtils.copyDirectory(tiles.toFile(), folder.resolve("aside").toFile());
        setParts(tiles.resolve("manifest"), 4_096);
        CommandLineRun.of(again)
                .assertCode(ExitCode.INPUT)
                .contains(
                        "[BELLMAN_CONFIGURATION]",
                        "_out.bellman-tiles need 17,592,186,044,416 bytes on an executor with 2 cores",
                        "use executors with more memory or fewer cores");
        // the table has a single tile, which has the size of a large tile
        setParts(tiles.resolve("manifest"), 2);
        spark.conf().set("spark.bellman.tiles.hostMemory", "100");
        try {
            CommandLineRun resumed = CommandLineRun.of(again);
            assertThat(resumed.err()).isEmpty();
            assertThat(resumed.out()).contains("1 of 1 waves are already finished");
        } finally {
            spark.conf().unset("spark.bellman.tiles.hostMemory");
        }
        assertThat(report().at("/tiles/edge").asInt()).isEqualTo(256);
        assertThat(written().getLong(0)).isEqualTo(6);
        // the run was interrupted between its commit and its end
        FileUtils.moveDirectory(folder.resolve("aside").toFile(), tiles.toFile());
        String before = report().toString();
        CommandLineRun made = CommandLineRun.of(again).assertDone();
        assertThat(made.out()).contains("nothing to resume: the output", "already contains the rows of this job");
        assertThat(report().toString()).isEqualTo(before);
        assertThat(tiles).doesNotExist();
        assertThat(folder.resolve("out/_bellman/runs").toFile().list()).hasSize(1);
    }

    /** Changes the number of parts in a tile manifest, which is a file with a checksum. */
    private static void setParts(Path manifest, int parts) throws IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(manifest));
        int header = 2 * Long.BYTES + Integer.BYTES;
        byte[] content = new String(file.array(), header, file.capacity() - header, StandardCharsets.UTF_8)
                .replaceFirst("/\\d+\"", "/" + parts + "\"")
                .getBytes(StandardCharsets.UTF_8);
        CRC32C sum = new CRC32C();
        sum.update(content);
        Files.write(
                manifest,
                ByteBuffer.allocate(header + content.length)
                        .putLong(file.getLong())
                        .putLong(content.length)
                        .putInt((int) sum.getValue())
                        .put(content)
                        .array());
    }

    /** Tests costs that apply to both sequences, and separate costs for each. */
    @Test
    void gaps() throws IOException {
        Random random = new Random(1);
        String a = letters(random, 250);
        String b = a.substring(20, 90) + letters(random, 60) + a.substring(100, 110);
        write("{\"x\": \"%s\", \"y\": \"%s\"}".formatted(a, b));
        String costs = "transform(sequence(1, 300), k -> cast(if(k % 3 = 0, 4, 6 + k / 2) as bigint))";
        for (String more : List.of("", "transform(sequence(1, 200), k -> 7 + k % 2)")) {
            List<String> flags = new ArrayList<>(
                    List.of("--argument=x", "--argument=y", "--argument=2", "--argument=-3", "--argument=" + costs));
            if (!more.isEmpty()) {
                flags.add("--argument=" + more);
            }
            flags.add("--output-mode=overwrite");
            CommandLineRun run = run(PAIR, flags.toArray(String[]::new));
            assertThat(run.err()).isEmpty();
            assertThat(run.out())
                    .contains("a pair of 250 and 140 letters with general gap costs; a table of 885 kB in tiles");
            Row expected = spark.sql("SELECT gap_alignment('%s', '%s', 2, -3, %s%s) AS r"
                            .formatted(a, b, costs, more.isEmpty() ? "" : ", " + more))
                    .head()
                    .getStruct(0);
            assertThat(written()).isEqualTo(expected);
            assertThat(report().get("gapCosts").asText()).isEqualTo("general");
        }
    }

    static List<Arguments> sizes() {
        return Thorough.cases(
                2,
                arguments(128, false, "BIGINT", 200_000_000_000_000_000L),
                arguments(60, true, "DOUBLE", 4L),
                arguments(1, false, "BIGINT", 5L),
                arguments(140, true, "DOUBLE", 4L),
                arguments(127, true, "BIGINT", 5L),
                arguments(290, false, "DOUBLE", 1_000_000L));
    }

    /**
     * Tests costs given by leaf and by range, at sizes around tile boundaries, including infinite costs and integers so
     * large that sums are checked for overflow.
     */
    @ParameterizedTest
    @MethodSource("sizes")
    void trees(int n, boolean byParts, String type, long most) throws IOException {
        SplittableRandom random = new SplittableRandom(n);
        List<String> leaf = new ArrayList<>();
        List<String> w = new ArrayList<>();
        List<String> rows = new ArrayList<>();
        for (int i = 1; i <= n; i++) {
            List<String> costs = new ArrayList<>();
            for (int j = i; j <= n; j++) {
                long cost = random.nextInt(50) == 0 && !(i == 1 && j == n) ? most : random.nextLong(5);
                String text = type.equals("BIGINT") ? "" + cost : cost == most ? "Infinity" : cost / 8.0 + "";
                (i == j ? leaf : w).add(text);
                costs.add(text);
                if (byParts) {
                    rows.add("{\"i\": %d, \"j\": %d, \"c\": \"%s\"}".formatted(i, j, text));
                }
            }
            if (!byParts) {
                rows.add("{\"i\": %d, \"c\": \"%s\"}".formatted(i, String.join(" ", costs)));
            }
        }
        Collections.shuffle(rows, new Random(1));
        write(rows.toArray(String[]::new));
        CommandLineRun run = byParts
                ? run(TREE, "--argument=i", "--argument=j", "--argument=cast(c as %s)".formatted(type))
                : run(TREE, "--argument=i", "--argument=cast(split(c, ' ') as array<%s>)".formatted(type));
        assertThat(run.err()).isEmpty();
        String lists = "cast(filter(split('%s', ' '), x -> x <> '') as array<%s>)";
        Row expected = spark.sql("SELECT parenthesization(%s, %s)"
                        .formatted(
                                lists.formatted(String.join(" ", leaf), type),
                                lists.formatted(String.join(" ", w), type)))
                .head()
                .getStruct(0);
        assertThat(written()).isEqualTo(expected);
        assertThat(report().get("leaves").asInt()).isEqualTo(n);
        assertThat(folder.resolve("_out.bellman-tiles")).doesNotExist();
    }

    private static String letters(Random random, int count) {
        return random.ints(count, 0, 4)
                .mapToObj(i -> "ACGT".substring(i, i + 1))
                .collect(Collectors.joining());
    }
}
