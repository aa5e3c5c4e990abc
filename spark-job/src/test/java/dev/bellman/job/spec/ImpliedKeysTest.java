package dev.bellman.job.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.spark.sql.types.AtomicType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which keys a job may omit, for every function. */
class ImpliedKeysTest {
    /** Values of those parameters that a job can read from a file. */
    private static final Map<String, String> CONTENTS =
            Map.of("grammar", "S -> 'a' [1]", "profile", "HMMER3/f", "costs", "o 0 0.25");

    @TempDir
    private Path folder;

    private static Job job(BellmanFunction<?> function, String more) {
        String yaml = """
                problem: %s
                results: [%s]
                output: {path: out}
                %s
                %s""".formatted(function.problem().name(), function.name(), constants(function), more);
        return JobFile.parse("job.yaml", "job", yaml, JobFileTest.flags()).get(0);
    }

    /** Returns values for the settings that a function requires. */
    private static String constants(BellmanFunction<?> function) {
        List<String> constants = function.signatures().get(0).parameters().stream()
                .filter(Parameter::isSetting)
                .map(parameter -> parameter.name() + ": " + value(parameter))
                .toList();
        return constants.isEmpty() ? "" : "parameters: {%s}".formatted(String.join(", ", constants));
    }

    private static List<Parameter> arguments(BellmanFunction<?> function) {
        return function.signatures().get(0).parameters().stream()
                .filter(parameter -> !parameter.isSetting())
                .toList();
    }

    /** A sequence file has one column that can be the argument of a function with one string. */
    @Test
    void theSequenceIsTheText() {
        int texts = 0;
        for (BellmanFunction<?> function : Catalogue.functions()) {
            List<Parameter> arguments = arguments(function);
            boolean isText = arguments.size() == 1 && arguments.get(0).type().equals(DataTypes.StringType);
            texts += isText ? 1 : 0;
            for (String extension : List.of("fasta", "fastq.gz", "csv")) {
                List<String> expected = isText && !extension.equals("csv")
                        ? List.of("sequence")
                        : arguments.stream().map(Parameter::name).toList();
                assertThat(job(function, "input: {path: x.%s}".formatted(extension))
                                .get(JobKeys.ARGUMENTS))
                        .as(function.name())
                        .isEqualTo(expected);
            }
        }
        assertThat(texts).isGreaterThan(5);
    }

    /**
     * With {@code pairing: nearest}, the job either uses a metric of strings or the best of all pairs, or a message
     * suggests a replacement.
     */
    @Test
    void nearestByEveryFunction() {
        int ofAll = 0;
        for (BellmanFunction<?> function : Catalogue.functions()) {
            if (arguments(function).size() != 2
                    || !Metric.of(function.problem()).isEmpty()
                    || Job.isOfScore(function, function.problem())) {
                continue;
            }
            String nearest = """
                    pairing: nearest
                    arguments: [x]
                    input: {path: x.parquet}
                    targets: {path: y.parquet}
                    """;
            Optional<Boolean> descending = Best.isDescendingByName(function.name());
            if (descending.isEmpty()) {
                assertThatThrownBy(() -> job(function, nearest))
                        .as(function.name())
                        .hasMessageContaining("best: '1 per id_a by %s asc'".formatted(function.name()));
                continue;
            }
            ofAll++;
            Job job = job(function, nearest);
            assertThat(job.get(JobKeys.PAIRING)).as(function.name()).isEqualTo(PairingMode.CROSS);
            assertThat(job.best().orElseThrow().count()).isEqualTo(1);
            assertThat(job(function, nearest + "top: 3").best().orElseThrow().count())
                    .isEqualTo(3);
            assertThatThrownBy(() -> job(function, nearest + "maxDistance: 3"))
                    .hasMessageContaining(
                            "maxDistance does not apply to pairing: nearest for values other than strings, only to "
                                    + "pairing: within, or pairing: nearest for strings");
        }
        assertThat(ofAll).isGreaterThan(5);
    }

