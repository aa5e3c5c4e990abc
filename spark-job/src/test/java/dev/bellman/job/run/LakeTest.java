package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.Thorough;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests jobs that read and write Delta and Iceberg tables, by path and by name. */
class LakeTest extends LakeFixture {
    private JsonNode report() throws IOException {
        return CommandLineRun.report(folder.resolve("reports"));
    }

    static List<Table> deltaFirst() {
        return Thorough.cases(1, Table.DELTA_PATH, Table.ICEBERG_NAME);
    }

    @ParameterizedTest
    @MethodSource("deltaFirst")
    void everyMode(Table table) throws IOException {
        String name = table.fresh();
        Path monday = write("monday.csv", "id,a,b,lang\n1,kitten,sitting,en\n2,flaw,lawn,de\n");
        Path tuesday = write("tuesday.csv", "id,a,b,lang\n2,flaw,other,de\n3,x,xy,en\n");

        CommandLineRun first = run(table, name, monday, "--keep=lang", "--output-partition-by=lang")
                .assertDone();
        assertThat(first.out()).contains("job: 2 rows in", "results  %s (%s)".formatted(name, table.format()));
        assertThat(rows(table, name)).containsExactly("[1,en,3]", "[2,de,2]");
        assertThat(report().at("/rowsOut").asLong()).isEqualTo(2);
        assertThat(report().at("/functions/edit_distance/engine").asText()).isEqualTo("cpu");
        assertThat(folder).isDirectoryNotContaining("glob:**/_*");

        run(table, name, tuesday, "--keep=lang")
                .assertCode(ExitCode.INPUT)
                .contains("[BELLMAN_OUTPUT_EXISTS]", "the output " + name + " exists");
        assertThat(run(table, name, tuesday, "--keep=lang", "--output-mode=ignore")
                        .out())
                .contains("the output " + name + " exists; nothing was written");
        assertThat(versions(table, name)).isEqualTo(1);

        String[] skipExisting = {"--keep=lang", "--output-mode=append", "--output-skip-existing"};
        assertThat(run(table, name, tuesday, skipExisting).out()).contains("job: 1 row in");
        assertThat(rows(table, name)).containsExactly("[1,en,3]", "[2,de,2]", "[3,en,1]");
        for (Path night : List.of(monday, tuesday)) {
            CommandLineRun again = run(table, name, night, skipExisting).assertDone();
            assertThat(again.out()).contains("no new rows; the output " + name + " is unchanged");
        }
        assertThat(versions(table, name)).isEqualTo(2);

        run(table, name, tuesday, "--keep=lang", "--output-mode=overwrite").assertDone();
        assertThat(rows(table, name)).containsExactly("[2,de,5]", "[3,en,1]");
        assertThat(versions(table, name)).as("overwrite keeps the history").isGreaterThanOrEqualTo(3);

        long before = versions(table, name);
        for (String mode : List.of("append", "overwrite")) {
            run(table, name, monday, "--output-mode=" + mode)
                    .assertCode(ExitCode.INPUT)
                    .contains(
                            "[BELLMAN_JOB_FILE]",
                            "has the columns (id, lang, edit_distance), while the job's rows would have (id, "
                                    + "edit_distance)");
        }
        assertThat(run(table, name, monday, "--output-mode=append", "--keep=lang", "--output-partition-by=id")
                        .err())
                .contains("is partitioned by lang, while the job's rows are partitioned by id");
        assertThat(versions(table, name)).isEqualTo(before);

        CommandLineRun shown = CommandLineRun.of("show", name);
        assertThat(shown.out()).as(shown.err()).contains("|edit_distance|");
        assertThat(CommandLineRun.of("show", folder.resolve("reports").toString())
                        .out())
                .contains("|edit_distance|", "job: 2 rows in");
    }

    @Test
    void tablesAtPathsOfIceberg() throws IOException {
        String name = Table.ICEBERG_PATH.fresh();
        Path pairs = write("p.csv", "id,a,b,day\n1,x,y,mon\n");
        run(Table.ICEBERG_PATH, name, pairs, "--keep=day", "--output-mode=append")
                .assertCode(ExitCode.INPUT)
                .contains("[BELLMAN_JOB_FILE]", "no iceberg table exists at " + name);

        emptyTable(
                name,
                spark.sql("SELECT '' AS id, '' AS day, 1 AS edit_distance").schema(),
                "day");
        for (String mode : List.of("append", "append", "overwrite")) {
            run(Table.ICEBERG_PATH, name, pairs, "--keep=day", "--output-mode=" + mode)
                    .assertDone();
        }
        assertThat(rows(Table.ICEBERG_PATH, name)).containsExactly("[1,mon,1]");
        assertThat(versions(Table.ICEBERG_PATH, name)).isEqualTo(3);
        assertThat(CommandLineRun.of("show", name).out()).contains("|edit_distance|");
    }

