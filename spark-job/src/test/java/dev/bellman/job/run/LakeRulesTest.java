package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.Thorough;
import dev.bellman.job.table.LakeTable;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which operations on tables a job refuses, and which files a job does not change. */
class LakeRulesTest extends LakeFixture {
    static List<Table> icebergFirst() {
        return Thorough.cases(1, Table.ICEBERG_NAME, Table.DELTA_PATH);
    }

    @ParameterizedTest
    @MethodSource("icebergFirst")
    void failedRunsLeaveTheTable(Table table) throws IOException {
        String name = table.fresh();
        Path good = write("good.csv", "id,a,b\n1,abc,abd\n");
        Path bad = write("bad.csv", "id,a,b\n2,abc,abd\n3,abc,a\n");
        run("--problem=hamming_distance", "--input=" + good, into(table, name)).assertDone();
        for (String mode : List.of("append", "overwrite")) {
            run("--problem=hamming_distance", "--input=" + bad, into(table, name), "--output-mode=" + mode)
                    .assertCode(ExitCode.INPUT)
                    .contains("[BELLMAN_INPUT_VALUE]", "id 3");
            assertThat(rows(table, name)).containsExactly("[1,1]");
            assertThat(versions(table, name)).isEqualTo(1);
        }
        String other = table.fresh();
        run("--problem=hamming_distance", "--input=" + bad, into(table, other));
        run("--problem=hamming_distance", "--input=" + good, into(table, other)).assertDone();
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
                .contains("(2 quarantined)", "quarantine " + folder.resolve("reports/_bellman/quarantine"));
        assertThat(rows(table, name)).containsExactly("[1,6]");
        assertThat(spark.read()
                        .parquet(folder.resolve("reports/_bellman/quarantine").toString())
                        .count())
                .isEqualTo(2);

        CommandLineRun again = run(line.toArray(String[]::new)).assertDone();
        assertThat(again.out()).contains("no new rows");

        Files.writeString(chains, "{\"id\": 3, \"dims\": [0, 1]}\n");
        CommandLineRun onlyBad = run(line.toArray(String[]::new));
        assertThat(onlyBad.code()).as(onlyBad.err()).isEqualTo(ExitCode.QUARANTINED);
        Files.writeString(chains, "not json either\n");
        CommandLineRun onlyMalformed = run(line.toArray(String[]::new));
        assertThat(onlyMalformed.code()).as(onlyMalformed.err()).isEqualTo(ExitCode.INPUT);
    }

    /** A table appears after the job has checked that it does not exist, and before the job writes it. */
    @ParameterizedTest
    @EnumSource(names = {"DELTA_NAME", "ICEBERG_NAME"})
    void tablesOfOtherSessions(Table table) {
        String name = table.fresh();
        LakeTable output = LakeTable.named(spark, name, Optional.of(table.format()), Map.of());
        assertThat(output.exists()).isFalse();
        create(table, name, "SELECT 1 AS id, 2 AS edit_distance", "id");
        Dataset<Row> rows = spark.sql("SELECT 3 AS id, 4 AS edit_distance");
        for (SaveMode mode : List.of(SaveMode.ErrorIfExists, SaveMode.Ignore)) {
            assertThatThrownBy(() -> output.write(rows, mode, List.of()))
                    .hasMessageStartingWith("[BELLMAN_OUTPUT_EXISTS] a different session created the table " + name);
        }
        assertThat(rows(table, name)).containsExactly("[1,2]");
    }

    /** A job writes nothing into or next to a folder that is not a table. */
    @Test
    void foldersThatAreNoTables() throws IOException {
        Path pairs = write("p.csv", "id,a,b\n1,x,y\n");
        Path mine = Files.createDirectories(folder.resolve("mine"));
        Path file = Files.writeString(mine.resolve("part-0.parquet"), "mine");
        for (String mode : List.of("error", "append", "overwrite")) {
            run(Table.DELTA_PATH, mine.toString(), pairs, "--output-mode=" + mode)
                    .assertCode(ExitCode.INPUT)
                    .contains("[BELLMAN_OUTPUT_UNSAFE]", "contains files and is not a Delta table");
        }
        assertThat(mine).isDirectoryNotContaining(path -> !path.equals(file));
        spark.sql("CREATE TABLE default.plain USING parquet AS SELECT 1 AS id, 2 AS edit_distance");
        CommandLineRun plain = run(Table.DELTA_NAME, "default.plain", pairs, "--output-mode=append");
        assertThat(plain.err()).contains("[BELLMAN_JOB_FILE]", "cannot replace a table atomically");

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
                .contains("[BELLMAN_OUTPUT_UNSAFE]", "a job must not write to its input");
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
            --input=p.csv --output-table=lake.db.x --output=o --output-reports=r | output.table is a catalogue table; remove output.path (--output)
            --input=p.csv --output=o --output-reports=r                          | output.reports does not apply to files: their reports are
            --input-table=lake.db.y --input=p.csv --output=o                     | input.table is a catalogue table; remove input.path
            --input-table=lake.db.y --input-format=csv --output=o                | input.table is a catalogue table; remove input.format
            --input-table=lake.db.y --output-table=LAKE.db.y --output-reports=r  | output.table is the same table as input.table
            --input=p.csv --output-table=lake.db.x --output-reports=r --output-parts=2 | output.parts does not apply to tables
            --input=p.csv --output-table=lake.db.x --output-reports=r --verify=1 | verify does not apply to tables
            --input=p.csv --output-table=lake.db.x --output-reports=r --output-mode=overwrite-force | but Bellman never deletes a table
            --input=p.csv --output-table=lake.db.x --output-reports=r --output-format=csv    | output.format is csv, which is a file format
            --input-table=lake.db.nothing --output=o                             | the table lake.db.nothing does not exist
            --input-table=parquet.`/tmp` --output=o                              | the table parquet.`/tmp` does not exist
            --input=p.csv --output-format=jdbc --output-reports=r --output-mode=append --output-skip-existing   | output.skipExisting reads the ids of the output
            --input-format=delte --input=p --output=o                            | or a Spark data source, but the classpath contains no data source with this name
            --input-format=CSV --input=p --output=o                              | input.format is 'CSV' (did you mean 'csv' or 'tsv'?); it must be one of parquet, orc, csv
            --input-format=xml --input=p --output=o --restricted                 | restricted: true does not allow the format xml
            """)
    void whatAJobCannotSay(String flags, String message) {
        CommandLineRun run = run(Stream.concat(Stream.of("--problem=edit_distance"), Stream.of(flags.split(" ")))
                .toArray(String[]::new));
        assertThat(run.code()).isIn(ExitCode.USAGE, ExitCode.INPUT);
        assertThat(run.err()).contains(message);
    }

    /** Files of other data sources are written in the same way as files of Bellman's formats. */
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
        run(
                        "--problem=edit_distance",
                        "--input=" + output,
                        "--input-format=xml",
                        "--input-option=rowTag=row",
                        "--argument=id",
                        "--argument=string(edit_distance)",
                        "--output=" + folder.resolve("back"))
                .assertDone();
    }
}
