package dev.bellman.job.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.report.ReportPage;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.text.Mutations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.lang3.ArrayUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests attacks, generated from a seed: expressions that a restricted job refuses in any context, output names, and
 * text in the report page.
 */
class AttacksTest {
    private static final int FEW = 5;

    /** Expressions that a restricted job refuses. */
    private static final List<String> FORBIDDEN = List.of(
            "reflect('java.lang.System', 'getProperty', b)",
            "java_method('java.lang.System', 'getProperty', 'user.home')",
            "try_reflect('java.lang.System', 'getProperty', 'user.home')",
            "(select max(value) from text.`/etc/hostname`)",
            "string(exists (select 1 from text.`/etc/hostname`))",
            "current_user()",
            "uuid()",
            "raise_error(a)",
            "raise_error('[BELLMAN_NOPE] x')",
            "input_file_name()",
            "string(rand())",
            "version()",
            "max(a)",
            "xpath_string(a, '/x')",
            "from_json(a, 'x STRING').x",
            "string(spark_partition_id())",
            "system.builtin.reflect('java.lang.System', 'getProperty', b)");

    private static final List<String> ALLOWED = List.of(
            "a", "b", "'text'", "upper(b)", "b || a", "substring(b, 1, 2)", "split(b, '')[0]", "cast(id as string)");

    private static final List<String> AROUND = List.of(
            "upper(%s)",
            "concat(a, %s)",
            "coalesce(%s, b)",
            "case when id = 1 then %s else a end",
            "case when %s = 'x' then a else b end",
            "array(a, %s)[1]",
            "transform(array(%s), x -> upper(x))[0]",
            "cast(%s as string)",
            "if(a is null, %s, b)",
            "trim(both 'x' from %s)",
            "(%s)",
            "/* upper( */ %s",
            "%s || '-- '",
            "string(a in (b, %s))",
            "string(%s like 'x%%')",
            "concat_ws('-', a, %s)");

    private static final List<String> NAMES = List.of(
            "..",
            ".",
            "~",
            "%20",
            "%2e%2e",
            "*",
            "?",
            "[a]",
            "{a,b}",
            ":",
            "\0",
            "\u00e4",
            " ",
            "'",
            "\"",
            "$HOME",
            "#",
            "/",
            "\\",
            "\n",
            "\u202e",
            "_",
            "x",
            "file:",
            "s3a:",
            "in.csv",
            "a".repeat(300),
            "%",
            "&",
            "=",
            "\ud800");

    private static final List<String> MARKUP = List.of(
            "</script>",
            "<script>alert(1)",
            "<!--",
            "-->",
            "]]>",
            "\u2028",
            "\u2029",
            "&lt;",
            "\"",
            "'",
            "\\",
            "\\u003c/script>",
            "</SCRIPT >",
            "<img src=x onerror=alert(1)>",
            "\0",
            "\ud83d\ude00",
            "${x}",
            "`",
            "{{x}}",
            "</style>",
            "\n",
            "<svg/onload=alert(1)>");

    @TempDir
    Path folder;

    private final Map<ExitCode, Integer> codes = new EnumMap<>(ExitCode.class);

    @BeforeEach
    void write() throws IOException {
        LocalSpark.session();
        Files.writeString(folder.resolve("in.csv"), "id,a,b\n1,kitten,sitting\n2,x,y\n");
    }

