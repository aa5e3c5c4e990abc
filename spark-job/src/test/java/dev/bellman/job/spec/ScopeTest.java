package dev.bellman.job.spec;

import static dev.bellman.job.spec.JobFileTest.flags;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.bellman.BellmanException;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.progress.Progress;
import dev.bellman.job.run.JobRun;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that every job either refuses a key or uses it, for all keys, all forms of jobs, and all kinds of jobs on one
 * instance.
 */
class ScopeTest {
    private static final String PAIRS = "input: {path: %1$s/pairs.csv}\n";
    private static final String STRINGS = PAIRS + "arguments: [a]\n";
    private static final String TARGETS = STRINGS + "targets: {path: %1$s/pairs.csv}\n";

    /** The keys of jobs that write to a table. {@code LakeTest} runs such jobs. */
    private static final Set<JobKey<?>> OF_TABLES = Set.of(JobKeys.OUTPUT_TABLE, JobKeys.OUTPUT_REPORTS);

    @TempDir
    Path folder;

    /** The values of a job's keys; they record which keys a run reads. */
    private static final class Values extends AbstractMap<JobKey<?>, Object> {
        private final Map<JobKey<?>, Object> values;
        private final Set<JobKey<?>> read = new HashSet<>();

        Values(Map<JobKey<?>, Object> values) {
            this.values = values;
        }