    /**
     * For every subset of the parameters, either the function receives the whole subset, or a message names a missing
     * parameter.
     */
    @Test
    void noParameterIsIgnored() {
        int called = 0;
        for (BellmanFunction<?> function : Catalogue.functions()) {
            List<Parameter> constants = function.signatures().stream()
                    .flatMap(signature -> signature.parameters().stream()
                            .skip(arguments(function).size()))
                    .filter(parameter -> parameter.type() instanceof AtomicType)
                    .filter(distinctNames())
                    .toList();
            if (Job.isOfScore(function, function.problem()) || function.name().endsWith("_value")) {
                continue;
            }
            for (int subset = 0; subset < 1 << constants.size(); subset++) {
                List<String> names = new ArrayList<>();
                StringBuilder yaml = new StringBuilder();
                for (int i = 0; i < constants.size(); i++) {
                    if ((subset >> i & 1) == 1) {
                        names.add(constants.get(i).name());
                        yaml.append("%s%s: %s"
                                .formatted(
                                        yaml.isEmpty() ? "" : ", ",
                                        names.get(names.size() - 1),
                                        value(constants.get(i))));
                    }
                }
                String text = """
                        problem: %s
                        results: [%s]
                        input: {path: x.csv}
                        output: {path: out}
                        parameters: {%s}
                        """.formatted(function.problem().name(), function.name(), yaml);
                try {
                    Job job = JobFile.parse("job.yaml", "job", text, JobFileTest.flags())
                            .get(0);
                    assertThat(job.signature(function, arguments(function).size())
                                    .parameters())
                            .as(text)
                            .extracting(Parameter::name)
                            .containsAll(names);
                    called++;
                } catch (BellmanException e) {
                    assertThat(e.getMessage()).as(text).containsAnyOf(" requires ", "target_letters");
                }
            }
        }
        assertThat(called).isGreaterThan(100);
    }

    private static Predicate<Parameter> distinctNames() {
        Set<String> names = new HashSet<>();
        return parameter -> names.add(parameter.name());
    }

    private static String value(Parameter parameter) {
        return parameter.type().equals(DataTypes.StringType)
                ? parameter.isContent().isEmpty() ? "text" : "\"%s\"".formatted(CONTENTS.get(parameter.name()))
                : parameter.type().equals(DataTypes.BooleanType) ? "true" : "1";
    }

    /** A job can list any number of arguments that a function accepts. */
    @Test
    void optionalArgumentsAreColumns() {
        for (BellmanFunction<?> function : Catalogue.functions()) {
            for (Signature<?> signature : function.signatures()) {
                List<String> columns =
                        Job.arguments(signature).stream().map(Parameter::name).toList();
                String arguments = "input: {path: x.csv}\narguments: [%s]".formatted(String.join(", ", columns));
                if (!Job.isOfScore(function, function.problem())
                        && !function.name().endsWith("_value")) {
                    Job job = job(function, arguments);
                    assertThat(Job.arguments(job.signature(function, columns.size())))
                            .as(function.name())
                            .hasSizeGreaterThanOrEqualTo(columns.size());
                }
            }
        }
    }

    /** If a parameter that may be read from a file is the path of a file, the job contains the file's content. */
    @Test
    void filesOfParameters() throws IOException {
        Set<String> read = new HashSet<>();
        for (BellmanFunction<?> function : Catalogue.functions()) {
            List<? extends Signature<?>> signatures = function.signatures();
            for (Parameter parameter : signatures.get(signatures.size() - 1).parameters()) {
                if (parameter.isContent().isEmpty()) {
                    continue;
                }
                String content = CONTENTS.get(parameter.name());
                Path file = Files.writeString(folder.resolve(parameter.name() + ".txt"), content + "\n");
                String yaml = """
                        problem: %s
                        results: [%s]
                        restricted: true
                        input: {path: x.csv}
                        output: {path: out}
                        parameters: {insert: 1, delete: 1, substitute: 1, %s: %s}
                        """.formatted(function.problem().name(), function.name(), parameter.name(), file);
                String parameters = parameter.name().equals("costs")
                        ? yaml
                        : yaml.replace("insert: 1, delete: 1, substitute: 1, ", "");
                Job job = JobFile.parse("job.yaml", "job", parameters, JobFileTest.flags())
                        .get(0);
                assertThat(job.get(JobKeys.PARAMETERS)).containsEntry(parameter.name(), content + "\n");
                assertThat(job.get(JobKeys.ARGUMENTS)).doesNotContain(parameter.name());
                assertThatThrownBy(() -> JobFile.parse(
                                "job.yaml", "job", parameters.replace(".txt", ".none"), JobFileTest.flags()))
                        .hasMessageContaining("the %s file ".formatted(parameter.name()));
                read.add(parameter.name());
            }
        }
        assertThat(read).isEqualTo(CONTENTS.keySet());
    }
}
