package dev.bellman.large;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.large.grid.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests jobs on one graph, and commands that read paths from their outputs. */
public class GraphRunTest extends GraphRunFixture {
    private final SparkSession spark = LocalSpark.session();

    private CommandLineRun path(String from, String to) {
        return CommandLineRun.of(
                "path", "--from=" + from, "--to=" + to, folder.resolve("out").toString());
    }

    /** Returns the results for each pair of vertices that has a path, as text. */
    private Map<String, String> written() {
        Map<String, String> pairs = new HashMap<>();
        for (Row row : LocalSpark.output(folder).collectAsList()) {
            List<Object> targets = row.getList(3);
            assertThat(row.get(1)).isEqualTo(targets.get(0));
            assertThat(row.get(2)).isEqualTo(targets.get(targets.size() - 1));
            for (int i = 0; i < targets.size(); i++) {
                StringBuilder results = new StringBuilder();
                for (int column = 4; column < row.length(); column++) {
                    results.append(column > 4 ? " " : "")
                            .append(row.getList(column).get(i));
                }
                pairs.put(row.get(0) + targets.get(i).toString(), results.toString());
            }
        }
        return pairs;
    }

    /** Tests a table that exceeds the memory for tiles, and a run that continues an interrupted one. */
    @Test
    void inTiles() throws IOException {
        spark.conf().set("spark.bellman.tiles.hostMemory", "100");
        try {
            for (String results : List.of("distance", "distance,next,hops", "distance,previous")) {
                CommandLineRun run = rows("--results=" + results, "--strategy=blocked", "--output-mode=overwrite");
                assertThat(run.err()).isEmpty();
                assertThat(run.out()).contains("strategy blocked on the CPU, in tiles on the executors");
                String ad = Map.of("distance", "4", "distance,previous", "4 b").getOrDefault(results, "4 b 2");
                String ae = Map.of("distance", "3", "distance,previous", "3 d").getOrDefault(results, "3 b 3");
                assertThat(written()).hasSize(14).containsEntry("ad", ad).containsEntry("aé", ae);
                JsonNode report = CommandLineRun.report(folder.resolve("out"));
                assertThat(report.at("/tiles/tileKernels/run").asInt()).isEqualTo(1);
                assertThat(report.at("/tiles/executors").size()).isEqualTo(1);
                assertThat(folder.resolve("out/_bellman/report.html"))
                        .content()
                        .contains(report.get("started").asText());
                assertThat(folder.resolve("_out.bellman-tiles")).doesNotExist();
            }
            Files.createDirectories(folder.resolve("_out.bellman-tiles/panels"));
            rows("--strategy=blocked", "--output-mode=overwrite", "--resume").assertDone();
            assertThat(written()).hasSize(14).containsEntry("ad", "4");
            Files.createDirectories(folder.resolve("_out.bellman-tiles/panels"));
            assertThat(rows("--strategy=blocked", "--output-mode=overwrite").out())
                    .contains("_out.bellman-tiles, which an interrupted run left behind; to continue such a run");
            Files.writeString(folder.resolve("negative.csv"), EDGES + "b,a,-3\n");
            run("negative.csv", "--input-option=inferSchema=true", "--strategy=blocked", "--output-mode=overwrite")
                    .assertCode(ExitCode.INPUT)
                    .contains("is on a cycle of negative weight");
            assertThat(folder.resolve("_out.bellman-tiles")).doesNotExist();
            assertThat(written()).hasSize(14);
        } finally {
            spark.conf().unset("spark.bellman.tiles.hostMemory");
        }
    }

    private Set<Row> rowsOf(Path folder) {
        return new HashSet<>(LocalSpark.output(folder).collectAsList());
    }

