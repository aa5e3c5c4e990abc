package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Overload;
import dev.bellman.function.Catalogue;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the messages for jobs that cannot run. */
class RefusedJobsTest extends JobRunFixture {
    @Test
    void whatAFormatCannotHold() throws IOException {
        pairs = Files.writeString(folder.resolve("pairs.jsonl"), "{\"a\": \"x\\ty\", \"b\": \"x\\ty\", \"c\": [1]}\n");

        expect(
                run("--keep=a", "--output-format=tsv"),
                ExitCode.INPUT,
                "BELLMAN_JOB_FILE",
                "cannot hold a tab or a line break, but a string in column 'a' contains one; write csv or parquet");
        Files.writeString(pairs, "{\"a\": \"x\", \"b\": null}\n");
        expect(
                run("--output-format=csv"),
                ExitCode.INPUT,
                "BELLMAN_JOB_FILE",
                "cannot hold NULL in a file with a single column, but column 'edit_distance' contains one; add a "
                        + "second column with keep");
        expect(
                run("--output-format=tsv"),
                ExitCode.INPUT,
                "BELLMAN_JOB_FILE",
                "cannot hold NULL or an empty string in a file with a single column");
        Files.writeString(pairs, "{\"a\": \"x\", \"b\": \"x\", \"c\": [1]}\n");
        expect(
                run("--keep=c", "--output-format=csv", "--dry-run"),
                ExitCode.INPUT,
                "BELLMAN_JOB_FILE",
                "output.format csv cannot hold column 'c' of type ARRAY<BIGINT>");
        expect(
                run("--output-partition-by=nope", "--dry-run"),
                ExitCode.INPUT,
                "BELLMAN_JOB_FILE",
                "output.partitionBy is 'nope', which is not a column of the output");
    }

    /** Options for writing are checked before a row is solved, whatever the size of the problem. */
    @Test
    void whatAWriterCannotUse() throws IOException {
        for (String dryRun : List.of("--dry-run=true", "--dry-run=false")) {
            expect(
                    run("--output-option=compression=nope", dryRun),
                    ExitCode.INPUT,
                    "BELLMAN_JOB_FILE",
                    "cannot write parquet files with these output.options: The codec nope is not available");
            expect(
                    run("--output-option=compression=lzo", dryRun),
                    ExitCode.INPUT,
                    "BELLMAN_JOB_FILE",
                    "cannot write parquet files with these output.options: ");
            expect(
                    run("--output-format=csv", "--output-option=header=maybe", dryRun),
                    ExitCode.INPUT,
                    "BELLMAN_JOB_FILE",
                    "cannot write csv files with these output.options: header flag can be true or false");
        }
        Path graph = Files.writeString(folder.resolve("graph.gr"), "p sp 2 1\na 1 2 3\n");
        expect(
                CommandLineRun.of(
                        "run",
                        "--problem=all_pairs_shortest_paths",
                        "--input=" + graph,
                        "--output=" + folder.resolve("paths"),
                        "--output-option=compression=nope"),
                ExitCode.INPUT,
                "BELLMAN_JOB_FILE",
                "cannot write parquet files with these output.options: The codec nope is not available");
    }

    /**
     * With {@code engine: gpu}, argument types without a kernel are refused as soon as the input's schema is known,
     * before the run looks for a GPU.
     */
    @Test
    void typesWithoutKernel() {
        List<String> refused = new ArrayList<>();
        for (BellmanFunction<?> function : Catalogue.functions()) {
            for (Overload<?> overload : function.overloadsWithoutKernel()) {
                refused.add(function.name());
                String[] arguments = overload.parameters().stream()
                        .limit(overload.required())
                        .map(parameter -> parameter.isSetting()
                                ? "--parameter=%s=1".formatted(parameter.name())
                                : "--argument=cast(NULL AS %s)"
                                        .formatted(parameter.type().sql()))
                        .toArray(String[]::new);
                String[] job = Stream.concat(
                                Stream.of("--results=" + function.name(), "--engine=gpu", "--dry-run"),
                                Stream.of(arguments))
                        .toArray(String[]::new);
                expect(
                        solve(function.problem().name(), job),
                        ExitCode.GPU_REQUIRED,
                        "BELLMAN_GPU_REQUIRED",
                        "engine is gpu, but %s has no kernel for the argument types ARRAY<".formatted(function.name()));
            }
        }
        assertThat(refused).containsExactly("lcs", "lcs", "lcs");
        run("--engine=gpu", "--dry-run").assertDone();
    }

