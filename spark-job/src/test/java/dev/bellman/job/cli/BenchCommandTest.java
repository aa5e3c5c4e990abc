package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandTest {
    private static final int COUNT = 60;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        LocalSpark.session();
    }

    @Test
    void pairs() throws IOException {
        JsonNode report = bench("pairs", "--lengths", "20", "--alphabets", "dna", "--strategies", "auto");

        assertThat(report.path("measurements")).hasSize(3).allSatisfy(measurement -> {
            assertThat(measurement.path("dataset").asText()).isEqualTo("dna-20");
            assertThat(measurement.path("cells").asLong()).isEqualTo(COUNT * 20 * 20);
            assertThat(measurement.path("kernelSeconds").asDouble()).isPositive();
            assertThat(measurement.path("ratios").path("levenshtein(a, b)").asDouble())
                    .isPositive();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"pairs", "chains", "join", "names", "models", "functions"})
    void quickly(String suite) throws IOException {
        JsonNode report = bench(suite, "--quick");

        assertThat(report.path("measurements").size() + report.path("analysis").size())
                .isEqualTo(1);
        assertThat(report.findValues("endToEndSeconds")).isEmpty();
    }

    @Test
    void pairsWithinADistance() throws IOException {
        JsonNode report =
                bench("pairs", "--lengths", "20", "--alphabets", "dna", "--functions", "edit_distance", "--max", "2");

        assertThat(report.path("measurements")).hasSize(1).allSatisfy(measurement -> assertThat(measurement
                        .path("ratios")
                        .path("levenshtein(a, b, max)")
                        .asDouble())
                .isPositive());
    }

    @Test
    void alignments() throws IOException {
        JsonNode report = bench("align", "--max-length", "150");

        assertThat(report.path("measurements")).hasSize(3).allSatisfy(measurement -> {
            assertThat(measurement.path("cells").asLong()).isPositive();
            assertThat(measurement.path("kernelSeconds").asDouble()).isPositive();
        });
    }

    /** The kernels' figures are printed first, so they are available even if the suite is stopped during a query. */
    @Test
    void chains() throws IOException {
        CommandLineRun run = run("chains", "--matrices", "5");

        assertThat(run.out())
                .containsSubsequence(
                        " ms ", "matrix_chain_cost", "matrix_chain_order", "the whole query", "matrix_chain_cost")
                // small rates are not rounded to 0
                .containsPattern("cells/s .*\\R.* cpu-1 .*[1-9][\\d.]*( [kM])? +[1-9][\\d.]*( [kM])? +- ");
        assertThat(report("chains").path("measurements")).hasSize(2).allSatisfy(measurement -> {
            assertThat(measurement.path("cells").asLong()).isEqualTo(COUNT * 20);
            assertThat(measurement.path("endToEndSeconds").asDouble()).isPositive();
        });
    }

    /**
     * This test works with any Python: the suite reports a ratio only if the Python package {@code viennarna} is
     * installed.
     */
    @Test
    void rna() throws IOException {
        JsonNode report = bench("rna", "--lengths", "20,30");

        assertThat(report.path("measurements")).hasSize(2).allSatisfy(measurement -> {
            assertThat(measurement.path("function").asText()).isEqualTo("rna_fold");
            assertThat(measurement.path("kernelSeconds").asDouble()).isPositive();
        });
        assertThat(report.path("measurements").get(1).path("cells").asLong()).isEqualTo(COUNT * 450);
    }

    /** On CPUs, the suite has nothing with which to compare a query. */
    @Test
    void functions() throws IOException {
        JsonNode queries = bench("functions", "--functions", "word_errors,word_break,knapsack")
                .path("analysis");

        assertThat(queries.findValuesAsText("function")).containsExactly("word_errors", "word_break", "knapsack");
        assertThat(queries).allSatisfy(query -> {
            assertThat(query.path("engine").asText()).isEqualTo("cpu");
            assertThat(query.path("rows").asLong()).isEqualTo(COUNT);
            assertThat(query.path("seconds").asDouble()).isPositive();
            assertThat(query.path("comparison").isNull()).isTrue();
        });
    }

    @Test
    void matsumae() throws IOException {
        JsonNode report = bench("matsumae", "--sizes", "6");
        JsonNode measurements = report.path("measurements");
        // in a run of 64 consecutive offsets, 64 threads read the same element
        assertThat(report.path("analysis").findValuesAsText("readsOfAnElementInAStep"))
                .contains("64");

        // if the command line has no strategies, the suite runs the one that does not take hours on a CPU
        assertThat(measurements.findValuesAsText("strategy")).containsExactly("blocked");
        assertThat(measurements.get(0).path("instances").asLong()).isPositive();
        assertThat(measurements.get(0).has("paperSeconds")).isFalse();
    }

    @Test
    void wu() throws IOException {
        JsonNode analysis = papersOfChains("wu", "--sizes", "40", "--strategies", "adaptive,table")
                .path("analysis");
        // figure 5: 6 steps become 4
        assertThat(analysis.findValuesAsText("utilization")).hasSize(2).contains("0.875");
        assertThat(analysis.findValuesAsText("meanThreads")).hasSize(1);
        assertThat(analysis.findValuesAsText("transactionsOfHalfWarp")).isNotEmpty();
        JsonNode measurements = bench("wu", "--sizes", "128", "--strategies", "solomon,adaptive")
                .path("measurements");
        assertThat(measurements.get(0).has("paperSeconds")).isFalse();
        // 60 ms for each of the measured chains
        assertThat(measurements.get(1).path("paperSeconds").asDouble())
                .isCloseTo(0.06 * measurements.get(1).path("instances").asLong(), within(1e-9));
    }

    @Test
    void join() throws IOException {
        JsonNode figures =
                bench("join", "--datasets", "receptors,whitelist", "--max", "2").path("analysis");

        assertThat(figures).hasSize(2).allSatisfy(measurement -> {
            assertThat(measurement.path("rows").asLong()).isEqualTo(COUNT);
            assertThat(measurement.path("verified").asLong())
                    .isLessThanOrEqualTo(measurement.path("candidates").asLong());
            assertThat(measurement.path("pairs").asLong()).isPositive();
        });
    }

    @Test
    void wani() throws IOException {
        JsonNode measurements = bench("wani", "--sizes", "9").path("measurements");

        assertThat(measurements.findValuesAsText("dataset")).containsOnly("chain-9");
        // if the command line has no strategies, the suite runs these on a CPU, because the paper's strategies run only
        // on a GPU
        assertThat(measurements.findValuesAsText("strategy")).containsExactly("tiled", "table", "hu-shing");
    }

    @Test
    void matsumaeChain() throws IOException {
        JsonNode report = papersOfChains("matsumae-chain", "--sizes", "5,40", "--strategies", "pipeline");
        // in the paper, this number is n (n - 1) / 2 + n - 2
        assertThat(report.path("analysis").findValuesAsText("paperSteps")).containsExactly("13", "13", "818", "818");
        assertThat(report.path("analysis")).allSatisfy(figures -> {
            assertThat(figures.path("steps").asLong()).isPositive();
            assertThat(figures.path("earlyReads").asLong()).isZero();
        });
    }

    private JsonNode papersOfChains(String suite, String... more) throws IOException {
        JsonNode report = bench(suite, more);
        JsonNode measurements = report.path("measurements");
        assertThat(measurements).hasSize(2);
        JsonNode last = measurements.get(1);
        assertThat(last.path("dataset").asText()).isEqualTo("chain-40");
        assertThat(last.path("cells").asLong()).isEqualTo(COUNT * 10_660);
        return report;
    }

    @Test
    void zhao() throws IOException {
        JsonNode report = bench("zhao", "--sizes", "40", "--threads", "1,2");

        // auto and bit-parallel, serial, and two strategies with 1 and 2 threads, each with and without the
        // supersequence
        assertThat(report.path("measurements")).hasSize(2 * 7).allSatisfy(measurement -> {
            assertThat(measurement.path("kernelSeconds").asDouble()).isPositive();
            assertThat(measurement.path("engine").asText()).startsWith("cpu-");
        });
        assertThat(bench("zhao", "--sizes", "60", "--strategies", "row-wise,auto", "--max-cells", "3599")
                        .path("measurements")
                        .findValuesAsText("strategy"))
                .containsOnly("auto");
    }

    @Test
    void scaling() throws IOException {
        JsonNode report = bench("javanmard", "--executors", "2", "--sizes", "512");

        JsonNode analysis = report.path("analysis");
        assertThat(analysis.findValuesAsText("scaling")).containsExactly("strong", "weak");
        assertThat(analysis.findValuesAsText("n")).containsExactly("512", "256");
        assertThat(analysis.findValuesAsText("executors")).containsExactly("2", "2");
        // even if an executor starts late, the number of operations includes the tiles of both executors
        assertThat(analysis.at("/0/ofOperations").asDouble()).isBetween(1.0, 2.0);
        assertThat(analysis.at("/0/run/words").asDouble()).isPositive();
    }

    @Test
    void javanmard() throws IOException {
        JsonNode report = bench("javanmard", "--sizes", "100,300");

        assertThat(report.path("measurements").findValuesAsText("strategy"))
                .containsExactly(
                        "blocked", "2-way", "blocked", "2-way", "blocked", "r-way", "blocked", "r-way", "tiled",
                        "r-way", "tiled", "r-way", "blocked", "r-way", "blocked", "r-way");
        assertThat(report.path("measurements").findValuesAsText("function"))
                .containsExactly(Stream.of("floyd-warshall", "elimination", "parenthesis", "gap")
                        .flatMap(name -> Stream.of(name, name, name, name))
                        .toArray(String[]::new));
        assertThat(report.path("measurements").findValuesAsText("cells"))
                .containsExactly(
                        "1000000",
                        "1000000",
                        "27000000",
                        "27000000",
                        "333333",
                        "333333",
                        "9000000",
                        "9000000",
                        "166666",
                        "166666",
                        "4500000",
                        "4500000",
                        "1000000",
                        "1000000",
                        "27000000",
                        "27000000");
        // compared with the bounds, recursions move a constant factor more, and rounds move still more
        JsonNode analysis = report.path("analysis");
        assertThat(analysis)
                .allSatisfy(figures ->
                        assertThat(figures.path("ofBound").asDouble()).isPositive());
        assertThat(analysis)
                .filteredOn(figures -> figures.path("pattern").asText().equals("closure")
                        && figures.path("schedule").asText().equals("2-way"))
                .hasSize(3)
                .allSatisfy(figures ->
                        assertThat(figures.path("ofBound").asDouble()).isBetween(2.0, 10.0))
                // no schedule moves less than the minimum
                .allSatisfy(figures ->
                        assertThat(figures.path("ofLeast").asDouble()).isBetween(1.0, 5.0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            matsumae --sizes 14,1        | the value of --sizes is 1; it must be from 2 to 28
            zhao     --sizes -1          | the value of --sizes is -1; it must be from 1 to 100,000,000
            zhao     --threads 0         | the value of --threads is 0; it must be from 1 to 1,024
            wu       --starts 0          | the value of --starts is 0; it must be from 1 to
            wani     --count 0           | the value of --count is 0; it must be from 1 to
            functions --functions dtw    | unknown function 'dtw'
            pairs    --max 2 --count 9 --functions lcs_length | the function lcs_length(a, b, max) does not exist
            """)
    void valuesOutOfRange(String arguments, String message) {
        CommandLineRun.of(("bench " + arguments).split(" +"))
                .assertCode(ExitCode.USAGE)
                .startsWith("error: [BELLMAN_USAGE] " + message);
    }

    private JsonNode bench(String suite, String... more) throws IOException {
        run(suite, more);
        return report(suite);
    }

    private JsonNode report(String suite) throws IOException {
        return new ObjectMapper().readTree(folder.resolve(suite + ".json").toFile());
    }

    private CommandLineRun run(String suite, String... more) {
        List<String> arguments = new ArrayList<>(List.of("bench", suite, "--count", Integer.toString(COUNT)));
        arguments.addAll(List.of("--output", folder.toString(), "--warm-up", "0.01"));
        arguments.addAll(List.of(more));
        CommandLineRun run = CommandLineRun.of(arguments.toArray(String[]::new));
        assertThat(run.err()).isEmpty();
        run.assertDone();
        return run;
    }
}
