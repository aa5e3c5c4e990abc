package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.function.Catalogue;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.Main;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.terminal.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    @Test
    void help() {
        CommandLineRun run = CommandLineRun.of("--help").assertDone();
        assertThat(run.out()).contains("run", "functions", "bench", "check", "instances", "Exit codes: 0 success");
        assertThat(CommandLineRun.of("--help", "--verbose")).isEqualTo(run);
        assertThat(CommandLineRun.of("-h")).isEqualTo(run);
    }

    /** Only the help of a command that starts Spark mentions Spark's options. */
    @ParameterizedTest
    @CsvSource({
        "run, true",
        "show, true",
        "path, true",
        "generate, true",
        "bench, true",
        "check, true",
        "functions, false",
        "keys, false",
        "instances, false"
    })
    void helpOfCommands(String command, boolean startsSpark) {
        String help = CommandLineRun.of(command, "--help").out();

        assertThat(help).doesNotContain("BELLMAN_DRIVER_MEMORY");
        assertThat(help.contains("--help lists the options of spark-submit")).isEqualTo(startsSpark);
    }

    @Test
    void version() {
        assertThat(CommandLineRun.of("--version").out())
                .isEqualTo(CommandLineRun.of("generate", "pairs", "--version").out())
                .matches("(?s)bellman \\d+\\.\\S+\nspark 4\\.\\S+\nscala 2\\.13\\S+\njava \\S+\n");
    }

    /** Runs a command as in production, where the jars of the benchmarks and the checker are not on the class path. */
    @Test
    void withoutOptionalJars() {
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        thread.setContextClassLoader(new ClassLoader(loader) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (name.startsWith("dev.bellman.bench.") || name.startsWith("dev.bellman.check.")) {
                    throw new ClassNotFoundException(name);
                }
                return super.loadClass(name, resolve);
            }
        });
        try {
            Map.of("bench", "-bench.jar", "check", "-check.jar", "instances", "-check.jar")
                    .forEach((command, jar) -> {
                        CommandLineRun.of(command, "--count=1")
                                .assertCode(ExitCode.INPUT)
                                .startsWith(
                                        "error: [BELLMAN_CONFIGURATION] the command %s needs the jar whose name ends in %s"
                                                .formatted(command, jar))
                                .hasLineCount(1);
                        assertThat(CommandLineRun.of("--help").out()).doesNotContain("  " + command + " ");
                    });
        } finally {
            thread.setContextClassLoader(loader);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "rn", "run --strateg x", "bench", "run a.yaml b.yaml", "functions --format html"})
    void wrongUsage(String line) {
        CommandLineRun.of(line.isEmpty() ? new String[0] : line.split(" "))
                .assertCode(ExitCode.USAGE)
                .startsWith("error: [BELLMAN_USAGE] ")
                .contains("--help");
    }

    /** Runs a command as the launcher does on a machine without a GPU. */
    @Test
    void withoutRapids(@TempDir Path folder) throws IOException, InterruptedException {
        String classpath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("rapids-4-spark"))
                .collect(Collectors.joining(File.pathSeparator));
        Path log = folder.resolve("log");
        int code = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        classpath,
                        Main.class.getName(),
                        "--version")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();

        assertThat(Files.readString(log)).startsWith("bellman ");
        assertThat(code).isZero();
    }

    @Test
    void functions() {
        String table = CommandLineRun.of("functions").out();

        assertThat(Catalogue.functions()).extracting(BellmanFunction::name).allSatisfy(name -> assertThat(table)
                .contains("  " + name + "("));
    }

    /** The tests of the Python package read these lines. */
    @Test
    void instances() throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : CommandLineRun.of("instances").out().split("\n")) {
            lines.add(new ObjectMapper().readTree(line));
        }

        assertThat(lines)
                .extracting(line -> line.get("function").asText())
                .isEqualTo(Catalogue.functions().stream()
                        .flatMap(each -> each.signatures().stream().map(signature -> each.name()))
                        .toList());
        assertThat(lines).allSatisfy(line -> {
            StructType arguments = StructType.fromDDL(line.get("arguments").asText());
            assertThat(DataType.fromDDL(line.get("result").asText())).isNotNull();
            assertThat(line.get("rows")).hasSizeGreaterThan(30).allSatisfy(row -> assertThat(row.fieldNames())
                    .toIterable()
                    .containsExactly(arguments.fieldNames()));
        });
    }

    @Test
    void someFunctions() {
        CommandLineRun run = CommandLineRun.of("functions", "lcs_length", "hamming_distance");
        assertThat(run.out())
                .startsWith("hamming_distance  (strategies: ")
                .contains("lcs  (strategies: ", "  lcs_length(a, b) -> INT\n")
                .doesNotContain("edit_distance(");
        assertThat(CommandLineRun.of("functions").out().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run x.yaml --reports=",
                "run x.yaml --results=",
                "functions --pages=",
                "keys --format=",
                "check --signature=",
                "check --minutes=0 --engine=cpu --functions=",
                "generate pairs --count=1 --output=",
                "bench pairs --quick --json="
            })
    void aValueIsMissing(String line) {
        CommandLineRun.of(line.split(" "))
                .assertCode(ExitCode.USAGE)
                .startsWith("error: [BELLMAN_USAGE] " + line.replaceFirst(".* (--.*)=", "$1") + " ")
                .contains("\ntry: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rnu | unknown command 'rnu' | run",
                "bench pears | unknown command 'pears' | pairs",
                "functions edit_distnace | unknown problem or function 'edit_distnace' | edit_distance",
                "generate pairs --count=1 --output=x --output-mode=overwite | is 'overwite' (did you mean 'overwrite'?); it must be one of error | overwrite",
                "check --rows=1 | unknown option '--rows' | --count",
                "generate pairs --count=1 --output=x --alphabet=protien | unknown alphabet 'protien' | protein",
                "run --dry-rn | unknown option '--dry-rn' | --dry-run",
                "run --mode=append | unknown option '--mode' | --output-mode",
                "run --max=2 | unknown option '--max' | --max-distance",
                "run --columns=a,b | unknown option '--columns' | --argument",
                "run --output-path=x | unknown option '--output-path' | --output",
                "run --rhs-path=x | unknown option '--rhs-path' | --rhs",
                "run --gpu=2 | unknown option '--gpu' | --gpus",
                "keys output.fromat | unknown key 'output.fromat' | output.format",
                "show --limit=3 x | unknown option '--limit' | --count",
                "check --engine=gup | --engine is 'gup' (did you mean 'gpu'?); it must be one of auto, gpu, cpu | gpu",
                "check --functions=edit_distnace | unknown function 'edit_distnace' | edit_distance",
                "check --strategies=bit-paralel | unknown strategy 'bit-paralel' | bit-parallel",
                "bench join --datasets=name | --datasets is 'name' (did you mean 'names'?); it must be one of barcodes | names",
                "bench join --edits=2 | unknown option '--edits' | --max",
                "bench pairs --work=x | unknown option '--work' | --output",
                "bench pairs --functions=edit_distnace | unknown function 'edit_distnace' | edit_distance",
            })
    void didYouMean(String line, String message, String meant) {
        CommandLineRun.of(line.split(" "))
                .assertCode(ExitCode.USAGE)
                .contains(message, "(did you mean '" + meant + "'?)");
    }

    @Test
    void keys() {
        String help = CommandLineRun.of("run", "--help-keys").out();
        String table = CommandLineRun.of("keys").out();

        assertThat(JobKeys.all()).allSatisfy(key -> {
            assertThat(help).contains(key.flag() + (key.label().isEmpty() ? "" : "=" + key.label()) + "\n");
            assertThat(table).contains(key.path() + "  (");
        });
        assertThat(help).contains("output.format  (parquet)");
        assertThat(table.lines()).allMatch(line -> line.length() <= 100);
        String two = CommandLineRun.of("keys", "output.format", "strategy").out();
        assertThat(two).contains("output.format  (", "strategy  (").doesNotContain("output.path");
    }

    /** The help shows groups of flags, one flag per line, on two screens. */
    @Test
    void helpOfRun() {
        String help = CommandLineRun.of("run", "--help").out();

        assertThat(help)
                .contains("\nThe problem\n", "\nThe output\n", "--help-keys", "--quiet", "--on-bad-row=ACTION")
                .contains(" columns, cross, join, all-vs-all, within or nearest\n")
                .contains(" fail (default), null or quarantine\n")
                .doesNotContain("--targets-option");
        assertThat(help.lines().toList()).hasSizeLessThanOrEqualTo(48).allMatch(line -> line.length() <= 100);
    }

    @Test
    void pageHasTheTableOfKeys() throws IOException {
        String text = Files.readString(Path.of("..", "docs", "job-file.md"));

        assertThat(text.split("<!-- keys.*-->\n|<!-- end of keys -->")[1])
                .as("the table in docs/job-file.md, which is the output of submit/bellman keys --format markdown")
                .isEqualTo(CommandLineRun.of("keys", "--format", "markdown").out());
    }

    @Test
    void pagesOfFunctionsAreInStep(@TempDir Path folder) throws IOException {
        Path docs = Path.of("..", "docs");
        Files.createDirectory(folder.resolve("functions"));
        Files.copy(docs.resolve("functions.md"), folder.resolve("functions.md"));
        CommandLineRun.of("functions", "--pages", folder.toString());

        assertThat(Catalogue.functions())
                .extracting(BellmanFunction::name)
                .allSatisfy(name ->
                        assertThat(folder.resolve("functions.md")).content().contains(".md#%s)".formatted(name)));
        String command = "the page, which submit/bellman functions --pages docs writes";
        assertThat(docs.resolve("functions.md")).as(command).hasSameTextualContentAs(folder.resolve("functions.md"));
        try (Stream<Path> pages = Files.list(folder.resolve("functions"))) {
            assertThat(pages).hasSameSizeAs(Catalogue.families()).allSatisfy(page -> assertThat(
                            docs.resolve("functions").resolve(page.getFileName()))
                    .as(command)
                    .hasSameTextualContentAs(page));
        }
    }

    @Test
    void pagesWithoutAnIndex(@TempDir Path folder) {
        CommandLineRun.of("functions", "--pages", folder.toString())
                .assertCode(ExitCode.FAILURE)
                .startsWith("error: [BELLMAN_OUTPUT_WRITE] --pages: cannot write the function pages to " + folder)
                .contains("functions.md")
                .contains("Use the folder docs of a checkout");
    }

    @Test
    void pythonModuleIsInStep() throws IOException {
        assertThat(Path.of("..", "submit/python/src/bellman/functions.py"))
                .as("functions.py, which is the output of submit/bellman functions --format python")
                .hasContent(CommandLineRun.of("functions", "--format", "python").out());
    }
}
