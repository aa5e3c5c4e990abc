package dev.bellman.job.cli;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.function.Bellman;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.classic.Dataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the documentation is correct: links resolve, jobs run, and SQL returns the results shown. */
class DocumentationTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\n(.*?)^```$");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]+]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    private record Block(String language, String text) {}

    static List<Path> pages() throws IOException {
        List<Path> pages =
                new ArrayList<>(Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "datasets/README.md")
                        .map(ROOT::resolve)
                        .toList());
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksResolve(Path page) throws IOException {
        assertThat(LINK.matcher(withoutBlocks(page)).results().map(match -> match.group(1)))
                .filteredOn(link -> !link.contains("://"))
                .allSatisfy(link -> {
                    String[] parts = link.split("#", 2);
                    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
                    assertThat(target).exists();
                    if (parts.length == 2) {
                        assertThat(anchors(target)).contains(parts[1]);
                    }
                });
    }

    @Test
    void navigationHasEveryPage() throws IOException {
        String site = Files.readString(ROOT.resolve("mkdocs.yml"));

        assertThat(pages())
                .filteredOn(page -> page.startsWith(ROOT.resolve("docs")))
                .allSatisfy(page ->
                        assertThat(site).contains(" " + ROOT.resolve("docs").relativize(page) + "\n"));
    }

    @Test
    void pagesHaveAtMost400Lines() throws IOException {
        for (Path page : pages()) {
            assertThat(Files.readAllLines(page)).as(page.toString()).hasSizeLessThanOrEqualTo(400);
        }
    }

    @Test
    void readmeFitsAFewScreens() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(120);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README",
                "docs/first-query",
                "docs/first-job",
                "docs/job-file",
                "docs/input",
                "docs/large-instances",
                "docs/deduplicate",
                "docs/link-records",
                "docs/best-hits",
                "docs/alignment",
                "docs/pipelines",
                "docs/recipes",
                "docs/hidden-markov-models"
            })
    void jobsAndQueriesGiveWhatIsShown(String page, @TempDir Path folder) throws IOException {
        Bellman.register(LocalSpark.session());
        List<Block> blocks = BLOCK.matcher(Files.readString(ROOT.resolve(page + ".md")))
                .results()
                .map(match -> new Block(match.group(1), here(match.group(2), folder)))
                .toList();

        assertThat(blocks).extracting(Block::language).containsAnyOf("yaml", "text");
        for (int i = 0; i < blocks.size(); i++) {
            String text = blocks.get(i).text();
            switch (blocks.get(i).language()) {
                case "yaml" -> run(Files.writeString(folder.resolve("job.yaml"), text), text);
                case "sql" -> {
                    Dataset<?> result = (Dataset<?>) LocalSpark.session().sql(text);
                    if (i + 1 < blocks.size() && blocks.get(i + 1).language().equals("text")) {
                        assertThat(result.showString(100, 0, false).strip())
                                .as(text)
                                .isEqualTo(blocks.get(i + 1).text().strip());
                    }
                }
                default -> {}
            }
        }
    }

    /** The rates are jiwer 4.0.0's. */
    @Test
    void wordErrorsIgnoreSpacesAsJiwerDoes() throws IOException {
        Bellman.register(LocalSpark.session());
        LocalSpark.session()
                .sql("SELECT * FROM VALUES (1, ' the  cat', 'the cat '), (2, '', 'a b'), (3, 'a b', ' '), "
                        + "(4, 'a \\n b\\n', 'a b'), (5, 'A b', ' a c') AS texts(speaker, reference, hypothesis)")
                .createOrReplaceTempView("transcripts");
        String query = BLOCK.matcher(Files.readString(ROOT.resolve("docs/names.md")))
                .results()
                .map(match -> match.group(2))
                .filter(block -> block.contains("FROM transcripts"))
                .findFirst()
                .orElseThrow()
                .replace("BY speaker;", "BY speaker ORDER BY speaker")
                .replace("AS rate", "AS rate, sum(errors.rate)");

        assertThat(LocalSpark.session().sql(query).collectAsList())
                .extracting(Row::toString)
                .containsExactly("[1,0.0,0.0]", "[2,null,2.0]", "[3,1.0,1.0]", "[4,0.0,0.0]", "[5,0.5,0.5]");
    }

    private static void run(Path file, String job) {
        CommandLineRun run = CommandLineRun.of("run", file.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isEqualTo(job.contains("quarantine") ? ExitCode.QUARANTINED : ExitCode.DONE);
    }

    /** Replaces paths, because tests run in their module's folder. */
    private static String here(String text, Path folder) {
        return text.replace("datasets/", "../datasets/").replace("out/", folder + "/out/");
    }

    private static String withoutBlocks(Path page) throws IOException {
        return Files.readString(page).replaceAll("(?ms)^```.*?^```$", "").replaceAll("`[^`\n]*`", "");
    }

    /** Returns the anchors that GitHub derives from headings. */
    private static Set<String> anchors(Path page) throws IOException {
        String text = Files.readString(page).replaceAll("(?ms)^```.*?^```$", "");
        return HEADING.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .collect(toSet());
    }
}
