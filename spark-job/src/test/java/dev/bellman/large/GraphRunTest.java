package dev.bellman.large;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on one graph, and reading paths from their outputs. */
public class GraphRunTest {
    /** Two paths of the same length from a to d, and é on another path. */
    private static final String EDGES = """
            source,target,weight
            a,b,2
            b,d,2
            a,c,3
            c,d,1
            d,é,-1
            """;

    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    private CommandLineRun run(String input, String... more) {
        return CommandLineRun.ofJob(folder, "all_pairs_shortest_paths", input, more);
    }

    private CommandLineRun rows(String... more) throws IOException {
        Files.writeString(folder.resolve("edges.csv"), EDGES);
        return run(
                "edges.csv",
                Stream.concat(Stream.of("--input-option=inferSchema=true"), Stream.of(more))
                        .toArray(String[]::new));
    }

    private CommandLineRun path(String from, String to) {
        return CommandLineRun.of(
                "path", "--from=" + from, "--to=" + to, folder.resolve("out").toString());
    }

    /** The results of each pair that has a path, as text. */
    private Map<String, String> written() {
        Map<String, String> pairs = new HashMap<>();
        for (Row row : spark.read().parquet(folder.resolve("out").toString()).collectAsList()) {
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

    /** A table that exceeds the memory for tiles, and a run that continues another. */
    @Test
    void inTiles() throws IOException {
        spark.conf().set("spark.bellman.tiles.hostMemory", "100");
        try {
            for (String results : List.of("distance", "distance,next,hops")) {
                CommandLineRun run = rows("--results=" + results, "--strategy=blocked", "--output-mode=overwrite");
                assertThat(run.err()).isEmpty();
                assertThat(run.out()).contains("strategy blocked on the CPU, in tiles on the executors");
                assertThat(written())
                        .hasSize(14)
                        .containsEntry("ad", results.equals("distance") ? "4" : "4 b 2")
                        .containsEntry("aé", results.equals("distance") ? "3" : "3 b 3");
                JsonNode report = new ObjectMapper()
                        .readTree(folder.resolve("out/_bellman/report.json").toFile());
                assertThat(report.at("/tiles/tileKernels/a").asInt()).isEqualTo(1);
                assertThat(report.at("/tiles/executors").size()).isEqualTo(1);
                assertThat(folder.resolve("out/_bellman/report.html"))
                        .content()
                        .contains(report.get("started").asText());
                assertThat(folder.resolve("_out.bellman-tiles")).doesNotExist();
            }
            Files.createDirectories(folder.resolve("_out.bellman-tiles/panels"));
            assertThat(rows("--strategy=blocked", "--output-mode=overwrite", "--resume")
                            .code())
                    .isEqualTo(ExitCode.DONE);
            assertThat(written()).hasSize(14).containsEntry("ad", "4");
            Files.createDirectories(folder.resolve("_out.bellman-tiles/panels"));
            assertThat(rows("--strategy=blocked", "--output-mode=overwrite").out())
                    .contains("_out.bellman-tiles, which an interrupted run left; --resume would have kept the tiles");
            Files.writeString(folder.resolve("negative.csv"), EDGES + "b,a,-3\n");
            CommandLineRun negative = run(
                    "negative.csv", "--input-option=inferSchema=true", "--strategy=blocked", "--output-mode=overwrite");
            assertThat(negative.code()).isEqualTo(ExitCode.INPUT);
            assertThat(negative.err()).contains("is on a cycle of negative weight");
            assertThat(folder.resolve("_out.bellman-tiles")).doesNotExist();
            assertThat(written()).hasSize(14);
        } finally {
            spark.conf().unset("spark.bellman.tiles.hostMemory");
        }
    }

    private Set<Row> rowsOf(Path folder) {
        return new HashSet<>(
                spark.read().parquet(folder.resolve("out").toString()).collectAsList());
    }

    /** A disk that gets full while the tiles are computed, and is enlarged. */
    @Test
    void fullDisk() throws IOException {
        int nodes = 600;
        spark.range(0, 4 * nodes)
                .selectExpr(
                        "id %% %d AS source".formatted(nodes),
                        "(id * 7 + 1) %% %d AS target".formatted(nodes),
                        "id % 5 AS weight")
                .write()
                .parquet(folder.resolve("edges.parquet").toString());
        assertThat(run("edges.parquet", "--strategy=johnson").err()).isEmpty();
        Set<Row> expected = rowsOf(folder);
        Path small = folder.resolve("small");
        Files.createDirectories(small);
        spark.conf().set("spark.bellman.tiles.hostMemory", "100");
        try (SmallDisk disk = new SmallDisk(small, 1_000)) {
            Files.writeString(small.resolve("notes"), "of the user");
            String problem = "all_pairs_shortest_paths";
            String edges = "../edges.parquet";
            CommandLineRun full = CommandLineRun.ofJob(small, problem, edges, "--strategy=blocked");
            assertThat(full.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(full.err())
                    .startsWith("error: [BELLMAN_OUTPUT_WRITE] job: cannot write the tile file:"
                            + small.resolve("_out.bellman-tiles"))
                    .contains("No space left on device", "rerun with --resume")
                    .hasLineCount(1);
            assertThat(full.out()).contains("kept the tiles in");
            disk.grow();
            CommandLineRun resumed = CommandLineRun.ofJob(small, problem, edges, "--strategy=blocked", "--resume");
            assertThat(resumed.err()).isEmpty();
            assertThat(resumed.out()).contains("waves are done and kept");
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
        CommandLineRun run = rows("--results=distance,next,hops", "--strategy=" + strategy);

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isEqualTo(ExitCode.DONE);
        assertThat(run.out())
                .contains("5 vertices, 5 edges; paths from 5 of them: up to 25, about 700 B before compression");
        Map<String, String> written = written();
        assertThat(written).hasSize(14);
        assertThat(written)
                .containsEntry("aa", "0 null 0")
                .containsEntry("ad", "4 b 2")
                .containsEntry("aé", "3 b 3")
                .containsEntry("dé", "-1 é 1")
                .doesNotContainKey("da");
        JsonNode report = new ObjectMapper()
                .readTree(folder.resolve("out/_bellman/report.json").toFile());
        assertThat(report.get("vertices").asInt()).isEqualTo(5);
        assertThat(report.get("strategy").asText()).isEqualTo(strategy.equals("auto") ? "floyd-warshall" : strategy);
    }

    @Test
    void paths() throws IOException {
        assertThat(rows("--results=distance,next").code()).isEqualTo(ExitCode.DONE);

        assertThat(path("a", "é").out()).isEqualTo("distance 3, 3 edges\na\nb\nd\né\n");
        assertThat(path("a", "a").out()).isEqualTo("distance 0, 0 edges\na\n");
        assertThat(CommandLineRun.of("show", folder.resolve("out").toString()).out())
                .contains("paths at most in ", "strategy floyd-warshall on the CPU");
        assertThat(path("é", "a").out()).isEqualTo("there is no path from é to a\n");
        assertThat(path("a", "x").code()).isEqualTo(ExitCode.INPUT);
        assertThat(path("a", "x").err())
                .contains("BELLMAN_INPUT_VALUE", "no path of the output ends at the vertex 'x'");
        assertThat(path("x", "a").err()).contains("BELLMAN_INPUT_VALUE", "no paths from the vertex 'x'");
    }

    @Test
    void sources() throws IOException {
        assertThat(rows("--results=next,distance", "--source=a", "--source=c").code())
                .isEqualTo(ExitCode.DONE);

        assertThat(written().keySet()).containsExactlyInAnyOrder("aa", "ab", "ac", "ad", "aé", "cc", "cd", "cé");
        assertThat(path("a", "c").out()).isEqualTo("distance 3, 1 edge\na\nc\n");
        assertThat(path("a", "d").err()).contains("no paths from the vertex 'b'", "none of the job's sources");
        assertThat(rows("--output-mode=overwrite", "--source=q").err()).contains("sources names the vertex 'q'");
    }

    /** Vertices without edges count in the file's number of vertices. */
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

        assertThat(run("s.mtx").code()).isEqualTo(ExitCode.DONE);
        assertThat(written()).hasSize(9).containsEntry("13", "6").containsEntry("31", "6");
    }

    @Test
    void patternWithoutWeights() throws IOException {
        Files.writeString(
                folder.resolve("s.mtx"), "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n");

        assertThat(run("s.mtx").code()).isEqualTo(ExitCode.DONE);
        assertThat(written()).hasSize(9).containsEntry("13", "2").containsEntry("32", "1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p sp 2 1\\na 1 3 5 | BELLMAN_INPUT_FORMAT | line 2: the vertex is 3; it must be from 1 to 2",
                "p sp 2 2\\na 1 2 5 | BELLMAN_INPUT_FORMAT | the file ends after 1 of 2 arcs",
                "p sp 2 1\\na 1 2 5\\na 1 2 4 | BELLMAN_INPUT_FORMAT | line 3: there are more arcs than the 1",
                "p sp 2 1\\na 1 2 x | BELLMAN_INPUT_FORMAT | line 2: found 'x'",
                "hello | BELLMAN_INPUT_FORMAT | line 1: found 'hello'",
                "p sp 2 2\\na 1 2 5\\na 2 1 -6 | BELLMAN_INPUT_VALUE | vertex '2' is on a cycle of negative weight, "
                        + "around which paths become ever shorter. Correct the input",
                "p sp 2 1\\na 2 2 -1 | BELLMAN_INPUT_VALUE | vertex '2' is on a cycle of negative weight",
                "p sp 3 2\\na 1 2 9223372036854775807\\na 2 3 1 | BELLMAN_OVERFLOW | from vertex '1' to vertex '3' "
                        + "has a length that does not fit a BIGINT; use smaller",
                "p sp 1000000000 1\\na 1 2 5 | BELLMAN_LIMIT | line 1: 1,000,000,000 vertices and 1 edges take more "
                        + "than",
                "p sp 2 1000000000\\na 1 2 5 | BELLMAN_LIMIT | line 1: 2 vertices and 1,000,000,000 edges take more "
                        + "than",
                "p sp 2 -1 | BELLMAN_INPUT_FORMAT | line 1: the number is -1",
                "p sp 2 0\\np sp 2 0 | BELLMAN_INPUT_FORMAT | line 2: found 'p sp 2 0'",
                "a 1 2 5 | BELLMAN_INPUT_FORMAT | expected a comment, then p sp",
                "p sp 2 1\\na 1 2 | BELLMAN_INPUT_FORMAT | line 2: found 'a 1 2'"
            })
    void badFiles(String text, String code, String message) throws IOException {
        bad("bad.gr", text, code, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "integer skew-symmetric\\n2 2 1\\n2 1 5 | expected %%MatrixMarket matrix coordinate, integer, real or "
                        + "pattern, general or symmetric",
                "pattern general\\n2 2 1\\n2 1 1 | line 3: found '2 1 1'; expected ROW COLUMN",
                "integer general\\n2 2 1\\n2 1 | line 3: found '2 1'; expected ROW COLUMN VALUE",
                "complex general\\n2 2 1\\n2 1 1 1 | expected %%MatrixMarket",
                "integer general\\n2 3 1\\n2 1 5 | line 2: found '2 3 1'; expected NODES NODES ENTRIES",
                "integer general\\n2 2 1\\n2 1 5.0 | line 3: found '5.0' where a whole number",
                "integer general\\n2 2 1\\n0 1 5 | line 3: the vertex is 0; it must be from 1 to 2",
                "real general\\n2 2 1\\n2 1 NaN | line 3: found 'NaN' where a number",
                "real general\\n2 2 1\\n2 1 1e300 | line 3: found '1e300' where a number of at most 1.0E288",
                "real general\\n2 2 1\\n2 1 2f | line 3: found '2f' where a number",
                "real general\\n2 2 2\\n2 1 2 | the file ends after 1 of 2 entries"
            })
    void badMatrices(String text, String message) throws IOException {
        bad("bad.mtx", "%%MatrixMarket matrix coordinate " + text, "BELLMAN_INPUT_FORMAT", message);
    }

    private void bad(String name, String text, String code, String message) throws IOException {
        Files.writeString(folder.resolve(name), text.replace("\\n", "\n") + "\n");
        CommandLineRun run = run(name);

        assertThat(run.code()).isEqualTo(ExitCode.INPUT);
        assertThat(run.err()).contains(code, message);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--results=distance,cost | results",
                "--keep=weight | keep is not for all_pairs_shortest_paths",
                "--argument=source | an edge has 3 arguments",
                "--output-format=json | output.format of all_pairs_shortest_paths is parquet",
                "--output-mode=append | an output of all_pairs_shortest_paths is of one input",
                "--strategy=fast | strategy",
                "--engine=gpu | [BELLMAN_GPU_REQUIRED]",
                "--argument=source --argument=target --argument=price | no column 'price'",
                "--argument=source --argument=target --argument=source | it must be a number",
                "--argument=source --argument=weight --argument=weight | both alike",
                "--argument=source --argument=target --argument=nullif(weight,3) | is NULL",
                "--restricted --argument=source --argument=target --argument=java_method('a','b') | restricted"
            })
    void wrong(String flags, String message) throws IOException {
        CommandLineRun run = rows(flags.split(" "));

        assertThat(run.code()).isNotEqualTo(ExitCode.DONE);
        assertThat(run.err()).contains(message);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CAST(a AS TIMESTAMP), CAST(b AS TIMESTAMP) | 2026-01-01 | 2026-01-01 00:00:00 | 1.0",
                "CAST(a AS DATE), CAST(b AS TIMESTAMP) | 2026-01-01 | 2026-01-01 | both alike",
                "CAST(day(a) / 1e8 AS DECIMAL(20,9)), CAST(day(b) / 1e8 AS DECIMAL(20,9)) | 1e-8 | 0.00000001 | 1.0",
                "day(a), CAST(day(b) AS BIGINT) | 01 | 1 | 1.0",
                "a COLLATE UTF8_LCASE, b | 2026-01-01 | 2026-01-01 | 1.0",
                "day(a), day(b) | x | 1 | its vertices are of type INT",
                "day(a), day(b) | 7 | 1 | sources names the vertex '7'"
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
            List<Row> rows = spark.read()
                    .parquet(folder.resolve("out").toString())
                    .selectExpr("explode(distance)")
                    .collectAsList();
            assertThat(rows.toString()).isEqualTo("[[0.0], [1.0]]");
            assertThat(path(from, from).out()).startsWith("distance 0.0, 0 edges\n");
        } else {
            assertThat(run.err()).contains(expected);
        }
    }

    /** Messages name vertices as the input does. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "if(weight = 1, -5, weight) | vertex 'd' is on a cycle",
                "if(source IN ('b', 'c'), 9223372036854775807, weight) | from vertex 'a' to vertex 'd'",
                "if(source = 'b', CAST('NaN' AS DOUBLE), weight) | the weight of the edge [b,d,NaN] is not a number",
                "if(source = 'b', 1e289, weight) | the weight of the edge [b,d,1.0E289] is not a number of at most "
                        + "1.0E288"
            })
    void badWeights(String weight, String message) throws IOException {
        CommandLineRun run = rows(
                "--argument=source",
                "--argument=if(source = 'd' AND weight = -1, 'c', target)",
                "--argument=" + weight);

        assertThat(run.code()).isEqualTo(ExitCode.INPUT);
        assertThat(run.err()).contains(message).doesNotContain("try_");
        assertThat(folder.resolve("out")).doesNotExist();
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
    void graphsAreForThisProblem() throws IOException {
        Files.writeString(folder.resolve("g.gr"), "p sp 1 0\n");
        CommandLineRun run = CommandLineRun.of(
                "run", "--problem=lcs", "--input=" + folder.resolve("g.gr"), "--output=" + folder.resolve("out"));

        assertThat(run.err()).contains("input.format is gr, which is for all_pairs_shortest_paths");
    }

    @Test
    void dryRun() throws IOException {
        CommandLineRun run = rows("--dry-run", "--results=hops");

        assertThat(run.code()).isEqualTo(ExitCode.DONE);
        assertThat(run.out()).contains("5 vertices, 5 edges", "hops: array");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    /** Sources and targets in several blocks, in separate tasks; both strategies write the same. */
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
                // around the end of the ring
                .containsEntry("41007", "8 8 0");
    }

