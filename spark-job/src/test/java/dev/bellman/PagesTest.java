package dev.bellman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.function.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that packages, files, classes and functions mentioned on the pages exist. */
class PagesTest {
    private static final Path ROOT = Path.of("..");

    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

    /** A class name, possibly after folders: {@code columns/Instances}. */
    private static final Pattern CLASS = Pattern.compile("(?:[a-z]+/)*[A-Z]+[a-z]\\w*");

    /** A file or a folder of the checkout. */
    private static final Pattern FILE = Pattern.compile("(?:gpu-udfs|spark-job|datasets|conf|submit|docs)/[\\w./-]+");

    private static final Pattern PACKAGE = Pattern.compile("(?:dev\\.bellman\\.)?[a-z]+(?:\\.[a-z]+)*");
    private static final Pattern STRATEGY = Pattern.compile("[a-z]+(?:-[a-z0-9]+)*");
    private static final Pattern FUNCTION = Pattern.compile("[a-z]+(?:_[a-z0-9]+)*");

    /** The paths of all sources, each after a slash and without {@code .java}. */
    private static List<String> files;

    private static String sources;

    @BeforeAll
    static void read() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> found = Files.walk(ROOT.resolve("gpu-udfs/src"));
                Stream<Path> others = Files.walk(ROOT.resolve("spark-job/src"))) {
            List<Path> java = Stream.concat(found, others)
                    .filter(file -> file.toString().endsWith(".java"))
                    .toList();
            files = java.stream()
                    .map(file -> "/" + file.toString().replace(".java", ""))
                    .toList();
            for (Path file : java) {
                all.append(Files.readString(file));
            }
        }
        sources = all.toString();
    }

    /** Returns the page without its code blocks. */
    private static String page(String name) throws IOException {
        return Files.readString(ROOT.resolve(name)).replaceAll("(?s)```.*?```", "");
    }

    private static Set<String> named(String text, Pattern pattern) {
        return CODE.matcher(text)
                .results()
                .map(found -> found.group(1))
                .filter(name -> pattern.matcher(name).matches())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String section(String page, String heading) {
        return page.substring(page.indexOf(heading)).split("(?m)^## ", 3)[1];
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONTRIBUTING.md", "docs/design.md"})
    void classes(String page) throws IOException {
        assertThat(named(page(page), CLASS)).hasSizeGreaterThan(8).allSatisfy(name -> assertThat(
                        files.stream().anyMatch(file -> file.endsWith("/" + name))
                                // within another class, or imported from a library
                                || Pattern.compile("(?:(?:class|enum|interface|record) |import .*\\.)" + name + "\\b")
                                        .matcher(sources)
                                        .find())
                .as(name)
                .isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONTRIBUTING.md", "docs/design.md"})
    void files(String page) throws IOException {
        assertThat(named(page(page), FILE))
                .filteredOn(name -> !name.contains("/target"))
                .allSatisfy(name -> assertThat(ROOT.resolve(name)).exists());
    }

    private static void assertPackage(String name) {
        String folder = "/dev/bellman/" + name.replace("dev.bellman.", "").replace('.', '/') + "/";
        assertThat(files).as("the package " + name).anyMatch(file -> file.contains(folder));
    }

    /** Checks the packages in the drawing and in the table, whose order {@link PackagesTest} enforces. */
    @Test
    void layers() throws IOException {
        String section = section(Files.readString(ROOT.resolve("docs/design.md")), "## Modules and layers");
        String[] parts = section.split("```");
        List<List<String>> layers = Stream.of(parts[1].trim().split("->"))
                .map(layer -> Stream.of(layer.split(","))
                        .map(name -> name.trim().replaceFirst("^dev\\.bellman$", ""))
                        .toList())
                .toList();
        for (int i = 1; i < layers.size(); i++) {
            for (String above : layers.get(i - 1)) {
                assertThat(layers.get(i)).allSatisfy(below -> assertThat(PackagesTest.line(below))
                        .as(above + " -> " + below)
                        .isGreaterThan(PackagesTest.line(above)));
            }
        }

        String table = parts[2].lines().filter(line -> line.startsWith("| `")).collect(Collectors.joining("\n"));
        assertThat(named(table, PACKAGE)).containsAll(PackagesTest.FAMILIES).allSatisfy(PagesTest::assertPackage);
    }

    @Test
    void packages() throws IOException {
        String page = Files.readString(ROOT.resolve("CONTRIBUTING.md"));
        assertThat(Pattern.compile("\\bdev\\.bellman(?:\\.[a-z]+)+\\b")
                        .matcher(page)
                        .results()
                        .map(found -> found.group()))
                .isNotEmpty()
                .filteredOn(name -> !page.contains(name + "."))
                .allSatisfy(PagesTest::assertPackage);
    }

    @Test
    void functions() throws IOException {
        String tables =
                Files.readString(ROOT.resolve("gpu-udfs/src/main/java/dev/bellman/function/TableFunctions.java"));
        Set<String> known = Pattern.compile("\\[`(\\w+)`]\\(functions/")
                .matcher(Files.readString(ROOT.resolve("docs/functions.md")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        String readme = page("README.md");
        String examples = section(readme, "## What it computes")
                .lines()
                .filter(line -> line.startsWith("|"))
                .collect(Collectors.joining("\n"));
        assertThat(named(examples, FUNCTION))
                .hasSizeGreaterThan(20)
                .allMatch(name -> known.contains(name) || tables.contains('"' + name + '"'));

        Set<String> withoutKernels = functions(function -> !function.hasKernel());
        assertThat(readme.lines()
                        .filter(line -> line.contains("no kernel"))
                        .flatMap(line -> named(line, FUNCTION).stream()))
                .as("functions in lines with 'no kernel' under 'Requirements and limitations' in README.md")
                .containsExactlyInAnyOrderElementsOf(withoutKernels);
        Matcher sentence = Pattern.compile("All functions except ([^.]*) have a kernel")
                .matcher(section(page("docs/gpu.md"), "## What runs on the CPU"));
        assertThat(sentence.find()).isTrue();
        assertThat(named(sentence.group(1), FUNCTION))
                .as("functions without a kernel, under 'What runs on the CPU' in docs/gpu.md")
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(withoutKernels.stream(), Stream.of("cosine_distance"))
                                .toList());
    }

    /**
     * Checks the strategies, each with the functions for which it has no kernel, and the arguments without kernels. The
     * README lists functions without any kernel.
     */
    @Test
    void callsWithoutKernel() throws IOException {
        String section = section(page("docs/gpu.md"), "## What runs on the CPU");
        Map<String, Set<String>> found = new TreeMap<>();
        section.lines().filter(line -> line.startsWith("- ")).forEach(line -> {
            String[] parts = line.split(" for ", 2);
            for (String strategy : named(parts[0], STRATEGY)) {
                found.put(
                        strategy,
                        parts.length > 1
                                ? named(parts[1], FUNCTION)
                                : functions(function -> function.hasKernel()
                                        && function.problem().strategies().contains(strategy)));
            }
        });
        Map<String, Set<String>> expected = new TreeMap<>();
        for (BellmanFunction<?> function : Catalogue.functions()) {
            if (!function.hasKernel()) {
                continue;
            }
            List<String> kernels =
                    function.kernels().stream().map(Strategies::name).toList();
            function.problem().strategies().stream()
                    .filter(strategy -> !kernels.contains(strategy))
                    .forEach(strategy -> expected.computeIfAbsent(strategy, any -> new TreeSet<>())
                            .add(function.name()));
        }
        assertThat(found)
                .as("strategies without kernels, under 'What runs on the CPU' in docs/gpu.md")
                .isEqualTo(expected);

        assertThat(argumentsOf(section)).isEqualTo(withoutKernel());
    }

    /** Returns the arguments with which calls run on the CPU, according to a page. */
    private static Set<String> argumentsOf(String page) {
        Matcher calls = Pattern.compile("(?i)calls (?:with|that pass) ([^;.]*?) run (?:only )?on the CPU")
                .matcher(page);
        assertThat(calls.find()).isTrue();
        return named(calls.group(1), FUNCTION);
    }

    private static Set<String> withoutKernel() {
        return Catalogue.functions().stream()
                .flatMap(function -> function.withoutKernel().stream())
                .map(Parameter::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> functions(Predicate<BellmanFunction<?>> wanted) {
        return Catalogue.functions().stream()
                .filter(wanted)
                .map(BellmanFunction::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