    /** The disk fills up while tiles are computed; later, it has more space. */
    @ParameterizedTest
    @ValueSource(strings = {"--results=distance", "--source=300"})
    void fullDisk(String flag) throws IOException {
        int nodes = 600;
        spark.range(0, 4 * nodes)
                .selectExpr(
                        "id %% %d AS source".formatted(nodes),
                        "(id * 7 + 1) %% %d AS target".formatted(nodes),
                        "id % 5 AS weight")
                .write()
                .parquet(folder.resolve("edges.parquet").toString());
        assertThat(run("edges.parquet", "--strategy=johnson", flag).err()).isEmpty();
        Set<Row> expected = rowsOf(folder);
        Path small = folder.resolve("small");
        Files.createDirectories(small);
        spark.conf().set("spark.bellman.tiles.hostMemory", "100");
        try (SmallDisk disk = new SmallDisk(small, 1_000)) {
            Files.writeString(small.resolve("notes"), "of the user");
            String problem = "all_pairs_shortest_paths";
            String edges = "../edges.parquet";
            CommandLineRun full = CommandLineRun.ofJob(small, problem, edges, "--strategy=blocked", flag);
            full.assertCode(ExitCode.FAILURE)
                    .startsWith("error: [BELLMAN_OUTPUT_WRITE] job: cannot write the tile file:"
                            + small.resolve("_out.bellman-tiles"))
                    .contains("No space left on device", "rerun with --resume")
                    .hasLineCount(1);
            assertThat(full.out()).contains("kept any finished work in");
            disk.grow();
            CommandLineRun resumed =
                    CommandLineRun.ofJob(small, problem, edges, "--strategy=blocked", flag, "--resume");
            assertThat(resumed.err()).isEmpty();
            assertThat(resumed.out()).contains("waves are already finished");
            try (Stream<Path> left = Files.list(small)) {
                assertThat(left.map(Path::getFileName).map(Path::toString)).containsExactlyInAnyOrder("notes", "out");
            }
            assertThat(rowsOf(small).equals(expected)).isTrue();
        } finally {
            spark.conf().unset("spark.bellman.tiles.hostMemory");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "floyd-warshall", "r-way", "blocked", "johnson"})
    void namedVertices(String strategy) throws IOException {
        CommandLineRun run = rows("--results=distance,next,hops,previous", "--strategy=" + strategy);

        assertThat(run.err()).isEmpty();
        run.assertDone();
        assertThat(run.out())
                .contains("5 vertices, 5 edges; 5 source vertices; up to 25 paths, about 900 B before compression");
        Map<String, String> written = written();
        assertThat(written).hasSize(14);
        assertThat(written)
                .containsEntry("aa", "0 null 0 null")
                .containsEntry("ad", "4 b 2 b")
                .containsEntry("aé", "3 b 3 d")
                .containsEntry("dé", "-1 é 1 d")
                .doesNotContainKey("da");
        JsonNode report = CommandLineRun.report(folder.resolve("out"));
        assertThat(report.get("vertices").asInt()).isEqualTo(5);
        assertThat(report.get("strategy").asText()).isEqualTo(strategy.equals("auto") ? "floyd-warshall" : strategy);
    }

    @Test
    void paths() throws IOException {
        rows("--results=distance,next").assertDone();

        assertThat(path("a", "é").out()).isEqualTo("distance 3, 3 edges\na\nb\nd\né\n");
        assertThat(path("a", "a").out()).isEqualTo("distance 0, 0 edges\na\n");
        assertThat(CommandLineRun.of("show", folder.resolve("out").toString()).out())
                .contains("at most ", " paths in ", "strategy floyd-warshall on the CPU");
        assertThat(path("é", "a").out()).isEqualTo("there is no path from é to a\n");
        assertThat(path("a", "x").code()).isEqualTo(ExitCode.INPUT);
        assertThat(path("a", "x").err())
                .contains("BELLMAN_INPUT_VALUE", "no path in the output ends at the vertex 'x'");
        assertThat(path("x", "a").err()).contains("BELLMAN_INPUT_VALUE", "no paths from the vertex 'x'");
    }

    @Test
    void sources() throws IOException {
        rows("--results=next,distance", "--source=a", "--source=c").assertDone();

        assertThat(written().keySet()).containsExactlyInAnyOrder("aa", "ab", "ac", "ad", "aé", "cc", "cd", "cé");
        assertThat(path("a", "c").out()).isEqualTo("distance 3, 1 edge\na\nc\n");
        assertThat(path("a", "d").err())
                .contains("no paths from the vertex 'b'", "add 'previous' to the job's results");
        assertThat(rows("--results=distance,previous", "--source=a", "--output-mode=overwrite")
                        .err())
                .isEmpty();
        assertThat(written()).hasSize(5).containsEntry("aa", "0 null").containsEntry("aé", "3 d");
        assertThat(path("a", "é").out()).isEqualTo("distance 3, 3 edges\na\nb\nd\né\n");
        assertThat(path("a", "a").out()).isEqualTo("distance 0, 0 edges\na\n");
        assertThat(path("a", "x").code()).isEqualTo(ExitCode.INPUT);
        assertThat(path("a", "x").err()).contains("no path in the output ends at the vertex 'x'");
        assertThat(path("b", "d").err()).contains("no paths from the vertex 'b'");
        assertThat(path("x", "y").err()).contains("no paths from the vertex 'x'");
        rows("--results=previous", "--output-mode=overwrite");
        assertThat(path("é", "a").out()).isEqualTo("there is no path from é to a\n");
        assertThat(path("é", "x").err()).contains("no path in the output ends at the vertex 'x'");
        rows("--results=previous", "--source=a", "--source=c", "--output-mode=overwrite");
        assertThat(path("c", "b").out()).isEqualTo("there is no path from c to b\n");
        assertThat(rows("--output-mode=overwrite", "--source=q").err()).contains("sources contains the vertex 'q'");
    }