    private static <T> T one(Random random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private CommandLineRun run(String output, String... more) {
        CommandLineRun run = CommandLineRun.of(Stream.concat(
                        Stream.of(
                                "run",
                                "--problem=edit_distance",
                                "--input=" + folder.resolve("in.csv"),
                                "--output=" + output),
                        Stream.of(more))
                .toArray(String[]::new));
        codes.merge(run.code(), 1, Integer::sum);
        return run;
    }

    /**
     * Checks that a failure, if there is one, is reported as an error of the user or of the output, without a stack
     * trace.
     */
    private static void assertTold(CommandLineRun run, String what) {
        if (!run.err().contains("[BELLMAN_OUTPUT_WRITE]")) {
            assertThat(run.code()).as("%s: %s", what, run.err()).isIn(ExitCode.DONE, ExitCode.INPUT, ExitCode.USAGE);
        }
        // one of Spark's functions fails with a parser's exception, which the message reports as the reason
        assertThat(run.err())
                .as(what)
                .doesNotContain("\tat ", "BELLMAN_INTERNAL")
                .doesNotContainPattern("(?<!fails: \\w{1,60})Exception:");
    }

    @Test
    void expressions() {
        expressions(IntStream.range(0, FEW));
    }

    @Test
    @Tag("thorough")
    void manyExpressions() {
        expressions(Thorough.seeds(3_000));
    }

    private void expressions(IntStream seeds) {
        for (int seed : seeds.toArray()) {
            Random random = new Random(seed);
            boolean forbidden = random.nextInt(3) > 0;
            String expression = one(random, forbidden ? FORBIDDEN : ALLOWED);
            for (int depth = random.nextInt(5); depth > 0; depth--) {
                expression = one(random, AROUND).formatted(expression);
            }
            boolean mutated = random.nextInt(4) == 0;
            if (mutated) {
                expression = new String(
                        Mutations.mutate(expression.getBytes(StandardCharsets.UTF_8), random), StandardCharsets.UTF_8);
            }
            String what = "seed %d: %s".formatted(seed, expression);
            CommandLineRun run = run(
                    folder.resolve("out").toString(),
                    "--restricted",
                    "--dry-run",
                    "--argument=a",
                    "--argument=" + expression);
            assertTold(run, what);
            if (!mutated) {
                assertThat(run.code())
                        .as("%s: %s", what, run.err())
                        .isEqualTo(forbidden ? ExitCode.INPUT : ExitCode.DONE);
            }
            // a user who may use all of SQL gets a message that describes the error
            assertTold(
                    run(folder.resolve("out").toString(), "--dry-run", "--argument=a", "--argument=" + expression),
                    what);
            assertThat(folder.resolve("out")).as(what).doesNotExist();
        }
        assertThat(codes).containsKeys(ExitCode.DONE, ExitCode.INPUT);
    }

    /** A dry run solves some rows for its estimate. */
    @Test
    void anExpressionThatFailsOnARow() {
        String[] arguments = {"--argument=b", "--argument=xpath_string(a, '/x')"};
        run(folder.resolve("out").toString(), arguments)
                .assertCode(ExitCode.INPUT)
                .startsWith(
                        "error: [BELLMAN_INPUT_VALUE] job: the row with id 1 is bad: evaluating the argument 'xpath_string(a,")
                .hasLineCount(1)
                .isEqualTo(run(folder.resolve("out").toString(), ArrayUtils.add(arguments, "--dry-run"))
                        .err());
    }

    @Test
    void names() throws IOException {
        names(IntStream.range(0, FEW));
    }

    @Test
    @Tag("thorough")
    void manyNames() throws IOException {
        names(Thorough.seeds(2_000));
    }

    /** An output is written completely, whatever its name, or refused before anything is written. */
    private void names(IntStream seeds) throws IOException {
        Path own = Files.createDirectories(folder.resolve("own/below"));
        Files.writeString(own.resolve("notes"), "of the user");
        for (int seed : seeds.toArray()) {
            Random random = new Random(seed);
            StringBuilder name = new StringBuilder();
            for (int pieces = 1 + random.nextInt(4); pieces > 0; pieces--) {
                name.append(one(random, NAMES));
            }
            Map<String, String> before = contents();
            String what = "seed %d: %s".formatted(seed, name);
            CommandLineRun run = run(own + "/" + name, "--output-partitions=1");
            assertTold(run, what);
            Map<String, String> after = contents();
            assertThat(after).as(what).containsAllEntriesOf(before);
            if (run.code() == ExitCode.DONE) {
                assertThat(after.keySet().stream()
                                .filter(file -> file.endsWith("report.json"))
                                .count())
                        .as(what)
                        .isEqualTo(1
                                + before.keySet().stream()
                                        .filter(file -> file.endsWith("report.json"))
                                        .count());
            } else {
                assertThat(after).as(what).isEqualTo(before);
            }
        }
        assertThat(codes).containsKey(ExitCode.DONE);
    }

    /** Returns the contents of every file. */
    private Map<String, String> contents() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        }
        return contents;
    }

    @Test
    void pages() throws IOException {
        pages(IntStream.range(0, 200));
    }

    @Test
    @Tag("thorough")
    void manyPages() throws IOException {
        pages(Thorough.seeds(12_600));
    }

    /** The markup of the report page is the same for all texts, and the page contains the texts unchanged. */
    private static void pages(IntStream seeds) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        String nothing = "{\"nothing\":0}";
        String plain = ReportPage.of(nothing);
        int start = plain.indexOf(nothing);
        int rest = plain.length() - start - nothing.length();
        for (int seed : seeds.toArray()) {
            Random random = new Random(seed);
            ObjectNode report = mapper.createObjectNode();
            for (int field = random.nextInt(5); field >= 0; field--) {
                report.put(text(random), text(random));
            }
            String page = ReportPage.of(mapper.writeValueAsString(report));
            String what = "seed %d: %s".formatted(seed, report);
            assertThat(tags(page)).as(what).isEqualTo(tags(plain));
            JsonNode read = mapper.readTree(page.substring(start, page.length() - rest));
            assertThat(read).as(what).isEqualTo(report);
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int pieces = random.nextInt(4); pieces >= 0; pieces--) {
            text.append(one(random, MARKUP));
        }
        return text.toString();
    }

    /** Counts the characters with which text could end the script element in a browser. */
    private static long tags(String page) {
        return page.chars().filter(each -> each == '<').count();
    }
}
