package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.entry.Problem;
import dev.bellman.function.Catalogue;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobFile;
import dev.bellman.job.spec.JobFileTest;
import dev.bellman.job.spec.Metric;
import dev.bellman.job.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks for all metrics and all results that pairs are selected by the requested measure, or that the job is refused.
 */
class ChosenMeasureTest {
    private static final List<String> DISTANCES =
            List.of("edit_distance", "osa_distance", "damerau_levenshtein", "hamming_distance");

    @TempDir
    Path folder;

    private final SparkSession spark = LocalSpark.session();

    /** Writes names that different measures rank differently. */
    @BeforeEach
    void write() throws Exception {
        Files.writeString(folder.resolve("names.tsv"), """
                id\tname
                1\tAcme Foods
                2\tFoods Acme
                3\tAcme Food
                4\tAcme Foods Inc
                5\tcaAme Foods
                6\tAcme oFods
                7\tDixon
                8\tDicksonx
                9\tDixno
                """);
        spark.read()
                .option("sep", "\t")
                .option("header", true)
                .csv(folder.resolve("names.tsv").toString())
                .createOrReplaceTempView("names");
    }

    /** @param metric the value of the key; empty if it is not set */
    private record Choice(Problem<?> problem, List<String> metrics, List<String> results, String metric) {
        /**
         * Returns the measure that the job requests; empty if it requests several measures, or one that cannot select
         * pairs.
         */
        Optional<String> asked() {
            if (!metric.isEmpty()) {
                return Optional.of(metric);
            }
            List<String> measures = results.stream()
                    .filter(name -> !name.equals("cluster") && !name.equals("edit_cigar"))
                    .map(name -> name.replaceFirst("^try_", ""))
                    .distinct()
                    .toList();
            if (measures.isEmpty()) {
                return metrics.stream()
                        .filter(name -> name.startsWith(problem.name()))
                        .findFirst();
            }
            return measures.size() == 1 ? Optional.of(measures.get(0)).filter(metrics::contains) : Optional.empty();
        }

        String yaml(Path folder) {
            String by = asked().orElse(metrics.get(0));
            return """
                    problem: %s
                    results: [%s]
                    input: {path: %s}
                    arguments: [name]
                    pairing: within
                    %s
                    output: {path: %s, mode: overwrite}
                    %s
                    """.formatted(
                    problem.name(),
                    String.join(
                            ", ",
                            results.stream().map(ChosenMeasureTest::column).toList()),
                    folder.resolve("names.tsv"),
                    limit(by),
                    folder.resolve("out"),
                    metric.isEmpty() ? "" : "metric: " + metric);
        }
    }

    private static String column(String function) {
        return DISTANCES.contains(function) ? "distance" : function;
    }

    private static String limit(String metric) {
        return DISTANCES.contains(metric)
                ? "maxDistance: 2"
                : metric.equals("ratio") ? "minSimilarity: 80" : "minSimilarity: 0.9";
    }

    private static List<Choice> choices() {
        List<Choice> choices = new ArrayList<>();
        for (Problem<?> problem : Catalogue.problems()) {
            List<String> functions = Catalogue.functions().stream()
                    .filter(function -> function.problem().equals(problem))
                    .flatMap(function -> Stream.of(function.name(), function.tryName()))
                    .distinct()
                    .toList();
            List<String> metrics = Stream.of(Metric.values())
                    .map(Metric::function)
                    .filter(functions::contains)
                    .toList();
            List<List<String>> results = new ArrayList<>(List.of(List.of("cluster")));
            for (String one : functions) {
                results.add(List.of(one));
                functions.stream()
                        .filter(other -> !other.equals(one))
                        .forEach(other -> results.add(List.of(one, other)));
            }
            if (!metrics.isEmpty()) {
                results.forEach(names -> Stream.concat(Stream.of(""), metrics.stream())
                        .forEach(metric -> choices.add(new Choice(problem, metrics, names, metric))));
            }
        }
        return choices;
    }

    @Test
    void byTheMeasureThatIsAskedFor() throws Exception {
        int accepted = 0;
        int refused = 0;
        for (Choice choice : choices()) {
            String yaml = choice.yaml(folder);
            Optional<String> asked = choice.asked();
            if (asked.isEmpty()) {
                refused++;
                assertThatThrownBy(() -> JobFile.parse("job.yaml", "job", yaml, JobFileTest.flags()))
                        .as(yaml)
                        .hasMessageContaining("metric: ");
                continue;
            }
            Job job =
                    JobFile.parse("job.yaml", "job", yaml, JobFileTest.flags()).get(0);
            assertThat(job.metric().function()).as(yaml).isEqualTo(asked.get());
            if (accepted++ % Thorough.stride(12) == 0) {
                run(choice, asked.get());
            }
        }
        assertThat(accepted).isGreaterThan(60);
        assertThat(refused).isGreaterThan(30);
    }

    /**
     * Runs a job, and compares its pairs with a selection from all pairs. In clusters, each row except the first must
     * be in such a pair.
     */
    private void run(Choice choice, String metric) throws Exception {
        String yaml = choice.yaml(folder);
        CommandLineRun run = CommandLineRun.of(
                "run", Files.writeString(folder.resolve("job.yaml"), yaml).toString());
        assertThat(run.code()).as(yaml + run.err()).isEqualTo(ExitCode.DONE);
        Dataset<Row> pairs =
                spark.sql("SELECT a.id, b.id FROM names a JOIN names b ON a.id < b.id AND %s(a.name, b.name) + 0 %s"
                        .formatted(
                                metric.replace("hamming", "try_hamming"),
                                limit(metric).replace("maxDistance: ", "<= ").replace("minSimilarity: ", ">= ")));
        Dataset<Row> written = LocalSpark.output(folder);
        if (choice.results().contains("cluster")) {
            List<Row> linked = pairs.collectAsList();
            List<Row> rows = written.where("id <> cluster").collectAsList();
            assertThat(rows.isEmpty()).as(yaml).isEqualTo(linked.isEmpty());
            assertThat(rows).as(yaml).allMatch(row -> linked.stream()
                    .anyMatch(pair -> row.get(0).equals(pair.get(1))));
        } else {
            assertThat(LocalSpark.lines(written.select("id_a", "id_b")))
                    .as(yaml)
                    .isEqualTo(LocalSpark.lines(pairs))
                    .isNotEmpty();
        }
    }

    /**
     * A metric selects pairs by its values without parameters, so the job refuses any parameter that would change these
     * values.
     */
    @Test
    void noParameterChangesTheMeasure() {
        for (Choice choice : choices()) {
            Catalogue.functions().stream()
                    .filter(function -> function.name().equals(choice.asked().orElse("")))
                    .flatMap(function -> function.signatures().stream())
                    .flatMap(signature -> signature.parameters().stream().skip(2))
                    .forEach(parameter -> assertThatThrownBy(() -> JobFile.parse(
                                    "job.yaml",
                                    "job",
                                    choice.yaml(folder)
                                            + "parameters: {%s: %s}"
                                                    .formatted(
                                                            parameter.name(),
                                                            parameter.name().equals("max") ? "1" : "true"),
                                    JobFileTest.flags()))
                            .hasMessageContaining(choice.results().contains("cluster") ? "clusters" : "pairing: "));
        }
    }
}