    /** The number of vertices in the file includes vertices without edges. */
    @ParameterizedTest
    @CsvSource({"g.gr", "g.gr.gz", "g.mtx"})
    void files(String name) throws IOException {
        String text = name.startsWith("g.gr")
                ? "c a comment\np sp 4 3\na 1 2 7\na 2 3 1\na 1 3 9\n"
                : "%%MatrixMarket matrix coordinate real general\n% a comment\n4 4 3\n1 2 7\n2 3 1e0\n1 3 9\n";
        if (name.endsWith(".gz")) {
            try (var out = new java.util.zip.GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
                out.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        } else {
            Files.writeString(folder.resolve(name), text);
        }
        CommandLineRun run = run(name, "--results=distance,hops");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("4 vertices, 3 edges");
        String zero = name.equals("g.mtx") ? ".0" : "";
        assertThat(written()).hasSize(7).containsEntry("13", "8" + zero + " 2").containsEntry("44", "0" + zero + " 0");
    }

    @Test
    void symmetricMatrix() throws IOException {
        Files.writeString(
                folder.resolve("s.mtx"), "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 5\n3 2 1\n");

        run("s.mtx").assertDone();
        assertThat(written()).hasSize(9).containsEntry("13", "6").containsEntry("31", "6");
    }

    @Test
    void patternWithoutWeights() throws IOException {
        Files.writeString(
                folder.resolve("s.mtx"), "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n");

        run("s.mtx").assertDone();
        assertThat(written()).hasSize(9).containsEntry("13", "2").containsEntry("32", "1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CAST(a AS TIMESTAMP), CAST(b AS TIMESTAMP) | 2026-01-01 | 2026-01-01 00:00:00 | 1.0",
                "CAST(a AS DATE), CAST(b AS TIMESTAMP) | 2026-01-01 | 2026-01-01 | of the same",
                "CAST(day(a) / 1e8 AS DECIMAL(20,9)), CAST(day(b) / 1e8 AS DECIMAL(20,9)) | 1e-8 | 0.00000001 | 1.0",
                "day(a), CAST(day(b) AS BIGINT) | 01 | 1 | 1.0",
                "a COLLATE UTF8_LCASE, b | 2026-01-01 | 2026-01-01 | 1.0",
                "day(a), day(b) | x | 1 | vertices are of type INT",
                "day(a), day(b) | 7 | 1 | sources contains the vertex '7'"
            })
    void namesOfSources(String ends, String source, String from, String expected) {
        String[] types = ends.split("(?<=[)E]), ");
        spark.sql("SELECT '2026-01-01' AS a, '2026-01-02' AS b, 1.0D AS w")
                .write()
                .parquet(folder.resolve("dates.parquet").toString());
        CommandLineRun run = run(
                "dates.parquet",
                "--results=distance,next",
                "--argument=" + types[0],
                "--argument=" + types[1],
                "--argument=w",
                "--source=" + source);

        if (expected.equals("1.0")) {
            assertThat(run.err()).isEmpty();
            List<Row> rows =
                    LocalSpark.output(folder).selectExpr("explode(distance)").collectAsList();
            assertThat(rows.toString()).isEqualTo("[[0.0], [1.0]]");
            assertThat(path(from, from).out()).startsWith("distance 0.0, 0 edges\n");
        } else {
            assertThat(run.err()).contains(expected);
        }
    }

    @Test
    void noEdges() throws IOException {
        CommandLineRun run = rows("--input-where=weight > 100", "--results=distance,next");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("0 vertices, 0 edges");
        assertThat(written()).isEmpty();
        assertThat(path("a", "b").err()).contains("no paths from the vertex 'a'");
    }

    @Test
    void dryRun() throws IOException {
        CommandLineRun run = rows("--dry-run", "--results=hops").assertDone();
        assertThat(run.out()).contains("5 vertices, 5 edges", "hops: array");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    /** Tests sources and targets in more than one block. */
    @Test
    void manyVertices() {
        int nodes = GraphPaths.BLOCK + 5;
        spark.range(0, nodes)
                .selectExpr("id AS source", "(id + 1) %% %d AS target".formatted(nodes), "id % 3 AS weight")
                .write()
                .parquet(folder.resolve("ring.parquet").toString());
        CommandLineRun run = run(
                "ring.parquet",
                "--results=distance,hops,next",
                "--source=0",
                "--source=7",
                "--source=4100",
                "--output-partitions=2");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("strategy johnson");
        assertThat(written())
                .hasSize(3 * nodes)
                .containsEntry("07", "6 7 1")
                // the path leads around the end of the ring
                .containsEntry("41007", "8 8 0");
    }

    /**
     * One task computes the table, and several tasks write its paths. The rows are the same as if each task computed
     * the paths of its own sources.
     */
    @Test
    void severalTasksWriteATable() throws IOException {
        // with more slots, even a smaller table is worth several tasks
        spark.sparkContext().conf().set("spark.default.parallelism", "16");
        try {
            checkThatSeveralTasksWriteATable();
        } finally {
            spark.sparkContext().conf().remove("spark.default.parallelism");
        }
    }

    private void checkThatSeveralTasksWriteATable() throws IOException {
        int nodes = 1_400;
        spark.range(0, nodes)
                .selectExpr("id AS source", "(id + 1) %% %d AS target".formatted(nodes), "id % 3 AS weight")
                .write()
                .parquet(folder.resolve("ring.parquet").toString());
        CommandLineRun run = run("ring.parquet", "--results=distance,next", "--strategy=johnson");
        assertThat(run.err()).isEmpty();
        Path expected = Files.move(folder.resolve("out"), folder.resolve("expected"));

        CommandLineRun shared = run("ring.parquet", "--results=distance,next", "--strategy=blocked");

        assertThat(shared.err()).isEmpty();
        assertThat(shared.out())
                .containsPattern(
                        "strategy blocked on the CPU, with nested dissection, .*; several tasks write the paths");
        assertThat(hashes(folder.resolve("out"))).hasSize(nodes).isEqualTo(hashes(expected));
        assertThat(files()).isEqualTo(6);
        run(
                "ring.parquet",
                "--results=distance,next",
                "--strategy=blocked",
                "--output-partitions=2",
                "--output-mode=overwrite");
        assertThat(hashes(folder.resolve("out"))).isEqualTo(hashes(expected));
        assertThat(files()).isEqualTo(2);
        assertThat(folder.resolve("_out.bellman-tiles")).doesNotExist();
    }

    /** Returns a hash of each source's row. The rows contain long lists. */
    private Map<Object, Object> hashes(Path output) {
        return spark.read().parquet(output.toString()).selectExpr("source", "xxhash64(*)").collectAsList().stream()
                .collect(Collectors.toMap(row -> row.get(0), row -> row.get(1)));
    }

    /** The run skips the tiles that are empty because of the nested dissection. */
    @Test
    void sparseTable() throws IOException {
        int nodes = 1_500;
        spark.range(0, nodes)
                .selectExpr("id AS source", "(id + 1) %% %d AS target".formatted(nodes), "id % 3 AS weight")
                .write()
                .parquet(folder.resolve("ring.parquet").toString());
        CommandLineRun run = run("ring.parquet", "--results=distance,hops,next", "--source=1496", "--strategy=blocked");

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .containsPattern(
                        "strategy blocked on the CPU, with nested dissection, which runs \\d+ of 216 tile kernels");
        assertThat(written()).hasSize(nodes).containsEntry("14963", "8 7 1497");
        JsonNode report = CommandLineRun.report(folder.resolve("out"));
        assertThat(report.at("/tileKernels/all").asInt()).isEqualTo(216);
        assertThat(report.at("/tileKernels/run").asInt()).isBetween(6, 108);
        assertThat(report.at("/tileKernels/share").asDouble())
                .isEqualTo(report.at("/tileKernels/run").asInt() / 216.0);
    }
}
