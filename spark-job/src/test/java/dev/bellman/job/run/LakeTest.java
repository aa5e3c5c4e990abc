package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that read and write tables of Delta and Iceberg, by path and by name. */
class LakeTest {
    /** Shared by the tests, since catalogues are configured once; tables have names of their own. */
    @TempDir
    static Path lake;

    private static SparkSession shared;
    private static SparkSession spark;
    private static int tables;

    @TempDir
    Path folder;

    enum Table {
        DELTA_PATH,
        DELTA_NAME,
        ICEBERG_PATH,
        ICEBERG_NAME;

        boolean isNamed() {
            return this == DELTA_NAME || this == ICEBERG_NAME;
        }

        String format() {
            return name().substring(0, name().indexOf('_')).toLowerCase(Locale.ROOT);
        }

        /** A name or a path that no other test has. */
        String fresh() {
            tables++;
            return switch (this) {
                case DELTA_NAME -> "default.t" + tables;
                case ICEBERG_NAME -> "lake.db.t" + tables;
                default -> lake.resolve("paths/t" + tables).toString();
            };
        }
    }

    /** The extensions of a session do not change, so these tests have their own. */
    @BeforeAll
    static void start() {
        shared = LocalSpark.session();
        spark = LakeSession.start(lake);
    }

    @AfterAll
    static void restore() {
        SparkSession.setActiveSession(shared);
        SparkSession.setDefaultSession(shared);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /** Runs a job of pairs on a file. */
    private CommandLineRun run(Table table, String name, Path input, String... more) {
        return run(Stream.concat(
                        Stream.of("--problem=edit_distance", "--input=" + input),
                        Stream.concat(into(table, name), Stream.of(more)))
                .toArray(String[]::new));
    }

    private static CommandLineRun run(String... flags) {
        return CommandLineRun.of(
                Stream.concat(Stream.of("run"), Stream.of(flags)).toArray(String[]::new));
    }

    private Stream<String> into(Table table, String name) {
        return Stream.of(
                "--output-reports=" + folder.resolve("reports"),
                "--output-format=" + table.format(),
                (table.isNamed() ? "--output-table=" : "--output=") + name);
    }

    private static String[] from(Table table, String name, String... more) {
        return Stream.concat(
                        table.isNamed()
                                ? Stream.of("--input-table=" + name)
                                : Stream.of("--input-format=" + table.format(), "--input=" + name),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    private static Dataset<Row> read(Table table, String name) {
        return table.isNamed()
                ? spark.read().table(name)
                : spark.read().format(table.format()).load(name);
    }

    private static List<String> rows(Table table, String name) {
        return read(table, name).collectAsList().stream()
                .map(Row::toString)
                .sorted()
                .toList();
    }

    /** How many commits the table has had. */
    private static long versions(Table table, String name) {
        return switch (table) {
            case DELTA_PATH ->
                spark.sql("DESCRIBE HISTORY delta.`%s`".formatted(name)).count();
            case DELTA_NAME -> spark.sql("DESCRIBE HISTORY " + name).count();
            case ICEBERG_PATH ->
                spark.read().format("iceberg").load(name + "#snapshots").count();
            case ICEBERG_NAME -> spark.read().table(name + ".snapshots").count();
        };
    }

    private JsonNode report() throws IOException {
        return new ObjectMapper()
                .readTree(folder.resolve("reports/_bellman/report.json").toFile());
    }

    private static void create(Table table, String name, String query, String partition) {
        Dataset<Row> rows = spark.sql(query);
        if (table.isNamed()) {
            try {
                rows.writeTo(name)
                        .using(table.format())
                        .partitionedBy(rows.col(partition))
                        .create();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        } else if (table == Table.ICEBERG_PATH) {
            emptyTable(name, rows.schema(), partition);
            rows.write().format("iceberg").mode("append").save(name);
        } else {
            rows.write().format("delta").partitionBy(partition).save(name);
        }
    }

    /** Spark creates no Iceberg tables at a path. */
    private static void emptyTable(String path, StructType columns, String partition) {
        Schema schema = SparkSchemaUtil.convert(columns);
        new HadoopTables(spark.sparkContext().hadoopConfiguration())
                .create(
                        schema,
                        PartitionSpec.builderFor(schema).identity(partition).build(),
                        path);
    }

    static List<Table> deltaFirst() {
        return Thorough.cases(1, Table.DELTA_PATH, Table.ICEBERG_NAME);
    }

    static List<Table> icebergFirst() {
        return Thorough.cases(1, Table.ICEBERG_NAME, Table.DELTA_PATH);
    }

    @ParameterizedTest
    @MethodSource("deltaFirst")
    void everyMode(Table table) throws IOException {
        String name = table.fresh();
        Path monday = write("monday.csv", "id,a,b,lang\n1,kitten,sitting,en\n2,flaw,lawn,de\n");
        Path tuesday = write("tuesday.csv", "id,a,b,lang\n2,flaw,other,de\n3,x,xy,en\n");

        CommandLineRun first = run(table, name, monday, "--keep=lang", "--output-partition-by=lang");
        assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.DONE);
        assertThat(first.out()).contains("job: 2 rows in", "results  %s (%s)".formatted(name, table.format()));
        assertThat(rows(table, name)).containsExactly("[1,en,3]", "[2,de,2]");
        assertThat(report().at("/rowsOut").asLong()).isEqualTo(2);
        assertThat(report().at("/functions/edit_distance/engine").asText()).isEqualTo("cpu");
        assertThat(folder).isDirectoryNotContaining("glob:**/_*");

        CommandLineRun exists = run(table, name, tuesday, "--keep=lang");
        assertThat(exists.code()).isEqualTo(ExitCode.INPUT);
        assertThat(exists.err()).contains("[BELLMAN_OUTPUT_EXISTS]", "the output " + name + " exists");
        assertThat(run(table, name, tuesday, "--keep=lang", "--output-mode=ignore")
                        .out())
                .contains("the output " + name + " exists, nothing done");
        assertThat(versions(table, name)).isEqualTo(1);

        String[] skipExisting = {"--keep=lang", "--output-mode=append", "--output-skip-existing"};
        assertThat(run(table, name, tuesday, skipExisting).out()).contains("job: 1 row in");
        assertThat(rows(table, name)).containsExactly("[1,en,3]", "[2,de,2]", "[3,en,1]");
        for (Path night : List.of(monday, tuesday)) {
            CommandLineRun again = run(table, name, night, skipExisting);
            assertThat(again.code()).as(again.err()).isEqualTo(ExitCode.DONE);
            assertThat(again.out()).contains("nothing is new: the output " + name + " is as it was");
        }
        assertThat(versions(table, name)).isEqualTo(2);

        CommandLineRun overwrite = run(table, name, tuesday, "--keep=lang", "--output-mode=overwrite");
        assertThat(overwrite.code()).as(overwrite.err()).isEqualTo(ExitCode.DONE);
        assertThat(rows(table, name)).containsExactly("[2,de,5]", "[3,en,1]");
        assertThat(versions(table, name)).as("overwrite keeps the history").isGreaterThanOrEqualTo(3);

        long before = versions(table, name);
        for (String mode : List.of("append", "overwrite")) {
            CommandLineRun columns = run(table, name, monday, "--output-mode=" + mode);
            assertThat(columns.code()).isEqualTo(ExitCode.INPUT);
            assertThat(columns.err())
                    .contains(
                            "[BELLMAN_JOB_FILE]", "has the columns (id, lang, edit_distance), not (id, edit_distance)");
        }
        assertThat(run(table, name, monday, "--output-mode=append", "--keep=lang", "--output-partition-by=id")
                        .err())
                .contains("is partitioned by lang, but would be partitioned by id");
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
        CommandLineRun none = run(Table.ICEBERG_PATH, name, pairs, "--keep=day", "--output-mode=append");
        assertThat(none.code()).isEqualTo(ExitCode.INPUT);
        assertThat(none.err()).contains("[BELLMAN_JOB_FILE]", "there is no iceberg table at " + name);

        emptyTable(
                name,
                spark.sql("SELECT '' AS id, '' AS day, 1 AS edit_distance").schema(),
                "day");
        for (String mode : List.of("append", "append", "overwrite")) {
            CommandLineRun run = run(Table.ICEBERG_PATH, name, pairs, "--keep=day", "--output-mode=" + mode);
            assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
        }
        assertThat(rows(Table.ICEBERG_PATH, name)).containsExactly("[1,mon,1]");
        assertThat(versions(Table.ICEBERG_PATH, name)).isEqualTo(3);
        assertThat(CommandLineRun.of("show", name).out()).contains("|edit_distance|");
    }

    @ParameterizedTest
    @MethodSource("icebergFirst")
    void failedRunsLeaveTheTable(Table table) throws IOException {
        String name = table.fresh();
        Path good = write("good.csv", "id,a,b\n1,abc,abd\n");
        Path bad = write("bad.csv", "id,a,b\n2,abc,abd\n3,abc,a\n");
        assertThat(run("--problem=hamming_distance", "--input=" + good, into(table, name))
                        .code())
                .isEqualTo(ExitCode.DONE);
        for (String mode : List.of("append", "overwrite")) {
            CommandLineRun failed =
                    run("--problem=hamming_distance", "--input=" + bad, into(table, name), "--output-mode=" + mode);
            assertThat(failed.code()).isEqualTo(ExitCode.INPUT);
            assertThat(failed.err()).contains("[BELLMAN_INPUT_VALUE]", "id 3");
            assertThat(rows(table, name)).containsExactly("[1,1]");
            assertThat(versions(table, name)).isEqualTo(1);
        }
        String other = table.fresh();
        run("--problem=hamming_distance", "--input=" + bad, into(table, other));
        CommandLineRun second = run("--problem=hamming_distance", "--input=" + good, into(table, other));
        assertThat(second.code()).as(second.err()).isEqualTo(ExitCode.DONE);
    }

    private static CommandLineRun run(String one, String two, Stream<String> into, String... more) {
        return run(Stream.of(Stream.of(one, two), into, Stream.of(more))
                .flatMap(flags -> flags)
                .toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("icebergFirst")
    void rowsThatAreSetAside(Table table) throws IOException {
        String name = table.fresh();
        Path chains =
                write("c.jsonl", "{\"id\": 1, \"dims\": [1, 2, 3]}\n{\"id\": 2, \"dims\": [1, 0, 3]}\nnot json\n");
        List<String> line = new ArrayList<>(List.of(
                "--problem=matrix_chain",
                "--input=" + chains,
                "--on-bad-row=quarantine",
                "--output-mode=append",
                "--output-skip-existing"));
        into(table, name).forEach(line::add);
        CommandLineRun first = run(line.toArray(String[]::new));
        assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(first.out())
                .contains("(2 quarantined)", "bad rows " + folder.resolve("reports/_bellman/quarantine"));
        assertThat(rows(table, name)).containsExactly("[1,6]");
        assertThat(spark.read()
                        .parquet(folder.resolve("reports/_bellman/quarantine").toString())
                        .count())
                .isEqualTo(2);

        CommandLineRun again = run(line.toArray(String[]::new));
        assertThat(again.code()).as(again.err()).isEqualTo(ExitCode.DONE);
        assertThat(again.out()).contains("nothing is new");

        Files.writeString(chains, "{\"id\": 3, \"dims\": [0, 1]}\n");
        CommandLineRun onlyBad = run(line.toArray(String[]::new));
        assertThat(onlyBad.code()).as(onlyBad.err()).isEqualTo(ExitCode.QUARANTINED);
        Files.writeString(chains, "not json either\n");
        CommandLineRun onlyMalformed = run(line.toArray(String[]::new));
        assertThat(onlyMalformed.code()).as(onlyMalformed.err()).isEqualTo(ExitCode.INPUT);
    }

    /** Only partitions that the condition needs are read, and all of them as of one version, which the report names. */
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
        CommandLineRun run =
                run(from(table, name, "--problem=edit_distance", "--input-where=day = 'tue'", "--output=" + output));
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
        assertThat(spark.read().parquet(output).collectAsList()).hasToString("[[2,2]]");
        assertThat(new ObjectMapper()
                        .readTree(folder.resolve("out/_bellman/report.json").toFile())
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

    private static String location(String name) {
        return spark.sql("DESCRIBE EXTENDED " + name)
                .where("col_name = 'Location'")
                .first()
                .getString(1)
                .replaceFirst("^file:", "");
    }

    static List<Table> versioned() {
        return Thorough.cases(1, Table.ICEBERG_PATH, Table.DELTA_NAME);
    }

    /** Parts of a run read the same version, and a table that has moved on is another input. */
    @ParameterizedTest
    @MethodSource("versioned")
    void partsOfATable(Table table) {
        String name = table.fresh();
        String rows = "SELECT id, concat('x', id) a, concat('y', id) b, 1 day FROM range(%d, %d)";
        create(table, name, rows.formatted(0, 10), "day");
        String output = folder.resolve("out").toString();
        String[] line = from(table, name, "--problem=edit_distance", "--output=" + output, "--output-parts=3");
        assertThat(run(line).code()).isEqualTo(ExitCode.DONE);
        assertThat(spark.read().parquet(output).count()).isEqualTo(10);
        String[] resumed = Stream.concat(Stream.of(line), Stream.of("--resume")).toArray(String[]::new);
        assertThat(run(resumed).out()).contains("there is nothing to resume");

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
                .contains("there is nothing to resume");
    }

    private static String version(String output) {
        try {
            return new ObjectMapper()
                    .readTree(Path.of(output, "_bellman/report.json").toFile())
                    .at("/job/input/options/versionAsOf")
                    .asText();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void views() {
        spark.sql("CREATE VIEW default.pairs AS SELECT 1 AS id, 'x' AS a, 'y' AS b");
        CommandLineRun run = run(from(
                Table.DELTA_NAME, "default.pairs", "--problem=edit_distance", "--output=" + folder.resolve("out")));
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
        CommandLineRun parts = run(from(
                Table.DELTA_NAME,
                "default.pairs",
                "--problem=edit_distance",
                "--output=" + folder.resolve("parts"),
                "--output-parts=2"));
        assertThat(parts.err()).contains("[BELLMAN_JOB_FILE]", "the table default.pairs has no version to go back to");
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
                        into(Table.DELTA_NAME, hits), Stream.of("--targets=" + targets, "--targets-format=delta")),
                "--argument=seq",
                "--best=1 per id_a");
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
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
        assertThat(run(table, name, all, "--keep=day", "--output-partition-by=day")
                        .code())
                .isEqualTo(ExitCode.DONE);
        CommandLineRun run = run(
                table,
                name,
                tuesday,
                "--keep=day",
                "--output-mode=overwrite",
                "--output-option=%s"
                        .formatted(
                                table == Table.ICEBERG_NAME ? "overwrite-mode=dynamic" : "replaceWhere=day = 'tue'"));
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
        assertThat(rows(table, name)).containsExactly("[1,mon,1]", "[3,tue,1]");
        try (Stream<Path> runs = Files.list(folder.resolve("reports/_bellman/runs"))) {
            assertThat(runs).hasSize(2);
        }
    }

    /** Nothing is written over, into or beside what is not the table. */
    @Test
    void foldersThatAreNoTables() throws IOException {
        Path pairs = write("p.csv", "id,a,b\n1,x,y\n");
        Path mine = Files.createDirectories(folder.resolve("mine"));
        Path file = Files.writeString(mine.resolve("part-0.parquet"), "mine");
        for (String mode : List.of("error", "append", "overwrite")) {
            CommandLineRun run = run(Table.DELTA_PATH, mine.toString(), pairs, "--output-mode=" + mode);
            assertThat(run.code()).isEqualTo(ExitCode.INPUT);
            assertThat(run.err()).contains("[BELLMAN_OUTPUT_UNSAFE]", "holds files and is not a delta table");
        }
        assertThat(mine).isDirectoryNotContaining(path -> !path.equals(file));
        spark.sql("CREATE TABLE default.plain USING parquet AS SELECT 1 AS id, 2 AS edit_distance");
        CommandLineRun plain = run(Table.DELTA_NAME, "default.plain", pairs, "--output-mode=append");
        assertThat(plain.err()).contains("[BELLMAN_JOB_FILE]", "would be a folder of files with a name");

        String name = Table.DELTA_NAME.fresh();
        create(Table.DELTA_NAME, name, "SELECT 1 AS id, 'x' AS a, 'y' AS b", "id");
        assertThat(run(from(
                                Table.DELTA_NAME,
                                name,
                                "--problem=edit_distance",
                                "--output-format=delta",
                                "--output=" + location(name),
                                "--output-mode=overwrite",
                                "--output-reports=" + folder.resolve("reports")))
                        .err())
                .contains("[BELLMAN_OUTPUT_UNSAFE]", "a job must not write where it reads");
        assertThat(run(from(
                                Table.DELTA_NAME,
                                name,
                                "--problem=edit_distance",
                                "--output-format=delta",
                                "--output=" + folder.resolve("new"),
                                "--output-reports=" + folder.resolve("new/reports")))
                        .err())
                .contains("[BELLMAN_OUTPUT_UNSAFE]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --input=p.csv --output-table=lake.db.x                               | output.reports is missing
            --input=p.csv --output-format=delta --output-reports=r               | output.path is missing
            --input=p.csv --output-table=lake.db.x --output=o --output-reports=r | output.table is a table of a catalogue; leave output.path (--output) out
            --input=p.csv --output=o --output-reports=r                          | output.reports is for tables
            --input-table=lake.db.y --input=p.csv --output=o                     | input.table is a table of a catalogue; leave input.path out
            --input-table=lake.db.y --input-format=csv --output=o                | input.table is a table of a catalogue; leave input.format out
            --input-table=lake.db.y --output-table=LAKE.db.y --output-reports=r  | a job must not write where it reads
            --input=p.csv --output-table=lake.db.x --output-reports=r --output-parts=2 | output.parts is not for tables
            --input=p.csv --output-table=lake.db.x --output-reports=r --verify=1 | verify is not for tables
            --input=p.csv --output-table=lake.db.x --output-reports=r --output-mode=overwrite-force | nothing deletes a table
            --input=p.csv --output-table=lake.db.x --output-reports=r --output-format=csv    | output.format is csv, which is of files
            --input-table=lake.db.nothing --output=o                             | there is no table lake.db.nothing
            --input-table=parquet.`/tmp` --output=o                              | there is no table parquet.`/tmp`
            --input=p.csv --output-format=jdbc --output-reports=r --output-mode=append --output-skip-existing   | output.skipExisting reads the ids of the output
            --input-format=delte --input=p --output=o                            | or a Spark data source; none on the classpath has this name
            --input-format=CSV --input=p --output=o                              | input.format is 'CSV'; it must be parquet, orc, csv
            --input-format=xml --input=p --output=o --restricted                 | restricted does not allow the format xml
            """)
    void whatAJobCannotSay(String flags, String message) {
        CommandLineRun run = run(Stream.concat(Stream.of("--problem=edit_distance"), Stream.of(flags.split(" ")))
                .toArray(String[]::new));
        assertThat(run.code()).isIn(ExitCode.USAGE, ExitCode.INPUT);
        assertThat(run.err()).contains(message);
    }

    /** Files of another data source are written as Bellman's own are. */
    @Test
    void filesOfOtherSources() throws IOException {
        Path pairs = write("p.csv", "id,a,b\n1,kitten,sitting\n");
        String output = folder.resolve("out").toString();
        String[] line = {
            "--problem=edit_distance",
            "--input=" + pairs,
            "--output=" + output,
            "--output-format=xml",
            "--output-option=rowTag=row"
        };
        assertThat(run(line).out()).contains("results  %s (xml)".formatted(output), "|edit_distance|");
        assertThat(run(line).err()).contains("[BELLMAN_OUTPUT_EXISTS]");
        assertThat(folder.resolve("out/_bellman/report.json")).exists();
        CommandLineRun back = run(
                "--problem=edit_distance",
                "--input=" + output,
                "--input-format=xml",
                "--input-option=rowTag=row",
                "--argument=id",
                "--argument=string(edit_distance)",
                "--output=" + folder.resolve("back"));
        assertThat(back.code()).as(back.err()).isEqualTo(ExitCode.DONE);
    }
}
