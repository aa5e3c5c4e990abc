package dev.bellman;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dependencies between packages run one way, in both modules. Checked on the imports of the sources. */
class PackagesTest {
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?(dev\\.bellman(?:\\.[a-z]\\w*)*)\\.[A-Z]");

    /** From the top down; a package may use those after it. Every other package of gpu-udfs is a problem family. */
    private static final List<Set<String>> LAYERS = List.of(
            Set.of("job"),
            Set.of("bench", "check"),
            Set.of("generate", "job.output"),
            Set.of("function"),
            Set.of("plan"),
            Set.of("join"),
            Set.of("a family"),
            Set.of("entry", "columns"),
            Set.of("tiles"),
            Set.of("cuda"),
            Set.of(""));

    private record Dependency(String from, String to) {}

    private static Set<Dependency> dependencies() throws IOException {
        Set<Dependency> dependencies = new HashSet<>();
        for (String module : List.of("gpu-udfs", "spark-job")) {
            for (String side : List.of("main", "gpu")) {
                dependencies.addAll(dependencies(Path.of("..", module, "src", side, "java")));
            }
        }
        return dependencies;
    }

    private static Set<Dependency> dependencies(Path sources) throws IOException {
        Set<Dependency> dependencies = new HashSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> {
                String from = sources.relativize(file.getParent()).toString().replace('/', '.');
                lines(file)
                        .map(IMPORT::matcher)
                        .filter(Matcher::find)
                        .filter(matcher -> !matcher.group(1).equals(from))
                        .forEach(matcher -> dependencies.add(new Dependency(from, matcher.group(1))));
            });
        }
        return dependencies;
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first name below {@code dev.bellman}; outputs count as a package of their own, which benchmarks use too. */
    private static String top(String name) {
        if (name.equals("dev.bellman.job.output")) {
            return "job.output";
        }
        return name.equals("dev.bellman") ? "" : name.split("\\.")[2];
    }

    private static int layer(String top) {
        for (int i = 0; i < LAYERS.size(); i++) {
            if (LAYERS.get(i).contains(top)) {
                return i;
            }
        }
        return LAYERS.indexOf(Set.of("a family"));
    }

    @Test
    void downOnly() throws IOException {
        assertThat(dependencies())
                .hasSizeGreaterThan(10)
                .filteredOn(dependency -> !top(dependency.from()).equals(top(dependency.to())))
                .allSatisfy(dependency ->
                        assertThat(layer(top(dependency.to()))).isGreaterThan(layer(top(dependency.from()))));
    }

    @Test
    void noCycle() throws IOException {
        Map<String, Set<String>> uses = new TreeMap<>(dependencies().stream()
                .collect(groupingBy(Dependency::from, mapping(Dependency::to, toCollection(TreeSet::new)))));

        assertThat(uses.keySet())
                .allSatisfy(start -> assertThat(reachable(start, uses)).doesNotContain(start));
    }

    private static Set<String> reachable(String start, Map<String, Set<String>> uses) {
        Set<String> reached = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(uses.get(start));
        while (!next.isEmpty()) {
            String at = next.pop();
            if (reached.add(at)) {
                next.addAll(uses.getOrDefault(at, Set.of()));
            }
        }
        return reached;
    }
}
