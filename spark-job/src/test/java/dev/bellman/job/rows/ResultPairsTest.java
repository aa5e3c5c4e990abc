package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobFile;
import dev.bellman.job.spec.JobFileTest;
import dev.bellman.job.spec.OnBadRow;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.proof.Proofs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Combines every two results of every problem with every treatment of bad rows. */
class ResultPairsTest {
    private static final int ROWS = 6;
    private static final int DRAWS = 400;

    private final SparkSession spark = (SparkSession) LocalSpark.session();

    @TempDir
    Path folder;

    /** The rows for the results of a problem, and the parameters that all of its functions accept. */
    private record Input(Dataset<Row> rows, Map<String, Object> parameters) {}

    private record Choice(Problem<?> problem, List<String> results, OnBadRow onBadRow) {
        /** Whether a function and its {@code try_} variant have the same name in the query. */
        boolean isTwice() {
            return onBadRow != OnBadRow.FAIL
                    && results.size() == 2
                    && results.get(1).endsWith("try_" + results.get(0));
        }
    }

    /** Returns the functions that a job can combine, because they have the same arguments as the first one. */
    private static List<List<BellmanFunction<?>>> groups(Problem<?> problem) {
        Map<List<String>, List<BellmanFunction<?>>> groups = new LinkedHashMap<>();
        Catalogue.functions().stream()
                .filter(function -> function.problem().equals(problem))
                .forEach(function -> groups.computeIfAbsent(
                                arguments(function).stream()
                                        .map(argument -> argument.name() + " " + argument.type())
                                        .toList(),
                                any -> new ArrayList<>())
                        .add(function));
        return List.copyOf(groups.values());
    }

    private static List<Parameter> arguments(BellmanFunction<?> function) {
        return function.signatures().get(0).parameters().stream()
                .filter(parameter -> !parameter.isSetting())
                .toList();
    }

