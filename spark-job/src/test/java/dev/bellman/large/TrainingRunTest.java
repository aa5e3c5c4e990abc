package dev.bellman.large;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingRunTest {
    private static final String[] FLAGS = {"--iterations=6", "--seed=7"};

    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    @BeforeEach
    void input() {
        spark.sql("""
                        SELECT id, if(id % 50 = 3, NULL, transform(sequence(0, id % 7 + pmod(hash(id), 5)),
                          i -> pmod(hash(id * 31 + i), if(id % 3 = 0, 4, 2)))) AS symbols
                        FROM range(200)""").createOrReplaceTempView("sequences");
    }

    private CommandLineRun run(String input, String... more) {
        return runWith(input, Stream.concat(Stream.of(FLAGS), Stream.of(more)).toArray(String[]::new));
    }

    private CommandLineRun runWith(String input, String... flags) {
        return CommandLineRun.ofJob(folder, "hidden_markov_training", input, List.of("--states=3"), flags);
    }

    private Row written() {
        return LocalSpark.output(folder).head();
    }

    private JsonNode report() throws IOException {
        return CommandLineRun.report(folder.resolve("out"));
    }

    /** Returns the model of hmm_fit for the same sequences. */
    private Row expected() {
        return spark.sql("SELECT m.* FROM (SELECT hmm_fit(collect_list(symbols), 3, 6, 7) AS m FROM sequences)")
                .head();
    }

    @Test
    void equalsHmmFit() throws IOException {
        spark.table("sequences")
                .repartition(5)
                .write()
                .parquet(folder.resolve("in.parquet").toString());
        spark.table("sequences").write().json(folder.resolve("in.json").toString());
        for (String input : new String[] {"in.parquet", "in.json"}) {
            CommandLineRun run = run(input, "--output-mode=overwrite").assertDone();
            assertThat(run.out()).contains("196 sequences with", "symbols from 0 to 3; a model with 3 states");
            assertThat(written()).as(input).isEqualTo(expected());
            assertThat(report().path("rowsWithNull").asInt()).isEqualTo(4);
            assertThat(report().path("iterations").asInt()).isEqualTo(6);
            assertThat(report().path("converged").asBoolean()).isFalse();
            for (int i = 0; i < 6; i++) {
                assertThat(report().path("logProbabilities").path(i).asDouble())
                        .isEqualTo(expected().getList(3).get(i));
            }
        }
    }

    /** A run that starts with the model of an earlier run continues its iterations. */
    @Test
    void startsWithModel() throws IOException {
        spark.table("sequences").write().parquet(folder.resolve("in").toString());
        runWith("in", "--iterations=2", "--seed=7").assertDone();
        Path model = Files.move(folder.resolve("out"), folder.resolve("model"));
        start("in", "--iterations=4", "--start=" + model).assertDone();
        assertThat(written().getList(2)).isEqualTo(expected().getList(2));
        assertThat(written().getList(3)).isEqualTo(expected().getList(3).subList(2, 6));

        spark.sql("SELECT array(0.25D, 0.75D) AS start, array(array(1, 0), array(0.5, 0.5)) AS transitions, "
                        + "array(array(0, 1), array(9.5, 2)) AS emissions")
                .write()
                .json(folder.resolve("numbers.json").toString());
        Files.writeString(folder.resolve("in.jsonl"), "{\"symbols\": [0.5, 9.5, 10.0]}\n");
        String[] flags = {"--iterations=3", "--start=" + folder.resolve("numbers.json")};
        start("in.jsonl", flags).assertDone();
        assertThat(written())
                .isEqualTo(spark.sql("SELECT m.* FROM (SELECT hmm_refit(array(array(0.5, 9.5, 10)), array(0.25, 0.75), "
                                + "array(array(1, 0), array(0.5, 0.5)), array(array(0, 1), array(9.5, 2)), 3) m)")
                        .head());

        assertThat(start("in", flags).err())
                .contains("the model in start.path is invalid: entry 1 of row 2 of emissions (counted from 1) is 9.5");
        spark.read()
                .parquet(model.toString())
                .selectExpr("start", "transitions", "transform(emissions, row -> slice(row, 1, 2)) AS emissions")
                .write()
                .parquet(folder.resolve("few").toString());
        assertThat(start("in", "--start=" + folder.resolve("few")).err())
                .contains("a sequence contains the symbol 3, but the start model has 2 symbols");
        spark.read()
                .parquet(model.toString())
                .selectExpr("start", "transitions", "array(array(2D)) AS emissions")
                .write()
                .parquet(folder.resolve("wrong").toString());
        assertThat(start("in", "--start=" + folder.resolve("wrong")).err())
                .contains("the model in start.path is invalid: emissions has 1 rows, but start has 3");
        assertThat(start("in", "--start=" + folder.resolve("in")).err())
                .contains("the table in start.path has no column 'start'; its columns are id, symbols");
        assertThat(runWith("in", "--start=" + model).err())
                .contains("the start model determines the number of states; remove states");
    }

    private CommandLineRun start(String input, String... flags) {
        return CommandLineRun.ofJob(folder, "hidden_markov_training", input, List.of("--output-mode=overwrite"), flags);
    }

    /** Tests sequences of numbers, a bad row, and a minimum variance that is too small. */
    @Test
    void numbers() throws IOException {
        Files.writeString(folder.resolve("in.jsonl"), """
                {"x": [0.5, 9.5, 10.0]}
                {"x": [0.25, null]}
                {"x": [10.5, 9.0, 0.0, 0.125]}
                """);
        String[] flags = {"--argument=x", "--on-bad-row=quarantine", "--iterations=5", "--min-variance=0.5"};
        CommandLineRun run = runWith("in.jsonl", flags);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(run.out()).contains("2 sequences with 7 numbers; a model with 3 states");
        assertThat(report().has("symbols")).isFalse();
        assertThat(written())
                .isEqualTo(spark.sql("SELECT m.* FROM (SELECT hmm_fit(array(array(0.5, 9.5, 10), array(10.5, 9, 0, "
                                + "0.125)), 3, 5, min_variance => 0.5) m)")
                        .head());
        assertThat(runWith("in.jsonl", "--argument=x", "--min-variance=0").err())
                .contains("minVariance is '0'; it must be at least 1e-80");
    }

    /** Tests sequences of points, bad rows, and training that continues with the output of a run. */
    @Test
    void points() throws IOException {
        Files.writeString(folder.resolve("in.jsonl"), """
                {"x": [[0.5, 1], [9.5, -1], [9.5, -2.0]]}
                {"x": [[0.25, 1], null]}
                {"x": [[0.25, 1], [1.0]]}
                {"x": [[]]}
                {"x": null}
                {"x": [[10.5, 2], [9.0, 1], [0.0, 0.125]]}
                """);
        String[] flags = {"--argument=x", "--on-bad-row=quarantine", "--iterations=5", "--min-variance=0.5"};
        CommandLineRun run = runWith("in.jsonl", flags);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(run.out()).contains("2 sequences with 6 points of dimension 2; a model with 3 states");
        assertThat(report().path("dimensions").asInt()).isEqualTo(2);
        assertThat(report().path("rowsQuarantined").asInt()).isEqualTo(3);
        String sequences = "array(array(array(0.5, 1), array(9.5, -1), array(9.5, -2)), array(array(10.5, 2), "
                + "array(9, 1), array(0, 0.125)))";
        String fit = "hmm_fit(%s, 3, 5, min_variance => 0.5)".formatted(sequences);
        assertThat(written())
                .isEqualTo(spark.sql("SELECT m.* FROM (SELECT %s m)".formatted(fit))
                        .head());

        LocalSpark.output(folder).write().parquet(folder.resolve("model").toString());
        String model = "--start=" + folder.resolve("model");
        CommandLineRun more = start("in.jsonl", "--argument=x", "--on-bad-row=quarantine", "--iterations=2", model);
        assertThat(more.code()).as(more.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(written())
                .isEqualTo(spark.sql("SELECT r.* FROM (SELECT hmm_refit(%s, m.start, m.transitions, m.emissions, 2) r "
                                        .formatted(sequences)
                                + "FROM (SELECT %s m))".formatted(fit))
                        .head());

        Files.writeString(folder.resolve("lines.jsonl"), "{\"x\": [[1.0], [2]]}\n{\"x\": [[3.0]]}\n");
        assertThat(start("lines.jsonl", "--argument=x", model).err())
                .contains("a sequence has points of dimension 1, but the start model has points of dimension 2");
        Files.writeString(folder.resolve("mixed.jsonl"), "{\"x\": [[1.0], [2]]}\n{\"x\": [[3.0, 4]]}\n");
        assertThat(start("mixed.jsonl", "--argument=x", "--states=1").err())
                .contains(
                        "the sequence [[1.0], [2.0]] has points of dimension 1, but others have points of dimension 2");
    }

    /** Rows whose dimension differs from that of the start model, or from that of most rows, are bad rows. */
    @Test
    void rowsThatDoNotFitTheModel() throws IOException {
        Files.writeString(folder.resolve("in.jsonl"), """
                {"id": 1, "x": [[0.5, 1], [9.5, -1]]}
                {"id": 2, "x": [[0.25], [1.0], [0.125]]}
                {"id": 3, "x": [[]]}
                {"id": 4, "x": [[1.0, 2, 3]]}
                {"id": 5, "x": [[1.0, 2, null]]}
                {"id": 6, "x": [[0.75], [1.5]]}
                {"id": 7, "x": [[10.5, 2], [9.0, 1]]}
                """);
        String[] flags = {"--argument=x", "--on-bad-row=quarantine", "--iterations=2"};
        // dimension 1 is as frequent as dimension 2
        CommandLineRun run = runWith("in.jsonl", flags);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(run.out()).contains("2 sequences with 5 points of dimension 1");
        assertThat(quarantined())
                .containsExactly(
                        "1 a sequence has points of dimension 2, but the most common dimension is 1",
                        "3 entry 1 of a sequence (counted from 1) is an array of size 0; it must be a nonempty array "
                                + "of numbers",
                        "4 a sequence has points of dimension 3, but the most common dimension is 1",
                        "5 entry 3 of point 1 of a sequence (counted from 1) is NULL; it must be a number from "
                                + "-1e100 to 1e100",
                        "7 a sequence has points of dimension 2, but the most common dimension is 1");

        model("array(0.0D, 1.0D, 1.0D, 2.0D)", "planes");
        run = start("in.jsonl", "--argument=x", flags[1], flags[2], "--start=" + folder.resolve("planes"));
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(run.out()).contains("2 sequences with 4 points of dimension 2");
        assertThat(quarantined())
                .contains("2 a sequence has points of dimension 1, but the start model has points of dimension 2")
                .hasSize(5);

        Files.writeString(folder.resolve("symbols.jsonl"), "{\"id\": 1, \"x\": [0, 1]}\n{\"id\": 2, \"x\": [1, 2]}\n");
        model("array(0.5D, 0.5D)", "bits");
        run = start("symbols.jsonl", "--argument=x", flags[1], flags[2], "--start=" + folder.resolve("bits"));
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(quarantined())
                .containsExactly("2 entry 2 of a sequence (counted from 1) is 2; it must be from 0 to 1, because the "
                        + "start model has 2 symbols");
    }

    /** Writes a model with one state. */
    private void model(String emissions, String name) {
        spark.sql("SELECT array(1.0D) AS start, array(array(1.0D)) AS transitions, array(%s) AS emissions"
                        .formatted(emissions))
                .write()
                .parquet(folder.resolve(name).toString());
    }

    private List<String> quarantined() {
        return spark
                .read()
                .parquet(folder.resolve("out/_bellman/quarantine").toString())
                .selectExpr("id || replace(reason, '[BELLMAN_INPUT_VALUE]', '')")
                .collectAsList()
                .stream()
                .map(row -> row.getString(0))
                .sorted()
                .toList();
    }

    @Test
    void tolerance() throws IOException {
        spark.table("sequences").write().parquet(folder.resolve("in").toString());
        runWith("in", "--iterations=50", "--tolerance=0.5", "--results=log_probabilities")
                .assertDone();
        int iterations = report().path("iterations").asInt();
        assertThat(iterations).isBetween(3, 49);
        JsonNode logs = report().path("logProbabilities");
        for (int i = 1; i < iterations; i++) {
            assertThat(logs.path(i).asDouble() - logs.path(i - 1).asDouble() < 0.5)
                    .isEqualTo(i == iterations - 1);
        }
        assertThat(report().path("converged").asBoolean()).isTrue();
        assertThat(LocalSpark.output(folder).columns()).containsExactly("log_probabilities");
    }

    /** If a run fails in the middle of an iteration, the next run continues with this iteration. */
    @Test
    void resumes() throws IOException {
        spark.table("sequences").write().parquet(folder.resolve("in").toString());
        AtomicInteger jobs = new AtomicInteger();
        SparkListener killer = new SparkListener() {
            @Override
            public void onJobStart(SparkListenerJobStart start) {
                if (Files.exists(folder.resolve("_out.bellman-tiles/model")) && jobs.incrementAndGet() == 3) {
                    spark.sparkContext().cancelJob(start.jobId());
                }
            }
        };
        spark.sparkContext().addSparkListener(killer);
        CommandLineRun killed;
        try {
            killed = run("in");
        } finally {
            spark.sparkContext().removeSparkListener(killer);
        }
        assertThat(killed.code()).as(killed.out()).isEqualTo(ExitCode.FAILURE);
        assertThat(killed.out()).contains("pass --resume to continue");
        assertThat(folder.resolve("out")).doesNotExist();

        CommandLineRun other = runWith("in", "--iterations=6", "--seed=8", "--resume");
        assertThat(other.code()).isNotEqualTo(ExitCode.DONE);
        assertThat(other.err()).contains("belong to a different job");

        CommandLineRun resumed = run("in", "--resume").assertDone();
        assertThat(resumed.out()).containsPattern("continues after [1-5] iterations");
        assertThat(written()).isEqualTo(expected());
        assertThat(folder.resolve("_out.bellman-tiles")).doesNotExist();

        assertThat(run("in", "--resume").out()).contains("nothing to resume");
    }

    @Test
    void badRows() throws IOException {
        Files.writeString(folder.resolve("in.jsonl"), """
                {"id": 1, "symbols": [0, 1, 1]}
                {"id": 2, "symbols": [0, -1]}
                {"id": 3, "symbols": []}
                {"id": 4, "symbols": [1, null]}
                {"id": 5, "symbols": null}
                {"id": 6, "symbols": [3000000000]}
                {"id": 7, "symbols": [1
                {"id": 8, "symbols": [1, 0]}
                """);
        CommandLineRun failed = run("in.jsonl", "--input-where=id < 7");
        assertThat(failed.code()).isEqualTo(ExitCode.INPUT);
        CommandLineRun run = run("in.jsonl", "--on-bad-row=quarantine");
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(run.out()).contains("2 sequences with 5 symbols from 0 to 1", "5 rows quarantined");
        assertThat(report().path("rowsQuarantined").asInt()).isEqualTo(5);
        assertThat(report().path("rowsWithNull").asInt()).isEqualTo(1);
        assertThat(LocalSpark.lines(spark.read()
                        .parquet(folder.resolve("out/_bellman/quarantine").toString())
                        .selectExpr("id", "substring_index(reason, ';', 1)", "arguments.symbols", "record")))
                .satisfiesExactly(
                        row -> assertThat(row).startsWith("[2,[BELLMAN_INPUT_VALUE] entry 2 of a sequence (counted"),
                        row -> assertThat(row).startsWith("[3,[BELLMAN_INPUT_VALUE] a sequence is empty,"),
                        row -> assertThat(row).contains("[4,[BELLMAN_INPUT_VALUE] entry 2", "is NULL"),
                        row -> assertThat(row).contains("[6,[BELLMAN_INPUT_VALUE] entry 1", "is 3000000000"),
                        row -> assertThat(row).startsWith("[null,").contains("{\"id\": 7"));

        assertThat(written())
                .isEqualTo(spark.sql("SELECT m.* FROM (SELECT hmm_fit(array(array(0, 1, 1), array(1, 0)), 3, 6, 7) m)")
                        .head());
    }

    @Test
    void messages() throws IOException {
        Files.writeString(folder.resolve("in.jsonl"), "{\"symbols\": [0, 1]}\n");
        Files.writeString(folder.resolve("names.csv"), "symbols\nab\n");
        CommandLineRun run = CommandLineRun.ofJob(folder, "hidden_markov_training", "in.jsonl", "--on-bad-row=null");
        assertThat(run.err())
                .contains(
                        "hidden_markov_training requires the number of states; set states (--states)",
                        "--on-bad-row: onBadRow must not be null, because hidden_markov_training returns no result for each row");
        assertThat(run("names.csv").err()).contains("the argument 'symbols' is of type STRING; it must be ARRAY<INT>");
        assertThat(run("in.jsonl", "--input-where=1 = 0").err()).contains("the input has no sequences");
        assertThat(run("in.jsonl", "--engine=gpu").err()).contains(LocalSpark.noGpu("without the RAPIDS Accelerator"));
    }

    @Test
    void dryRun() throws IOException {
        Files.writeString(folder.resolve("in.jsonl"), "{\"symbols\": [0, 5]}\n");
        Set<Integer> before = JavaSparkContext.fromSparkContext(spark.sparkContext())
                .getPersistentRDDs()
                .keySet();
        assertThat(run("in.jsonl", "--dry-run").out())
                .contains("1 sequences with 2 symbols from 0 to 5", "log_probabilities");
        assertThat(JavaSparkContext.fromSparkContext(spark.sparkContext())
                        .getPersistentRDDs()
                        .keySet())
                .isEqualTo(before);
    }

    @Test
    void columnsOfBadRows() throws IOException {
        Files.writeString(
                folder.resolve("in.jsonl"),
                "{\"id\": 1, \"symbols\": [0, 1], \"Reason\": 2, \"record\": 3, \"arguments\": 4}\n");
        for (String twice : List.of("id", "Reason", "record", "arguments")) {
            CommandLineRun run = run("in.jsonl", "--keep=" + twice, "--on-bad-row=quarantine");
            assertThat(run.code()).as(twice).isEqualTo(ExitCode.INPUT);
            assertThat(run.err())
                    .containsIgnoringCase(
                            "the table of quarantined rows would have two columns named '%s'".formatted(twice))
                    .contains("check id and keep");
        }
        run("in.jsonl", "--keep=record").assertDone();
    }
}
