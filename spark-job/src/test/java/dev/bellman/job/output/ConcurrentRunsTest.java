package dev.bellman.job.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Starts concurrent runs that have the same output. Each run writes either all or none of its rows, as its exit code
 * indicates.
 */
class ConcurrentRunsTest {
    private static final int RUNS = 3;
    private static final int ROUNDS = Thorough.rounds(2, 20);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"overwrite", "append", "error"})
    void oneOutput(String mode) throws IOException, InterruptedException, ExecutionException {
        LocalSpark.session();
        ExecutorService threads = Executors.newFixedThreadPool(RUNS);
        Map<ExitCode, Integer> codes = new TreeMap<>();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                Path output = folder.resolve(mode + round);
                List<Future<CommandLineRun>> runs = new ArrayList<>();
                for (int run = 0; run < RUNS; run++) {
                    String id = String.valueOf(run);
                    Path input = folder.resolve("in%d.csv".formatted(run));
                    Files.writeString(
                            input,
                            IntStream.range(0, 10 + run)
                                    .mapToObj(i -> "%s,kitten,sitting%n".formatted(id))
                                    .collect(Collectors.joining("", "id,a,b\n", "")));
                    runs.add(threads.submit(() -> CommandLineRun.of(
                            "run",
                            "--problem=edit_distance",
                            "--input=" + input,
                            "--output=" + output,
                            "--output-mode=" + mode)));
                }
                List<Long> written = new ArrayList<>();
                for (int run = 0; run < RUNS; run++) {
                    CommandLineRun ended = runs.get(run).get();
                    codes.merge(ended.code(), 1, Integer::sum);
                    if (ended.code() == ExitCode.DONE) {
                        written.add(10L + run);
                    } else {
                        assertThat(ended.err()).containsAnyOf("BELLMAN_OUTPUT_LOCKED", "BELLMAN_OUTPUT_EXISTS");
                    }
                }
                List<Long> found = counts(output);
                assertThat(written).as("runs that succeed").isNotEmpty();
                if (mode.equals("append")) {
                    assertThat(found).containsExactlyInAnyOrderElementsOf(written);
                } else {
                    assertThat(found).hasSize(1);
                    assertThat(written).containsAll(found);
                    assertThat(mode.equals("error") ? written : found).hasSize(1);
                }
                try (Stream<Path> files = Files.list(folder)) {
                    assertThat(files.map(each -> each.getFileName().toString()))
                            .allMatch(name -> name.matches("in\\d\\.csv|[a-z]+\\d+"));
                }
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(codes).containsKey(ExitCode.DONE);
    }

    /** Returns the number of rows of each run. */
    private static List<Long> counts(Path output) {
        return LocalSpark.session().read().parquet(output.toString()).groupBy("id").count().collectAsList().stream()
                .map((Row row) -> row.getLong(1))
                .toList();
    }
}