    @Test
    void outputThatExists() throws IOException {
        Files.createDirectory(output);
        run().assertCode(ExitCode.INPUT)
                .startsWith("error: [BELLMAN_OUTPUT_EXISTS] job: the output " + output + " exists")
                .hasLineCount(1);
        assertThat(namesInFolder()).containsExactly("out", "pairs.tsv");
    }

    @Test
    void missingInput() {
        pairs = folder.resolve("none.csv");

        expect(run(), ExitCode.INPUT, "BELLMAN_INPUT_READ", "no input exists at");
    }

    @Test
    void colonsInNames() throws IOException {
        String colon = "Hadoop supports a colon only after a scheme, as in s3a://bucket/folder, but not in %s; rename";
        Path file = Files.copy(pairs, folder.resolve("k:l.tsv"));
        pairs = file;
        expect(run(), ExitCode.INPUT, "BELLMAN_INPUT_READ", colon.formatted("k:l.tsv"));
        pairs = folder.resolve("k*.tsv");
        expect(run(), ExitCode.INPUT, "BELLMAN_INPUT_READ", colon.formatted("k:l.tsv"));
        pairs = Path.of("1:2.tsv");
        expect(run(), ExitCode.INPUT, "BELLMAN_INPUT_READ", colon.formatted("1:2.tsv"));
    }

    @Test
    void unreadableInput() throws IOException {
        pairs = Files.writeString(folder.resolve("x.parquet"), "no Parquet");

        expect(run(), ExitCode.INPUT, "BELLMAN_INPUT_READ", "cannot read the input");
    }

    @Test
    void missingColumns() {
        String has = "it has id, a, b, lang";
        expect(run("--argument=a", "--argument=c"), ExitCode.INPUT, "BELLMAN_INPUT_SCHEMA", "no column 'c'; " + has);
        expect(run("--keep=language"), ExitCode.INPUT, "BELLMAN_INPUT_SCHEMA", "no column 'language'; " + has);
        expect(run("--id=key"), ExitCode.INPUT, "BELLMAN_INPUT_SCHEMA", "no column 'key'; " + has);
        expect(run("--argument=a", "--argument=lower("), ExitCode.INPUT, "BELLMAN_INPUT_SCHEMA", "'lower('");
    }

    @Test
    void wrongType() {
        expect(
                run("--argument=a", "--argument=array(b)"),
                ExitCode.INPUT,
                "BELLMAN_FUNCTION_ARGUMENTS",
                "edit_distance: the arguments are of types (STRING, ARRAY<STRING>); they must be (STRING, STRING) or");
    }

    @Test
    void twoColumnsOfOneName() {
        expect(run("--keep=id"), ExitCode.INPUT, "BELLMAN_JOB_FILE", "two columns named 'id'");
    }

    @Test
    void gpuThatIsNotThere() {
        expect(
                run("--engine=gpu"),
                ExitCode.GPU_REQUIRED,
                "BELLMAN_GPU_REQUIRED",
                LocalSpark.noGpu("without the RAPIDS Accelerator"));
    }

    @Test
    void outputThatCannotBeWritten() throws IOException {
        output = Files.createFile(folder.resolve("file")).resolve("below");
        expect(run(), ExitCode.FAILURE, "BELLMAN_OUTPUT_WRITE", "cannot write the output");
    }
}
