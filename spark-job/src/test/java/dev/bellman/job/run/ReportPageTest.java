package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.report.Histogram;
import dev.bellman.job.report.ReportPage;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.TextTable;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the report page, its data, and {@code bellman show}. */
class ReportPageTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        LocalSpark.session();
    }

    private Path run(String... more) throws IOException {
        StringBuilder pairs = new StringBuilder("id,a,b\n");
        for (int i = 0; i < 200; i++) {
            pairs.append("%d,%s,%s\n".formatted(i, "ab".repeat(i % 40), "abc".repeat(i % 30)));
        }
        pairs.append("only one field\n");
        Files.writeString(folder.resolve("pairs.csv"), pairs);
        List<String> line = new ArrayList<>(List.of(
                "run",
                "--problem=edit_distance",
                "--results=edit_distance,edit_cigar",
                "--input=" + folder.resolve("pairs.csv"),
                "--on-bad-row=quarantine",
                "--name=& <b>co",
                "--output=" + folder.resolve("out")));
        line.addAll(Arrays.asList(more));
        CommandLineRun run = CommandLineRun.of(line.toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        return folder.resolve("out/_bellman/report.html");
    }

    @Test
    void whatItIsMadeOf() throws IOException {
        Path page = run("--verify=0.5");
        JsonNode report = CommandLineRun.report(folder.resolve("out"));

        assertThat(report.at("/machine/cores").asInt()).isEqualTo(2);
        assertThat(report.at("/machine/coreUtilization").asDouble()).isBetween(0.0, 1.0);
        assertThat(report.at("/timeline/tasks").size())
                .isEqualTo(report.at("/timeline/taskCount").asInt())
                .isPositive();
        assertThat(report.at("/timeline/stages").findValuesAsText("name"))
                .contains("& <b>co: solve", "& <b>co: verify");
        assertThat(report.at("/timeline/stages").findValuesAsText("work"))
                .anyMatch(work -> work.matches("read, .*compute.*, write"));
        assertThat(report.path("host").asText()).isNotEmpty();
        assertThat(Instant.parse(report.path("finished").asText()))
                .isAfter(Instant.parse(report.path("started").asText()));
        assertThat(report.path("command").asText())
                .startsWith("bellman run --problem=edit_distance ")
                .contains(" '--name=& <b>co' ")
                .endsWith(" --verify=0.5");
        // in a run of a few seconds, starting up takes most of the time
        assertThat(report.has("limit")).isFalse();
        assertThat(report.path("resultsSampled").asBoolean()).isFalse();
        assertThat(report.path("results").findValuesAsText("name"))
                .containsExactly("edit_distance", "length of edit_cigar");
        assertThat(report.at("/results/0/nulls").asInt()).isEqualTo(10);
        assertThat(IntStream.range(0, report.at("/results/0/bins").size())
                        .map(i -> report.at("/results/0/bins").get(i).asInt())
                        .sum())
                .isEqualTo(190);
        assertThat(report.at("/sizes/0/name").asText()).isEqualTo("length of a");
        assertThat(report.at("/quarantineReasons/0/rows").asInt()).isPositive();
        assertThat(Files.readString(page))
                .contains("\"rowsOut\" : " + report.path("rowsOut").asInt())
                .doesNotContain("<b>co", "http://localhost", "src=", "@import");
    }

    /** For pairs, the sizes describe the rows that are paired, so the report need not find pairs again. */
    @ParameterizedTest
    @CsvSource({"cross, 30, 20", "all-vs-all, 30, 30", "within, 30, 20", "nearest, 30, 20"})
    void sizesOfPairs(String pairing, int rowsOfA, int rowsOfB) throws IOException {
        Path input = words("input.csv", rowsOfA, "ab");
        List<String> line = new ArrayList<>(List.of(
                "run",
                "--problem=edit_distance",
                "--argument=word",
                "--input=" + input,
                "--pairing=" + pairing,
                "--output=" + folder.resolve("out")));
        if (!pairing.equals("all-vs-all")) {
            line.add("--targets=" + words("targets.csv", rowsOfB, "abcdefghij"));
        }
        if (pairing.equals("within")) {
            line.add("--max-distance=1");
        }

        CommandLineRun.of(line.toArray(String[]::new)).assertDone();
        JsonNode sizes = CommandLineRun.report(folder.resolve("out")).path("sizes");
        assertThat(sizes.findValuesAsText("name")).containsExactly("length of a", "length of b");
        assertThat(sizes.findValuesAsText("rows")).containsExactly("" + rowsOfA, "" + rowsOfB);
        assertThat(sizes.at("/0/classes/0/upTo").asInt()).isEqualTo(16);
        assertThat(sizes.at("/1/classes/0/upTo").asInt()).isEqualTo(pairing.equals("all-vs-all") ? 16 : 64);
    }

    /** Writes words that have this beginning. */
    private Path words(String name, int count, String beginning) throws IOException {
        return Files.write(
                folder.resolve(name),
                Stream.concat(Stream.of("id,word"), IntStream.range(0, count).mapToObj(i -> "%d,%s"
                                .formatted(i, beginning.repeat(beginning.length() / 2) + i)))
                        .toList());
    }

    /** No text in a report can end the script element that contains it. */
    @Test
    void textIsNoMarkup() {
        assertThat(ReportPage.of("{\"name\": \"</script><script>alert(1)\"}"))
                .contains("\\u003c/script>\\u003cscript>alert(1)")
                .doesNotContain("<script>alert");
    }

    @Test
    void histograms() {
        assertThat(Histogram.of("x", List.of(1.0, 1.0, 3.0, Double.NaN)).describe())
                .containsAllEntriesOf(Map.of("rows", 4L, "nulls", 1L, "min", 1.0, "median", 1.0, "max", 3.0))
                .containsEntry("bins", List.of(2L, 0L, 1L));
        assertThat(Histogram.of("x", List.of(0.0, 999.0)).describe()).containsEntry("width", 25.0);
        assertThat(Histogram.of("x", List.of(0.5)).describe()).containsEntry("bins", List.of(1L));
        assertThat(Histogram.of("x", List.of(0.0, 0.25, 1.0)).describe())
                .extractingByKey("bins")
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .hasSize(40)
                .endsWith(1L);
        assertThat(Histogram.of("x", List.of()).describe()).containsEntry("bins", List.of());
    }

    @Test
    void tablesFitTheTerminal() {
        List<List<String>> rows = List.of(List.of("1", "x".repeat(60), "y"), List.of("12345678", "", "z"));
        String wide = TextTable.of(List.of("id", "text", "other"), rows, 100);
        String narrow = TextTable.of(List.of("id", "text", "other"), rows, 40);

        assertThat(wide).contains("|" + "x".repeat(60) + "|").contains("|12345678|");
        assertThat(narrow.lines()).allMatch(line -> line.length() == 40);
        assertThat(narrow).contains("|12345678|", "xxx...|");
        assertThat(TextTable.of(List.of("a", "b", "c", "d"), List.of(List.of("1", "2", "3", "4")), 13))
                .endsWith("and 2 more: c, d\n");
    }

    @Test
    void show() throws IOException {
        run("--output-format=csv");
        CommandLineRun shown = CommandLineRun.of("show", folder.resolve("out").toString(), "--count=3");

        assertThat(shown.err()).isEmpty();
        assertThat(shown.out()).contains("edit_distance|", "& <b>co: 201 rows", "_bellman/report.html");
        assertThat(shown.out().lines().filter(line -> line.startsWith("|"))).hasSize(4);
        assertThat(CommandLineRun.of("show", folder.resolve("pairs.csv").toString(), "--count=1")
                        .out())
                .contains("| id|");
        Files.writeString(folder.resolve("nested.json"), "{\"x\": [[1, 2], null], \"y\": {\"z\": [3]}}\n");
        assertThat(CommandLineRun.of("show", folder.resolve("nested.json").toString())
                        .out())
                .contains("|[[1, 2], null]|{[3]}|");
        assertThat(CommandLineRun.of("show", folder.resolve("none").toString()).err())
                .contains("[BELLMAN_INPUT_READ]", "no output exists at");
        assertThat(CommandLineRun.of(
                                "show",
                                Files.createDirectory(folder.resolve("empty")).toString())
                        .err())
                .contains("[BELLMAN_INPUT_FORMAT]", "nor a file in a supported format");
    }

    /** In a browser, with {@code -Pbrowser}, the page draws plots in light and dark colours. */
    @Test
    void inABrowser() throws Exception {
        String browser = System.getProperty("bellman.test.browser", "");
        assumeTrue(!browser.isEmpty(), "skipped: no browser; -Pbrowser names one");
        Path page = run();
        Path dom = folder.resolve("dom.html");
        start(dom, browser, "--dump-dom", page.toUri().toString());
        assertThat(Files.readString(dom))
                .contains("class=\"bin\"", "class=\"task\"", "Size classes", "&amp; &lt;b&gt;co");

        int light = background(browser, page, "light.png");
        int dark = background(browser, page, "dark.png", "--blink-settings=preferredColorScheme=0");
        assertThat(light & 255).isGreaterThan(200);
        assertThat(dark & 255).isLessThan(60);
    }

    /** Returns the colour of the corner of the page in a screenshot, which must have many colours. */
    private int background(String browser, Path page, String name, String... more) throws Exception {
        Path picture = folder.resolve(name);
        List<String> arguments = new ArrayList<>(List.of(
                "--window-size=1100,2000",
                "--screenshot=" + picture,
                page.toUri().toString()));
        arguments.addAll(Arrays.asList(more));
        start(folder.resolve("log"), browser, arguments.toArray(String[]::new));
        BufferedImage image = ImageIO.read(picture.toFile());
        assertThat(Arrays.stream(image.getRGB(0, 0, 1100, 2000, null, 0, 1100))
                        .distinct()
                        .count())
                .isGreaterThan(50);
        return image.getRGB(2, 2);
    }

    private static void start(Path out, String browser, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    }
}
