package dev.bellman.job.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.function.Catalogue;
import dev.bellman.job.Thorough;
import dev.bellman.job.format.Format;
import dev.bellman.job.format.SecretOptions;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.report.Descriptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class JobFileTest extends JobFileFixture {
    @ParameterizedTest
    @CsvSource({"nightly.yaml, nightly", "nightly.yml, nightly", "nightly.json, nightly", "nightly.2, nightly.2"})
    void namesOfFiles(String file, String name, @TempDir Path folder) throws IOException {
        String path = Files.writeString(folder.resolve(file), SMALLEST).toString();

        assertThat(JobFile.read(path, flags()).get(0).get(JobKeys.NAME)).isEqualTo(name);
    }

    @Test
    void defaults() {
        Job job = parse(SMALLEST).get(0);

        assertThat(job.get(JobKeys.NAME)).isEqualTo("job");
        assertThat(job.results()).extracting(BellmanFunction::name).containsExactly("edit_distance");
        assertThat(job.get(JobKeys.ARGUMENTS)).containsExactly("a", "b");
        assertThat(job.input())
                .isEqualTo(new Job.Source(List.of("pairs.tsv"), Optional.empty(), Optional.of(Format.TSV), Map.of()));
        assertThat(job.targets()).isEmpty();
        assertThat(job.get(JobKeys.PAIRING)).isEqualTo(PairingMode.COLUMNS);
        assertThat(job.get(JobKeys.OUTPUT_FORMAT)).isEqualTo(Format.PARQUET);
        assertThat(job.get(JobKeys.OUTPUT_MODE)).isEqualTo(SaveMode.ERROR);
        assertThat(job.find(JobKeys.OUTPUT_PARTITIONS)).isEmpty();
        assertThat(job.get(JobKeys.ENGINE)).isEqualTo(Engine.AUTO);
        assertThat(job.get(JobKeys.ON_BAD_ROW)).isEqualTo(OnBadRow.FAIL);
    }

    /** Returns the message that refuses a job, or an empty string. */
    private static String anyProblems(String yaml) {
        try {
            parse(yaml);
            return "";
        } catch (BellmanException e) {
            return e.getMessage();
        }
    }

    /**
     * If there is no kernel for a call's function, strategy or parameters, the job is refused before Spark starts.
     */
    @Test
    void engineWithoutKernel() {
        for (BellmanFunction<?> function : Catalogue.functions()) {
            String yaml = "%sresults: [%s]%n"
                    .formatted(
                            SMALLEST.replace("edit_distance", function.problem().name()), function.name());
            String refused = "engine is gpu, but %s has no kernel".formatted(function.name());
            for (Enum<?> strategy : function.problem().strategyType().getEnumConstants()) {
                String job = yaml + "strategy: %s%n".formatted(Strategies.name(strategy));
                boolean onGpu = function.kernels().contains(strategy);

                assertThat(anyProblems(job + "engine: gpu\n").contains(refused))
                        .as(job)
                        .isEqualTo(!onGpu);
                assertThat(anyProblems(job)).doesNotContain("kernel");
            }
            for (Parameter parameter : function.withoutKernel()) {
                Object other = parameter.type().equals(DataTypes.BooleanType) ? true : "other";

                assertThat(anyProblems(
                                "%sengine: gpu%nparameters: {%s: %s}%n".formatted(yaml, parameter.name(), other)))
                        .contains("%s for calls that set the parameter %s and runs only on the CPU; use engine: auto"
                                .formatted(refused, parameter.name()));
            }
        }
        assertThat(problems(SMALLEST.replace("edit_distance", "dtw") + "engine: gpu\nstrategy: serial\n"))
                .contains("engine is gpu, but dtw has no kernel for the strategy serial, only for auto, anti-diagonal, "
                        + "and runs only on the CPU; use engine: auto");
    }

    @Test
    void everyKey() {
        String yaml = """
                name: reads
                problem: edit_distance
                results: [distance, edit_cigar]
                arguments: [upper(sequence)]
                input:
                  path: [reads.fq.gz, more.fq]
                  format: fastq
                  where: length(sequence) > 20
                targets: {path: targets.fa}
                pairing: within
                maxDistance: 4
                blockOn: [lane]
                id: id
                keep: [description]
                best: 3 per id_a by distance desc
                output: {path: out, format: csv, mode: append, where: distance >= 0, skipExisting: true, parts: 8, options: {sep: ;}, partitions: 4, partitionBy: [id_b], maxRecordsPerFile: 1000}
                engine: cpu
                strategy: serial
                onBadRow: quarantine
                verify: 0.001
                """;

        Job job = parse(yaml).get(0);

        // this job has all keys except those for other jobs: scoring is for alignments, minSimilarity for similarities,
        // linkage for clusters, top for nearest, and the others are for graphs, matrices and training; parameters is
        // missing, because maxDistance sets max, the only parameter of these functions
        assertThat(job.describe().keySet())
                .containsExactlyElementsOf(JobKeys.namesIn("").stream()
                        .filter(name -> !List.of(
                                        "sources",
                                        "rhs",
                                        "pivot",
                                        "top",
                                        "minSimilarity",
                                        "linkage",
                                        "parameters",
                                        "scoring")
                                .contains(name))
                        .filter(name -> !List.of("states", "iterations", "tolerance", "seed", "minVariance", "start")
                                .contains(name))
                        .toList());
        assertThat(job.find(JobKeys.STRATEGY)).contains("serial");
    }

    /** A dry run prints an equivalent job file. */
    @Test
    void descriptionIsAJobFile() {
        Job job = parse(SMALLEST + "parameters: {max: 3}\nkeep: [lang]\n").get(0);

        assertThat(parse(Descriptions.yaml(job.describe()))).containsExactly(job);
    }

    @Test
    void descriptionsHideSecrets() {
        Job job = parse(SMALLEST.replace("input: {", "input: {options: {sep: x, password: hunter2, a: b}, "))
                .get(0);

        assertThat(Descriptions.yaml(job.describe()))
                .contains("sep: x", "password: '*********(redacted)'", "a: b")
                .doesNotContain("hunter2");
        assertThat(Descriptions.yaml(job.describeWithout(Set.of()))).contains("password: hunter2");
    }

    @Test
    void commandsHideSecrets() {
        assertThat(SecretOptions.redacted(List.of(
                        "--input-option=token=a=b",
                        "--output-option",
                        "password=c",
                        "--input-option",
                        "sep=x",
                        "token=d")))
                .containsExactly(
                        "--input-option=token=*********(redacted)",
                        "--output-option",
                        "password=*********(redacted)",
                        "--input-option",
                        "sep=x",
                        "token=d");
    }

    /** The name of any function can be used as the problem; this function is then the result. */
    @Test
    void problemByTheNameOfAFunction() {
        int parsed = 0;
        for (BellmanFunction<?> function : Catalogue.functions()) {
            for (String name : Set.copyOf(List.of(function.name(), function.tryName()))) {
                try {
                    Job job = parse("{problem: %s, input: {path: pairs.tsv}, output: {path: out}}".formatted(name))
                            .get(0);
                    assertThat(job.get(JobKeys.PROBLEM)).isEqualTo(function.problem());
                    if (!name.equals(function.problem().name())) {
                        assertThat(job.results())
                                .extracting(BellmanFunction::name)
                                .containsExactly(name);
                    }
                    parsed++;
                } catch (BellmanException e) {
                    // parameters are missing
                    assertThat(e.getMessage()).as(name).doesNotContain("problem is", "results is");
                }
            }
        }
        assertThat(parsed).isGreaterThan(60);
    }

    @Test
    void severalJobs() {
        assertThat(parse(SMALLEST + "---\n" + SMALLEST + "name: second\n"))
                .extracting(job -> job.get(JobKeys.NAME))
                .containsExactly("job-1", "second");
    }

    @Test
    void everyChoiceIsDescribed() {
        assertThat(JobKeys.all())
                .filteredOn(key -> !key.type().choices().isEmpty())
                .filteredOn(key -> !List.of("problem", "targets.format", "rhs.format", "start.format")
                        .contains(key.path()))
                .allSatisfy(key -> assertThat(key.description())
                        .contains(key.type().choices().stream()
                                .map(choice -> "`" + choice + "`")
                                .toList()));
    }

    @Test
    void tellsAllProblemsAtOnceWithTheirPlaces() {
        String yaml = """
                problm: lcs
                problem: edit_distance
                results: [lcs]
                input:
                  pth: x
                output: {path: , mode: overwrit}
                engine: [gpu]
                keep: {a: b}
                problem: lcs
                """;

        assertThat(problems(yaml))
                .contains("job.yaml:1:1: unknown key 'problm'; did you mean 'problem'?")
                .contains("job.yaml:5:3: unknown key 'input.pth'; did you mean 'path'?")
                .contains("job.yaml:5:3: input.path is missing: a file, folder or glob pattern, or a list of them.")
                .contains("job.yaml:6:15: output.path has no value")
                .contains("job.yaml:6:24: output.mode is 'overwrit' (did you mean 'overwrite' or 'overwrite-force'?); "
                        + "it must be one of error, overwrite, overwrite-force, append, ignore")
                .contains("job.yaml:7:9: engine must be a single value, not a list")
                .contains("job.yaml:8:7: keep must be a single value, not a mapping")
                .contains("job.yaml:9:1: duplicate key 'problem'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    strategy: SERIAL        | strategy is 'SERIAL' (did you mean 'serial'?); it must be one of
                    strategy: fast          | job.yaml:4:11: strategy is 'fast' (did you mean 'auto'?); it must be one of auto, serial, r-way, bit-parallel
                    parameters: {mx: 1}     | job.yaml:4:18: parameters.mx is not valid for edit_distance; valid parameters: max
                    pairing: cross          | job.yaml:4:10: pairing is cross, but no targets are set
                    targets: {path: t.fa}\\npairing: columns | job.yaml:4:17: targets.path does not apply to pairing: columns, only to pairing: cross
                    targets: {path: [t.fa, ' ']} | job.yaml:4:17: targets.path is ' '; it must not be blank
                    pairing: all-vs-all     | job.yaml:1:1: arguments is missing; set it to the column or expression to pair
                    arguments: [a]          | job.yaml:4:12: edit_distance takes the arguments (a, b) or (a, b, max), but the job has [a]
                    results: lcs            | job.yaml:4:10: results is 'lcs'; it must be one of edit_distance, edit_cigar
                    colour: red             | job.yaml:4:1: unknown key 'colour'; its keys are name, problem
                    where: a > b            | unknown key 'where'; did you mean 'input.where' or 'output.where'?
                    max: 2                  | unknown key 'max'; did you mean 'maxDistance'?
                    onBadRow: [              | job.yaml:5:1: not YAML
                    """)
    void problem(String lines, String message) {
        assertThat(problems(SMALLEST + lines.replace("\\n", "\n") + "\n")).contains(message);
    }

    @Test
    void resultsOfDifferentArguments() {
        String yaml = """
                problem: s_dp
                input: {path: instances.parquet}
                output: {path: out}
                results: [s_dp, s_dp_last, s_dp_weighted]
                """;

        assertThat(problems(yaml))
                .contains("job.yaml:4:10: s_dp takes the arguments (initial, offsets, length, operator), but "
                        + "s_dp_weighted takes (initial, offsets, weights, length, operator); use a separate job for "
                        + "each");
        assertThat(parse(yaml.replace(", s_dp_weighted", "")).get(0).get(JobKeys.ARGUMENTS))
                .containsExactly("initial", "offsets", "length", "operator");
        assertThat(parse(yaml.replace("s_dp, s_dp_last, ", "")).get(0).get(JobKeys.ARGUMENTS))
                .containsExactly("initial", "offsets", "weights", "length", "operator");
    }

    @Test
    void notAMapping() {
        assertThat(problems("- a\n")).contains("job.yaml:1:1: a job must be a mapping of keys to values");
        assertThat(problems("# nothing\n")).contains("this file contains no job");
        assertThat(problems("problem: \u0001\n")).contains("job.yaml: not YAML: special characters");
    }

    @Test
    void missingFile() {
        assertThatThrownBy(() -> JobFile.read("nowhere/job.yaml", flags()))
                .isInstanceOf(BellmanException.class)
                .hasMessageContaining("the job file nowhere/job.yaml does not exist");
    }

    @ParameterizedTest
    @CsvSource({
        "x.tsv, tsv",
        "dir/x.FA.gz, fasta",
        "s3a://bucket/x.fastq.bz2, fastq",
        "x.jsonl, json",
        "dir.d/x/, parquet",
        "dir/*.csv, csv",
        "x.orc, orc",
    })
    void formatOfAPath(String path, String format) {
        assertThat(Format.of(path)).map(Format::name).contains(format);
    }

    @Test
    void formatThatDoesNotShow() {
        assertThat(problems(SMALLEST.replace("pairs.tsv", "pairs.txt")))
                .contains("job.yaml:2:15: cannot infer the format from pairs.txt; set input.format to one of parquet, "
                        + "orc");
    }

    /** Any sequence of bytes leads to a job or to a message that contains the file's name. */
    @Test
    void mutations(@TempDir Path folder) throws IOException {
        byte[] original = """
                name: reads
                problem: edit_distance
                results: [edit_distance, edit_cigar]
                arguments: ["upper(a)", &b 'b']
                parameters: {max: 10}
                input:
                  path: [pairs.tsv, more.tsv]
                  options: {header: true}
                keep: [c, d]
                output: {path: out, format: csv, options: {sep: ;}, partitions: 4}
                engine: cpu
                --- # the second
                """.concat(SMALLEST).getBytes(StandardCharsets.UTF_8);
        SplittableRandom random = new SplittableRandom(1);
        String letters = "\n\t :-[]{},&*!|>'\"%@`#?\0\u0080\u00ff0aé";
        Path file = folder.resolve("job.yaml");
        int failures = 0;
        int rounds = Thorough.rounds(500, 3_000);
        for (int i = 0; i < rounds; i++) {
            ByteArrayOutputStream mutated = new ByteArrayOutputStream();
            int edits = 1 + random.nextInt(4);
            int from = 0;
            for (int edit = 0; edit < edits; edit++) {
                int at = from + random.nextInt(original.length - from);
                mutated.write(original, from, at - from);
                int kind = random.nextInt(3);
                if (kind > 0) {
                    mutated.write(letters.charAt(random.nextInt(letters.length())));
                }
                from = kind == 1 ? at : Math.min(original.length - 1, at + 1 + random.nextInt(8));
            }
            mutated.write(original, from, original.length - from);
            Files.write(file, mutated.toByteArray());
            try {
                assertThat(JobFile.read(file.toString(), flags())).isNotEmpty();
            } catch (BellmanException e) {
                failures++;
                assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_JOB_FILE);
                assertThat(e.getMessage()).contains("job.yaml");
            }
        }
        assertThat(failures).isBetween(rounds / 3, rounds - 1);
    }
}