        @Override
        public Object get(Object key) {
            // do not count reads for the report's description of the job, which covers every key
            boolean described = StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getClassName().equals(Job.class.getName())
                                    && frame.getMethodName().equals("describe")));
            if (!described) {
                read.add((JobKey<?>) key);
            }
            return values.get(key);
        }

        @Override
        public Set<Entry<JobKey<?>, Object>> entrySet() {
            return values.entrySet();
        }
    }

    private static Stream<Arguments> jobs() {
        return Stream.of(
                arguments("columns", List.of("problem: edit_distance\n" + PAIRS)),
                arguments("cross", List.of("problem: edit_distance\npairing: cross\n" + TARGETS)),
                arguments(
                        "join",
                        List.of("problem: edit_distance\npairing: join\nblockOn: [id]\n"
                                + TARGETS.replace("[a]", "[a_a, b_b]"))),
                arguments("all-vs-all", List.of("problem: edit_distance\npairing: all-vs-all\n" + STRINGS)),
                arguments(
                        "within",
                        List.of(
                                "problem: edit_distance\npairing: within\nmaxDistance: 1\n" + TARGETS,
                                "problem: ratio\npairing: within\nminSimilarity: 50\n" + STRINGS)),
                arguments(
                        "nearest",
                        List.of(
                                "problem: edit_distance\npairing: nearest\n" + TARGETS,
                                "problem: ratio\npairing: nearest\nminSimilarity: 50\n" + TARGETS)),
                arguments(
                        "nearest series",
                        List.of("problem: dtw\npairing: nearest\narguments: ['array(double(a), double(b))']\n"
                                + "input: {path: %1$s/numbers.csv}\ntargets: {path: %1$s/numbers.csv}\n")),
                arguments(
                        "clusters",
                        List.of(
                                "problem: edit_distance\npairing: within\nresults: [cluster]\nmaxDistance: 1\n"
                                        + STRINGS,
                                "problem: ratio\npairing: within\nresults: [cluster]\nminSimilarity: 50\n" + STRINGS)),
                arguments(
                        "all_pairs_shortest_paths",
                        List.of("input: {path: %1$s/edges.csv, options: {inferSchema: true}}\n")),
                arguments(
                        "matrix_elimination",
                        List.of("input: {path: %1$s/matrix.csv, options: {inferSchema: true}}\n"
                                + "arguments: [row, column, value]\n"
                                + "rhs: {path: %1$s/rhs.csv, options: {inferSchema: true}}\n")),
                arguments("matrix_chain_multiplication", List.of("input: {path: %1$s/chain.json}\n")),
                arguments("optimal_parenthesization", List.of("input: {path: %1$s/tree.json}\n")),
                arguments("general_gap_alignment", List.of("input: {path: %1$s/gap.json}\n")),
                arguments(
                        "hidden_markov_training",
                        List.of(
                                "states: 2\ninput: {path: %1$s/sequences.json}\n",
                                "input: {path: %1$s/sequences.json}\nstart: {path: %1$s/model.json}\n")));
    }

    private void write(String name, String... lines) throws IOException {
        Files.write(folder.resolve(name), List.of(lines));
    }

    private void inputs() throws IOException {
        write("pairs.csv", "id,a,b", "1,ab,ac", "2,abc,abd", "3,x,abc");
        write("numbers.csv", "id,a,b", "1,1,2", "2,2,3");
        write("edges.csv", "source,target,weight", "1,2,3", "2,1,4");
        write("matrix.csv", "row,column,value", "1,1,2", "2,2,4");
        write("rhs.csv", "row,rhs", "1,1", "2,2");
        write("chain.json", "{\"dims\": [1, 2, 3, 4]}");
        write("tree.json", "{\"first\": 1, \"costs\": [1, 2]}", "{\"first\": 2, \"costs\": [3]}");
        write("sequences.json", "{\"id\": 1, \"symbols\": [0, 1]}");
        write("model.json", "{\"start\": [1], \"transitions\": [[1]], \"emissions\": [[0.5, 0.5]]}");
        write("gap.json", "{\"a\": \"ab\", \"b\": \"a\", \"match\": 1, \"mismatch\": -1, \"gap_costs\": [1, 2]}");
    }

    private String yaml(String name, String job) {
        String problem = job.startsWith("problem") ? "" : "problem: " + name + "\n";
        return (problem + job + "output: {path: %1$s/out, mode: overwrite}\n").formatted(folder);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("jobs")
    void usedOrRefused(String name, List<String> jobs) throws IOException {
        inputs();
        Set<JobKey<?>> used = new HashSet<>();
        Set<JobKey<?>> allowed = new HashSet<>();
        for (String each : jobs) {
            String yaml = yaml(name, each);
            Job job = JobFile.parse("job.yaml", "job", yaml, flags()).get(0);
            used.addAll(read(job));
            for (JobKey<?> key : JobKeys.all()) {
                if (refusal(yaml, key).isEmpty()) {
                    allowed.add(key);
                }
            }
        }
        assertThat(allowed).hasSizeLessThan(JobKeys.all().size());
        allowed.removeAll(OF_TABLES);
        // the parser reads these keys
        allowed.removeAll(Set.of(JobKeys.PROBLEM, JobKeys.RESULTS, JobKeys.OUTPUT_FORMAT));
        // these keys become the parameter scoring
        allowed.removeIf(key -> key.section().equals("scoring"));
        // if there are targets, a job on columns becomes a cross join
        allowed.removeIf(key -> key.section().equals("targets") && name.equals("columns"));
        assertThat(used).containsAll(allowed);
    }

    /** Returns the keys that a run reads. */
    private Set<JobKey<?>> read(Job job) {
        SparkSession spark = LocalSpark.session();
        Values values = new Values(job.values());
        Job noted = new Job(values, job.results());
        StringWriter out = new StringWriter();
        noted.paths(spark.newSession());
        try (Progress progress = new Progress(spark.sparkContext(), Progress.Style.NONE, new PrintWriter(out))) {
            JobKind.Request request =
                    new JobKind.Request(noted, spark, new PrintWriter(out), progress, false, report -> {}, "test");
            JobKind.Run run = JobKinds.of(job.get(JobKeys.PROBLEM))
                    .map(kind -> kind.run(request))
                    .orElseGet(() -> new JobRun(request));
            assertThat(run.run()).isEqualTo(ExitCode.DONE);
        }
        return values.read;
    }

    /** Returns the message that refuses a key because it is for other jobs; empty if there is none. */
    private Optional<String> refusal(String yaml, JobKey<?> key) {
        List<String> choices = key.type().choices();
        String value =
                switch (key.type().shape()) {
                    case SWITCH -> "";
                    case MAP -> "=name=1";
                    case VALUE, LIST, NAMES -> "=" + (choices.isEmpty() ? "1" : choices.get(0));
                };
        if (key.equals(JobKeys.PROBLEM) || key.equals(JobKeys.PAIRING)) {
            // keep the document's value, because a different value would make a different job
            value = yaml.contains(key.name() + ": ")
                    ? "=" + yaml.split(key.name() + ": ")[1].split("\n")[0]
                    : "=columns";
        } else if (key.equals(JobKeys.RESULTS)) {
            return Optional.empty();
        }
        try {
            JobFile.parse("job.yaml", "job", yaml, flags(key.flag() + value));
            return Optional.empty();
        } catch (BellmanException e) {
            return e.getMessage()
                    .lines()
                    .filter(line -> line.contains("%s: %s is for ".formatted(key.flag(), key.path()))
                            || line.contains("%s: %s does not apply to ".formatted(key.flag(), key.path())))
                    .findFirst();
        }
    }
}