    /**
     * A run reads only the partitions that the condition needs. The report contains the version that was read.
     */
    @ParameterizedTest
    @MethodSource("deltaFirst")
    void newPartitions(Table table) throws IOException {
        String name = table.fresh();
        create(
                table,
                name,
                "SELECT * FROM VALUES (1, 'kitten', 'sitting', 'mon'), (2, 'flaw', 'lawn', 'tue') t(id, a, b, day)",
                "day");
        Path data = Path.of(table.isNamed() ? location(name) : name);
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(path -> path.toString().contains("day=mon") && Files.isRegularFile(path))
                    .toList()) {
                Files.writeString(file, "not Parquet");
            }
        }
        String output = folder.resolve("out").toString();
        run(from(table, name, "--problem=edit_distance", "--input-where=day = 'tue'", "--output=" + output))
                .assertDone();
        assertThat(spark.read().parquet(output).collectAsList()).hasToString("[[2,2]]");
        assertThat(CommandLineRun.report(folder.resolve("out"))
                        .at("/job/input/options/versionAsOf")
                        .asText())
                .matches("\\d+");

        CommandLineRun dry = run(from(
                table,
                name,
                "--problem=edit_distance",
                "--input-where=day = 'tue'",
                "--output=" + output,
                "--dry-run"));
        assertThat(dry.out()).as(dry.err()).contains("versionAsOf", "the table " + name + " of input, 1 row to solve");
    }

    static List<Table> versioned() {
        return Thorough.cases(1, Table.ICEBERG_PATH, Table.DELTA_NAME);
    }

    /** All parts of a run read the same version. A new version of a table makes it a different input. */
    @ParameterizedTest
    @MethodSource("versioned")
    void partsOfATable(Table table) {
        String name = table.fresh();
        String rows = "SELECT id, concat('x', id) a, concat('y', id) b, 1 day FROM range(%d, %d)";
        create(table, name, rows.formatted(0, 10), "day");
        String output = folder.resolve("out").toString();
        String[] line = from(table, name, "--problem=edit_distance", "--output=" + output, "--output-parts=3");
        run(line).assertDone();
        assertThat(spark.read().parquet(output).count()).isEqualTo(10);
        String[] resumed = Stream.concat(Stream.of(line), Stream.of("--resume")).toArray(String[]::new);
        assertThat(run(resumed).out()).contains("nothing to resume");

        Dataset<Row> more = spark.sql(rows.formatted(10, 12));
        if (table.isNamed()) {
            more.write().mode("append").format(table.format()).saveAsTable(name);
        } else {
            more.write().mode("append").format(table.format()).save(name);
        }
        assertThat(run(resumed).err()).contains("[BELLMAN_OUTPUT_EXISTS]");
        assertThat(run(Stream.concat(Stream.of(resumed), Stream.of("--input-option=versionAsOf=" + version(output)))
                                .toArray(String[]::new))
                        .out())
                .contains("nothing to resume");
    }

    private static String version(String output) {
        try {
            return CommandLineRun.report(Path.of(output))
                    .at("/job/input/options/versionAsOf")
                    .asText();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void views() {
        spark.sql("CREATE VIEW default.pairs AS SELECT 1 AS id, 'x' AS a, 'y' AS b");
        run(from(Table.DELTA_NAME, "default.pairs", "--problem=edit_distance", "--output=" + folder.resolve("out")))
                .assertDone();
        CommandLineRun parts = run(from(
                Table.DELTA_NAME,
                "default.pairs",
                "--problem=edit_distance",
                "--output=" + folder.resolve("parts"),
                "--output-parts=2"));
        assertThat(parts.err()).contains("[BELLMAN_JOB_FILE]", "the table default.pairs has no versions");
    }

    @Test
    void bestHitsBetweenTables() {
        String queries = Table.ICEBERG_NAME.fresh();
        String targets = Table.DELTA_PATH.fresh();
        String hits = Table.DELTA_NAME.fresh();
        create(Table.ICEBERG_NAME, queries, "SELECT * FROM VALUES (1, 'aaa', 0), (2, 'abb', 0) t(id, seq, p)", "p");
        create(Table.DELTA_PATH, targets, "SELECT * FROM VALUES (7, 'aaa', 0), (8, 'bbb', 0) t(id, seq, p)", "p");
        CommandLineRun run = run(
                        "--problem=edit_distance",
                        "--input-table=" + queries,
                        Stream.concat(
                                into(Table.DELTA_NAME, hits),
                                Stream.of("--targets=" + targets, "--targets-format=delta")),
                        "--argument=seq",
                        "--best=1 per id_a")
                .assertDone();
        assertThat(rows(Table.DELTA_NAME, hits)).containsExactly("[1,7,0]", "[2,8,1]");
        assertThat(run.out()).contains("job: 4 rows, 2 written in");
    }

    static List<Table> named() {
        return Thorough.cases(1, Table.DELTA_NAME, Table.ICEBERG_NAME);
    }

    @ParameterizedTest
    @MethodSource("named")
    void replacesOnePartition(Table table) throws IOException {
        String name = table.fresh();
        Path all = write("all.csv", "id,a,b,day\n1,x,y,mon\n2,x,y,tue\n");
        Path tuesday = write("tue.csv", "id,a,b,day\n3,x,xx,tue\n");
        run(table, name, all, "--keep=day", "--output-partition-by=day").assertDone();
        run(
                        table,
                        name,
                        tuesday,
                        "--keep=day",
                        "--output-mode=overwrite",
                        "--output-option=%s"
                                .formatted(
                                        table == Table.ICEBERG_NAME
                                                ? "overwrite-mode=dynamic"
                                                : "replaceWhere=day = 'tue'"))
                .assertDone();
        assertThat(rows(table, name)).containsExactly("[1,mon,1]", "[3,tue,1]");
        try (Stream<Path> runs = Files.list(folder.resolve("reports/_bellman/runs"))) {
            assertThat(runs).hasSize(2);
        }
    }
}