    /** Creates small instances with valid constants; some instances are rejected or contain a NULL. */
    private Input input(List<BellmanFunction<?>> functions) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        for (BellmanFunction<?> function : functions) {
            Signature<?> signature = function.signatures().get(0);
            for (int i = 0; i < signature.parameters().size(); i++) {
                Parameter parameter = signature.parameters().get(i);
                if (parameter.isSetting() && !parameters.containsKey(parameter.name())) {
                    parameters.put(parameter.name(), constant(function, signature, i));
                }
            }
        }
        Signature<?> first = functions.get(0).signatures().get(0);
        List<Parameter> arguments = arguments(functions.get(0));
        StructType schema = new StructType().add("id", DataTypes.IntegerType);
        for (Parameter argument : arguments) {
            schema = schema.add(argument.name(), argument.type());
        }
        List<InternalRow> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            InternalRow instance = Proofs.of(first).generator().generate(new SplittableRandom(i), 6);
            Object[] values = new Object[arguments.size() + 1];
            values[0] = i;
            for (int j = 0, k = 0; j < first.parameters().size(); j++) {
                if (!first.parameters().get(j).isSetting()) {
                    values[++k] = i == 1 && k == 1
                            ? null
                            : instance.isNullAt(j)
                                    ? null
                                    : instance.get(j, first.parameters().get(j).type());
                }
            }
            rows.add(new GenericInternalRow(values));
        }
        return new Input(
                spark.internalCreateDataFrame(
                        JavaSparkContext.fromSparkContext(spark.sparkContext())
                                .parallelize(rows, 1)
                                .rdd(),
                        schema,
                        false),
                parameters);
    }

    private static Object constant(BellmanFunction<?> function, Signature<?> signature, int place) {
        Parameter parameter = signature.parameters().get(place);
        SplittableRandom random = new SplittableRandom(place);
        for (int draw = 0; draw < DRAWS; draw++) {
            InternalRow instance = Proofs.of(signature).generator().generate(random, 6);
            if (!instance.isNullAt(place)) {
                Object value = instance.get(place, parameter.type());
                try {
                    parameter.check().accept(function.name(), value);
                    return value instanceof Number || value instanceof Boolean ? value : value.toString();
                } catch (BellmanException e) {
                    // a different combination may pass
                }
            }
        }
        throw new IllegalStateException("no constant for " + parameter.name() + " of " + function.name());
    }

    private static List<Choice> choices(Problem<?> problem, List<BellmanFunction<?>> functions) {
        List<String> names = functions.stream()
                .flatMap(function -> Stream.of(function.name(), function.tryName()))
                .distinct()
                .toList();
        List<Choice> choices = new ArrayList<>();
        for (OnBadRow onBadRow : OnBadRow.values()) {
            for (String one : names) {
                choices.add(new Choice(problem, List.of(one), onBadRow));
                for (String other : names) {
                    if (!one.equals(other)) {
                        choices.add(new Choice(problem, List.of(one, other), onBadRow));
                    }
                }
            }
        }
        return choices;
    }

    private String yaml(Choice choice, Input input) {
        StringBuilder parameters = new StringBuilder();
        Set<String> taken = new TreeSet<>();
        Catalogue.functions().stream()
                .filter(function -> choice.results().contains(function.name())
                        || choice.results().contains(function.tryName()))
                .flatMap(function -> function.signatures().stream())
                .flatMap(signature -> signature.parameters().stream())
                .map(Parameter::name)
                .filter(name -> input.parameters().containsKey(name) && taken.add(name))
                .forEach(name -> parameters.append("\n  %s: %s"
                        .formatted(
                                name,
                                input.parameters().get(name) instanceof String text
                                        ? "\"%s\""
                                                .formatted(text.replace("\\", "\\\\")
                                                        .replace("\"", "\\\"")
                                                        .replace("\n", "\\n"))
                                        : input.parameters().get(name))));
        return """
                problem: %s
                results: [%s]
                onBadRow: %s
                input: {path: %s}
                output: {path: %s, mode: overwrite}
                %s""".formatted(
                        choice.problem().name(),
                        String.join(", ", choice.results()),
                        choice.onBadRow().name().toLowerCase(Locale.ROOT),
                        folder.resolve("rows.parquet"),
                        folder.resolve("out"),
                        parameters.isEmpty() ? "" : "parameters:" + parameters);
    }

    /** A job can request any two results. Some of the jobs are planned, and some are run. */
    @Test
    void everyTwoResults() throws Exception {
        int choices = 0;
        int run = 0;
        for (Problem<?> problem : Catalogue.problems()) {
            for (List<BellmanFunction<?>> functions : groups(problem)) {
                Input input = input(functions);
                boolean written = false;
                for (Choice choice : choices(problem, functions)) {
                    String yaml = yaml(choice, input);
                    Job job = JobFile.parse("job.yaml", "job", yaml, JobFileTest.flags())
                            .get(0);
                    choices++;
                    if (choices % Thorough.rounds(97, 3) == 0) {
                        plan(job, input, yaml);
                    }
                    if (choices % Thorough.rounds(331, 20) == 0
                            || choice.isTwice() && choices % Thorough.rounds(23, 3) == 0) {
                        if (!written) {
                            input.rows()
                                    .write()
                                    .mode("overwrite")
                                    .parquet(folder.resolve("rows.parquet").toString());
                            written = true;
                        }
                        run(choice, yaml);
                        run++;
                    }
                }
            }
        }
        assertThat(choices).isGreaterThan(1_000);
        assertThat(run).isGreaterThan(5);
    }

    private static void plan(Job job, Input input, String yaml) {
        InstanceQuery query = new InstanceQuery(InstanceInput.read(job, input.rows(), Optional.empty()));
        assertThatCode(() -> {
                    query.results();
                    query.malformed();
                    if (query.canQuarantine()) {
                        query.badRows();
                    }
                })
                .as(yaml)
                .doesNotThrowAnyException();
    }

    private void run(Choice choice, String yaml) throws Exception {
        CommandLineRun run = CommandLineRun.of(
                "run", Files.writeString(folder.resolve("job.yaml"), yaml).toString());
        assertThat(run.err()).as(yaml).doesNotContain(ErrorCode.BELLMAN_INTERNAL.name());
        if (choice.onBadRow() == OnBadRow.FAIL) {
            assertThat(run.code()).as(yaml).isIn(ExitCode.DONE, ExitCode.INPUT);
            return;
        }
        boolean quarantined = run.code() == ExitCode.QUARANTINED;
        assertThat(run.code())
                .as(yaml + run.err())
                .isEqualTo(
                        quarantined && choice.onBadRow() == OnBadRow.QUARANTINE ? ExitCode.QUARANTINED : ExitCode.DONE);
        Dataset<Row> written = LocalSpark.output(folder);
        long bad = 0;
        if (quarantined) {
            Dataset<Row> badRows = spark.read()
                    .parquet(folder.resolve("out/_bellman/quarantine").toString());
            bad = badRows.count();
            assertThat(badRows.where("reason IS NULL").count()).as(yaml).isZero();
        }
        assertThat(written.count() + bad).as(yaml).isEqualTo(ROWS);
        assertThat(List.of(written.columns())).as(yaml).containsAll(choice.results());
    }
}
