package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code where}, {@code best} and {@code input.where}, which select the rows to solve and to write. */
class RowSelectionTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    private final List<String> queries = new ArrayList<>();
    private final List<String> targets = new ArrayList<>();

    /** The numbers of a query and a target, and their distance. */
    private record Pair(int a, int b, int distance) {
        @Override
        public String toString() {
            return "[%d,%d,%d]".formatted(a, b, distance);
        }
    }

    /** Writes short strings over two letters, so that many distances tie. */
    @BeforeEach
    void write() throws IOException {
        Random random = new Random(7);
        fill(queries, 12, random);
        fill(targets, 25, random);
        write("queries.tsv", queries);
        write("targets.tsv", targets);
    }

    private static void fill(List<String> list, int count, Random random) {
        for (int i = 0; i < count; i++) {
            list.add(random.ints(1 + random.nextInt(6), 'a', 'c')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString());
        }
    }

    private void write(String file, List<String> texts) throws IOException {
        StringBuilder lines = new StringBuilder("id\tseq\n");
        for (int i = 0; i < texts.size(); i++) {
            lines.append(i).append('\t').append(texts.get(i)).append('\n');
        }
        Files.writeString(folder.resolve(file), lines);
    }

    private CommandLineRun cross(String... more) {
        return CommandLineRun.ofJob(
                folder,
                "edit_distance",
                "queries.tsv",
                List.of(
                        "--input-option=inferSchema=true",
                        "--targets=" + folder.resolve("targets.tsv"),
                        "--targets-option=inferSchema=true",
                        "--argument=seq"),
                more);
    }

    private JsonNode report() throws IOException {
        return CommandLineRun.report(folder.resolve("out"));
    }

    private Stream<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (int a = 0; a < queries.size(); a++) {
            for (int b = 0; b < targets.size(); b++) {
                pairs.add(new Pair(
                        a, b, EditDistance.distance(queries.get(a), targets.get(b), EditDistance.Strategy.SERIAL)));
            }
        }
        return pairs.stream();
    }

    private static List<String> sorted(Stream<Pair> pairs) {
        return pairs.map(Pair::toString).sorted().toList();
    }

    @Test
    void where() throws IOException {
        CommandLineRun run = cross("--output-where=edit_distance <= 1 and id_a != id_b");

        assertThat(run.err()).isEmpty();
        List<String> expected = sorted(pairs().filter(pair -> pair.distance <= 1 && pair.a != pair.b));
        assertThat(LocalSpark.written(folder)).isEqualTo(expected).hasSizeGreaterThan(3);
        assertThat(report().path("rowsIn").asInt()).isEqualTo(300);
        assertThat(report().path("rowsOut").asInt()).isEqualTo(expected.size());
        assertThat(report().path("rowsFiltered").asInt()).isEqualTo(300 - expected.size());
        // the function runs once per row, although two operators use its result
        long letters = queries.stream().mapToLong(String::length).sum()
                * targets.stream().mapToLong(String::length).sum();
        assertThat(report().path("cells").asLong()).isEqualTo(letters);
        assertThat(run.out()).contains("300 rows, %d written in".formatted(expected.size()));
    }

    static List<Arguments> choices() {
        return Thorough.cases(
                1, arguments(3, "id_b", "desc"), arguments(1, "id_a", "asc"), arguments(5000, "id_a", "asc"));
    }

    @ParameterizedTest
    @MethodSource("choices")
    void best(int count, String column, String way) {
        CommandLineRun run = cross(
                "--best=%d per %s by edit_distance %s".formatted(count, column, way),
                "--output-where=edit_distance > 0",
                "--verify=0.5");

        assertThat(run.err()).isEmpty();
        Comparator<Pair> value = Comparator.comparingInt(Pair::distance);
        Comparator<Pair> order = (way.equals("asc") ? value : value.reversed())
                .thenComparingInt(Pair::a)
                .thenComparingInt(Pair::b);
        boolean ofA = column.equals("id_a");
        List<Pair> wanted = pairs().filter(pair -> pair.distance > 0).toList();
        List<String> expected = sorted(wanted.stream().filter(pair -> wanted.stream()
                .filter(other -> ofA ? other.a == pair.a : other.b == pair.b)
                .sorted(order)
                .limit(count)
                .anyMatch(pair::equals)));
        assertThat(LocalSpark.written(folder)).isEqualTo(expected);
    }

    /** Pairs beyond the threshold have the distance -1, which must not be ranked as the best. */
    @Test
    void bestWithinAThreshold() {
        cross("--best=1 per id_b", "--parameter=max=1");

        assertThat(LocalSpark.written(folder))
                .isEqualTo(sorted(pairs().filter(pair -> pair.distance <= 1
                        && pairs().filter(other -> other.b == pair.b)
                                .noneMatch(other -> other.distance < pair.distance
                                        || other.distance == pair.distance && other.a < pair.a))));
    }

    /**
     * If pairs come from one input, each row gets its best partners among all other rows, not only among later ones.
     */
    @ParameterizedTest
    @ValueSource(strings = {"all-vs-all", "all-vs-all --results=edit_distance,edit_cigar", "within --max-distance=4"})
    void bestOfOneInput(String pairing) throws IOException {
        List<String> flags = new ArrayList<>(
                List.of("--input-option=inferSchema=true", "--argument=seq", "--best=2 per id_a", "--output-parts=3"));
        flags.addAll(List.of(("--pairing=" + pairing).split(" ")));
        CommandLineRun.ofJob(folder, "edit_distance", "targets.tsv", flags).assertDone();
        Comparator<Pair> order = Comparator.comparingInt(Pair::distance).thenComparingInt(Pair::b);
        List<String> expected =
                sorted(IntStream.range(0, targets.size()).boxed().flatMap(a -> IntStream.range(0, targets.size())
                        .filter(b -> b != a)
                        .mapToObj(b -> new Pair(
                                a,
                                b,
                                EditDistance.distance(targets.get(a), targets.get(b), EditDistance.Strategy.SERIAL)))
                        .filter(pair -> !pairing.startsWith("within") || pair.distance <= 4)
                        .sorted(order)
                        .limit(2)));
        assertThat(LocalSpark.lines(LocalSpark.output(folder)
                        .select(
                                col("id_a"),
                                col("id_b"),
                                col(pairing.startsWith("within") ? "distance" : "edit_distance"))))
                .isEqualTo(expected);
        assertThat(expected).hasSizeGreaterThan(40);
    }

    /** Each task sends only its best rows: the limit on groups precedes the exchange. */
    @Test
    void shufflesTheBestAlone() {
        String plan = cross("--best=2 per id_a", "--dry-run", "--verbose").out();

        assertThat(plan.split("# plan")[1])
                .containsSubsequence("WindowGroupLimit", "Exchange", "WindowGroupLimit", "NestedLoopJoin");
    }

    @Test
    void withQuarantinedRows() throws IOException {
        Path chains = folder.resolve("chains.jsonl");
        Files.writeString(chains, """
                {"id": 1, "dims": [10, 20, 30]}
                {"id": 2, "dims": [10, 0, 30]}
                {"id": 3, "dims": [1, 2, 3]}
                """);
        CommandLineRun run = CommandLineRun.of(
                "run",
                "--problem=matrix_chain",
                "--input=" + chains,
                "--output-where=matrix_chain_cost < 100",
                "--on-bad-row=quarantine",
                "--output=" + folder.resolve("out"));

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(LocalSpark.written(folder)).containsExactly("[3,6]");
        assertThat(report().path("rowsIn").asInt()).isEqualTo(3);
        assertThat(report().path("rowsQuarantined").asInt()).isEqualTo(1);
        assertThat(report().path("rowsFiltered").asInt()).isEqualTo(1);
    }

    /** The condition is pushed down to Parquet, which skips data that cannot match. */
    @Test
    void inputWhere() {
        spark.range(1000)
                .selectExpr("id", "string(id) AS a", "string(id + 1) AS b")
                .write()
                .parquet(folder.resolve("in").toString());
        String[] arguments = {
            "run",
            "--problem=edit_distance",
            "--input=" + folder.resolve("in"),
            "--input-where=id >= 990 AND a != '995'",
            "--output=" + folder.resolve("out")
        };

        assertThat(CommandLineRun.of(Stream.concat(Stream.of(arguments), Stream.of("--dry-run", "--verbose"))
                                .toArray(String[]::new))
                        .out())
                .contains("PushedFilters: [IsNotNull(id), IsNotNull(a), GreaterThanOrEqual(id,990)");
        CommandLineRun.of(arguments);
        assertThat(LocalSpark.written(folder)).hasSize(9).contains("[990,1]", "[999,4]");
    }

    @Test
    void partitionBy() throws IOException {
        CommandLineRun run = cross(
                "--input-where=id < 4",
                "--output-partition-by=id_a",
                "--output-where=edit_distance <= 2",
                "--verify=1");

        assertThat(run.err()).isEmpty();
        assertThat(folder.resolve("out/id_a=3")).isDirectory();
        assertThat(run.out()).contains("|id_a|id_b|edit_distance|");
        assertThat(LocalSpark.output(folder).select("id_a", "id_b", "edit_distance").collectAsList().stream()
                        .map(Row::toString)
                        .sorted())
                .isEqualTo(sorted(pairs().filter(pair -> pair.a < 4 && pair.distance <= 2)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--output-where=edit_distanc <= 2 | output.where: the output has no column 'edit_distanc'; it has "
                        + "id_a, id_b, "
                        + "edit_distance (did you mean 'edit_distance'?)",
                "--output-where=edit_distance | output.where is 'edit_distance', which is not a valid condition",
                "--output-where=edit_distance < | which is not a valid condition",
                "--input-where=sek = 'a' | input.where: the input has no column 'sek'",
                "--best=1 per id | best: COLUMN is 'id', which is not a column of the output; the columns are id_a, "
                        + "id_b, "
                        + "edit_distance (did you mean 'id_a'",
                "--best=0 per id_a | must be N per COLUMN [by RESULT [asc|desc]]",
                "--best=first | must be N per COLUMN",
                "--best=1 per id_a by id_b | small or large values of id_b are better",
                "--output-partition-by=x | output.partitionBy is 'x', which is not a column of the output",
            })
    void whatIsWrong(String flag, String message) {
        CommandLineRun run = cross(flag.strip());

        assertThat(run.code()).isIn(ExitCode.INPUT, ExitCode.USAGE);
        assertThat(run.err()).contains(message.strip());
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void restricted() {
        assertThat(cross("--restricted", "--output-where=java_method('java.lang.System', 'exit', 1) is null")
                        .err())
                .contains("[BELLMAN_JOB_FILE]", "java_method");
        cross("--restricted", "--output-where=edit_distance <= 2").assertDone();
    }
}
