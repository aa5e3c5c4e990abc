package dev.bellman;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The recipes of {@code CONTRIBUTING.md} name files, classes and functions that exist. */
class RecipesTest {
    private static final Path ROOT = Path.of("..");

    /** The first cell of a row of a table: a file. */
    private static final Pattern FILE = Pattern.compile("(?m)^\\| `([^`]+/[^`]+\\.(?:java|cuh?))` \\|");

    /** A class by its package and name: {@code columns/Instances}. */
    private static final Pattern CLASS = Pattern.compile("`([a-z]+(?:/[a-z]+)*/[A-Z]\\w+)`");

    private static String recipes() throws IOException {
        String page = Files.readString(ROOT.resolve("CONTRIBUTING.md"));
        return page.substring(page.indexOf("## A new function"), page.indexOf("## Checks"));
    }

    private static List<String> named(Pattern pattern) throws IOException {
        return pattern.matcher(recipes())
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    @Test
    void files() throws IOException {
        assertThat(named(FILE)).hasSizeGreaterThan(15).allSatisfy(file -> assertThat(ROOT.resolve(file))
                .isRegularFile());
    }

    @Test
    void classes() throws IOException {
        assertThat(named(CLASS)).hasSizeGreaterThan(8).allSatisfy(name -> assertThat(
                        List.of("gpu-udfs/src/main", "gpu-udfs/src/gpu", "spark-job/src/main", "spark-job/src/gpu"))
                .anySatisfy(source -> assertThat(ROOT.resolve("%s/java/dev/bellman/%s.java".formatted(source, name)))
                        .isRegularFile()));
    }
}