    /** One task solves a table; several write its paths, as tasks that share the sources do. */
    @Test
    void severalTasksWriteATable() throws IOException {
        // the more there are, the smaller is a table that they are worth
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
                .containsPattern("strategy blocked on the CPU, written by several tasks, by nested dissection");
        assertThat(hashes(folder.resolve("out"))).hasSize(nodes).isEqualTo(hashes(expected));
        try (Stream<Path> files = Files.list(folder.resolve("out"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".parquet")))
                    .hasSize(6);
        }
        assertThat(folder.resolve("_out.bellman-tiles")).doesNotExist();
    }

    /** Of each source's row, whose lists are long. */
    private Map<Object, Object> hashes(Path output) {
        return spark.read().parquet(output.toString()).selectExpr("source", "xxhash64(*)").collectAsList().stream()
                .collect(Collectors.toMap(row -> row.get(0), row -> row.get(1)));
    }

    /** Without the tiles that are empty in the order of a nested dissection. */
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
                .containsPattern("strategy blocked on the CPU, by nested dissection: \\d+ of 216 tile kernels");
        assertThat(written()).hasSize(nodes).containsEntry("14963", "8 7 1497");
        JsonNode report = new ObjectMapper()
                .readTree(folder.resolve("out/_bellman/report.json").toFile());
        assertThat(report.at("/tileKernels/all").asInt()).isEqualTo(216);
        assertThat(report.at("/tileKernels/run").asInt()).isBetween(6, 108);
        assertThat(report.at("/tileKernels/share").asDouble())
                .isEqualTo(report.at("/tileKernels/run").asInt() / 216.0);
    }
}
