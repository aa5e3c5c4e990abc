package dev.bellman.large;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.large.grid.TileStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the messages for invalid rows and checkpoints of jobs on one instance. */
class BadTilesTest extends TiledRunFixture {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 1 3;2 2 4 | the weight of the range from leaf 1 to leaf 2 is missing",
                "1 1 3;1 2 4 | the cost of leaf 2 is missing",
                "1 1 3;1 2 4;2 2 5;1 2 4 | the weight of the range from leaf 1 to leaf 2 occurs more than once",
                "1 1 3;2 2 4;2 1 4 | a range goes from leaf 2 to leaf 1",
                "0 1 3 | a leaf number is 0; it must be from 1 to 1",
                "1 1 -3 | the cost of leaf 1 is NULL, NaN or negative",
                "1 1 5000000000000000000;2 2 5000000000000000000;1 2 0 | the cheapest tree for these 2 leaves costs "
                        + "more than 9223372036854775807",
                "1 0 3 | the input has no leaves numbered 1 or higher; leaves are numbered from 1"
            })
    void badTrees(String rows, String message) throws IOException {
        write(Stream.of(rows.split(";"))
                .map(row -> "{\"first\": %s, \"last\": %s, \"cost\": %s}".formatted((Object[]) row.split(" ")))
                .toArray(String[]::new));
        refused(run(TREE, "--argument=first", "--argument=last", "--argument=cost"), message);
    }

    @Test
    void badLeaves() throws IOException {
        write("{\"first\": 1, \"costs\": [1, 2]}", "{\"first\": 2, \"costs\": [1, 2]}");
        refused(run(TREE), "leaf 2 has 2 costs; it must have 1");
        write("{\"first\": 1, \"costs\": [1, 2]}", "{\"first\": 2, \"costs\": [null]}");
        refused(run(TREE), "the cost of leaf 2 is NULL");
        write("{\"first\": 2, \"costs\": [1]}");
        refused(run(TREE), "the cost of leaf 1 is missing");
        write("{\"first\": 1, \"costs\": \"1\"}");
        refused(run(TREE), "it must be an array of numbers");
        // incomplete tiles of an interrupted run
        Files.createDirectories(folder.resolve("_out.bellman-tiles/given"));
        Files.writeString(folder.resolve("_out.bellman-tiles/given/0-0"), "of other costs");
        write("{\"first\": 1, \"costs\": [1, 2]}", "{\"first\": 2, \"costs\": [3]}");
        assertThat(run(TREE, "--resume").err()).isEmpty();
        assertThat(written().getLong(0)).isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "array(1L, 0L, -3L) | general_gap_alignment: entry 3 of gap_costs (counted from 1) is -3; the cost of "
                        + "a gap must be at least 0",
                "array(1L, 2L) | general_gap_alignment: gap_costs has 2 entries, but the longer sequence has 3 "
                        + "letters; the array needs one cost for each gap length",
                "array(1L, NULL, 3L) | entry 2 of gap_costs (counted from 1) is NULL",
                "array(1, 9223372036854775807, 3) | entry 2 of gap_costs (counted from 1) is 9223372036854775807; for "
                        + "these sequences it must be from",
                "array(1.5) | is of type ARRAY<DECIMAL(2,1)>; it must be ARRAY<BIGINT>"
            })
    void badGaps(String costs, String message) throws IOException {
        write("{\"x\": \"ACG\"}");
        refused(
                run(PAIR, "--argument=x", "--argument='AC'", "--argument=2", "--argument=-3", "--argument=" + costs),
                message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"dims\": [1, 0, 3]} | matrix_chain_multiplication: entry 2 of dims (counted from 1) is 0; a "
                        + "dimension must be at least 1. Correct the input",
                "{\"dims\": [1, null, 3]} | entry 2 of dims (counted from 1) is NULL",
                "{\"dims\": [1]} | dims has too few entries (1)",
                "{\"dims\": null, \"x\": [1]} | it must be ARRAY<BIGINT>. Cast it to this type",
                "{\"dims\": [1, 2]};{\"dims\": [3, 4]} | the input has several rows; it must have exactly one row",
                "{\"dims\": [1, 2], \"x\": 1};{\"x\": 2} | the input has several rows",
                "{\"dims\": [3000000000, 3000000000, 3000000000]} | requires more than 9223372036854775807 scalar "
                        + "multiplications",
                "{\"dims\": \"1, 2\"} | is of type STRING; it must be ARRAY<BIGINT>",
            })
    void badChains(String rows, String message) throws IOException {
        write(rows.split(";"));
        refused(run(CHAIN), message);
    }

    /** The checkpoint of an interrupted training is not valid JSON. */
    @Test
    void damagedModel() throws IOException {
        new TileStore(folder.resolve("_out.bellman-tiles").toString(), new Configuration())
                .replace("model", ByteBuffer.wrap("{".getBytes(StandardCharsets.UTF_8)));
        write("{\"symbols\": [0, 1]}");
        CommandLineRun run = run("hidden_markov_training", "--states=2", "--resume");
        assertThat(run.err()).contains("cannot read the model in", "run without --resume to start");
        assertThat(run.out()).doesNotContain("pass --resume");
    }

    private void refused(CommandLineRun run, String message) throws IOException {
        assertThat(run.err()).contains(message);
        assertThat(run.code()).isNotEqualTo(ExitCode.DONE);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.contains("out"))
                            .collect(Collectors.toList()))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--results=cost,cost | results lists a column twice",
                "--results=score | results",
                "--strategy=tiled | strategy does not apply to matrix_chain_multiplication, only to rows, except clusters; all_pairs_shortest_paths; matrix_elimination",
                "--output-partitions=2 | output.partitions does not apply to matrix_chain_multiplication, only to rows; all_pairs_shortest_paths",
                "--keep=id | keep does not apply to matrix_chain_multiplication, only to rows",
                "--argument=dims --argument=dims | matrix_chain_multiplication takes arguments such as (dims), but the job has [dims, dims]",
                "--input-format=mtx | input.format is mtx, which contains a graph or a matrix; use a format with rows",
                "--input-where=dims[0]=9 | the input has no rows",
                "--engine=gpu | [BELLMAN_GPU_REQUIRED]"
            })
    void wrong(String flags, String message) throws IOException {
        write("{\"dims\": [1, 2]}");
        refused(run(CHAIN, flags.split(" ")), message);
    }
}
