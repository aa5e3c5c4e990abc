package dev.bellman;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Checks that package dependencies run one way in both modules, based on the imports in the sources. */
class PackagesTest {
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?(dev\\.bellman(?:\\.[a-z]\\w*)*)\\.[A-Z]");

    /** The packages, from top to bottom. A package may use only the packages on later lines. */
    private static final List<Set<String>> ORDER = List.of(
            // the packages up to bench.measure are in separate jars, next to the application's
            Set.of("bench"),
            Set.of("check", "check.instances"),
            Set.of("bench.tiles"),
            Set.of("bench.paper"),
            Set.of("bench.measure"),
            Set.of("job"),
            Set.of("job.cli"),
            Set.of("large"),
            Set.of("job.run"),
            Set.of("large.file", "large.grid", "job.report", "job.rows"),
            Set.of("job.input"),
            Set.of("job.spec"),
            Set.of("generate", "job.cluster", "job.format"),
            Set.of("job.plan", "job.output", "job.table", "job.text.csv"),
            Set.of("job.progress", "job.terminal", "job.text"),
            Set.of("function"),
            Set.of("plan"),
            Set.of("plan.bound", "plan.components", "plan.nearest", "plan.packed", "plan.training"),
            Set.of("plan.catalyst"),
            Set.of("join"),
            Set.of("join.components", "join.measure", "join.sort"),
            Set.of("a family"),
            Set.of("proof"),
            Set.of("entry"),
            Set.of("columns"),
            Set.of("large.levels"),
            Set.of("large.tiles"),
            Set.of("cuda"),
            Set.of(""));

    /**
     * The problem families, which do not refer to each other. A family's packages are the package with this name and
     * its subpackages.
     */
    static final Set<String> FAMILIES = Set.of(
            "align",
            "best",
            "chain",
            "fold",
            "grammar",
            "graph",
            "knapsack",
            "linear",
            "markov",
            "order",
            "recurrence",
            "schedule",
            "segment",
            "series");

    /** The maximum number of files in a package. */
    private static final int MAX_FILES = 24;

    private static final int MAX_LINES = 400;
    private static final int MAX_KERNEL_LINES = 500;
    private static final int MAX_METHOD_LINES = 60;
    private static final int MAX_COLUMNS = 120;

    private record Dependency(String from, String to) {}

    private static Set<Dependency> dependencies() throws IOException {
        Set<Dependency> dependencies = new HashSet<>();
        for (String module : List.of("gpu-udfs", "spark-job")) {
            for (String side : List.of("main/java", "main/vector", "proof/java", "gpu/java")) {
                Path sources = Path.of("..", module, "src", side);
                if (Files.isDirectory(sources)) {
                    dependencies.addAll(dependencies(sources));
                }
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

    /** Returns the name under which {@link #ORDER} lists a package; all families share one name. */
    private static String room(String name) {
        String room = name.equals("dev.bellman") ? "" : name.substring("dev.bellman.".length());
        return FAMILIES.contains(room.split("\\.")[0]) ? "a family" : room;
    }

    static int line(String room) {
        for (int i = 0; i < ORDER.size(); i++) {
            if (ORDER.get(i).contains(room)) {
                return i;
            }
        }
        throw new AssertionError("the package dev.bellman.%s has no line in the order".formatted(room));
    }

    @Test
    void downOnly() throws IOException {
        assertThat(dependencies())
                .hasSizeGreaterThan(10)
                .filteredOn(dependency -> !room(dependency.from()).equals(room(dependency.to())))
                .allSatisfy(dependency ->
                        assertThat(line(room(dependency.to()))).isGreaterThan(line(room(dependency.from()))));
    }

    @Test
    void noFamilyNamesAnother() throws IOException {
        assertThat(dependencies())
                .filteredOn(dependency -> room(dependency.from()).equals("a family")
                        && room(dependency.to()).equals("a family"))
                .hasSizeGreaterThan(10)
                .allSatisfy(dependency -> assertThat(family(dependency.to())).isEqualTo(family(dependency.from())));
    }

    private static String family(String name) {
        return name.split("\\.")[2];
    }

    /** The names by which {@code gpu-udfs/pom.xml} selects classes for the jar of proofs. */
    private static final Pattern PROOF = Pattern.compile("proof/[\\w-]+|.*/\\w*(Textbook|Proofs)|.*/\\w+Instances");

    /** A nested class that, by its name, would be in the jar of proofs. */
    private static final Pattern NESTED =
            Pattern.compile("(?m)^ +.*\\b(class|record|interface|enum) \\w*(Textbook|Proofs|Instances)\\w*");

    @Test
    void proofsAreApart() throws IOException {
        Path module = Path.of("..", "gpu-udfs", "src");
        Set<String> apart = new TreeSet<>();
        List<Path> production = new ArrayList<>();
        for (Path file : sources("gpu-udfs")) {
            String name = module.relativize(file).toString().replaceFirst("^\\w+/\\w+/dev/bellman/(.*)\\.java$", "$1");
            boolean proof = module.relativize(file).startsWith("proof");
            assertThat(PROOF.matcher(name).matches()).as(file.toString()).isEqualTo(proof);
            if (proof) {
                apart.add(file.getFileName().toString().replace(".java", ""));
            } else {
                production.add(file);
                // the jar of a nested class depends on its file name, Outer$Inner
                assertThat(NESTED.matcher(code(file)).results().map(MatchResult::group))
                        .as(file.toString())
                        .isEmpty();
            }
        }
        production.addAll(sources("spark-job").stream()
                .filter(file -> !file.toString().matches(".*/dev/bellman/check/.*"))
                .toList());

        apart.remove("package-info");
        Pattern names = Pattern.compile("\\b(" + String.join("|", apart) + ")\\b");
        assertThat(production).hasSizeGreaterThan(500).allSatisfy(file -> {
            assertThat(names.matcher(code(file)).results().map(found -> found.group()))
                    .as(file.toString())
                    .isEmpty();
        });
    }

    /** Returns a source without comments and strings. */
    private static String code(Path file) throws IOException {
        return Files.readString(file).replaceAll("(?s)/\\*.*?\\*/|//[^\n]*|\"[^\"\n]*\"", "");
    }

    @Test
    void fewFilesInARoom() throws IOException {
        Map<Path, Long> files = new TreeMap<>();
        for (String module : List.of("gpu-udfs", "spark-job")) {
            sources(module).forEach(file -> files.merge(file.getParent(), 1L, Long::sum));
        }

        assertThat(files).hasSizeGreaterThan(40).allSatisfy((folder, count) -> {
            String name = folder.toString().replaceAll(".*/java/", "").replace('/', '.');
            assertThat(count).as(name).isLessThanOrEqualTo(MAX_FILES);
        });
    }

    /** A text block may be wider, because it shows text that is printed or written. */
    @Test
    void shortFilesAndLines() throws IOException {
        assertThat(Stream.concat(sources("gpu-udfs").stream(), sources("spark-job").stream()))
                .hasSizeGreaterThan(500)
                .allSatisfy(file -> {
                    List<String> lines = Files.readAllLines(file);
                    assertThat(lines).as(file.toString()).hasSizeLessThanOrEqualTo(MAX_LINES);
                    String withoutBlocks = String.join("\n", lines).replaceAll("(?s)\"\"\".*?\"\"\"", "");
                    assertThat(withoutBlocks.lines())
                            .as(file.toString())
                            .allMatch(line -> line.codePointCount(0, line.length()) <= MAX_COLUMNS);
                });
    }

    @Test
    void shortTests() throws IOException {
        List<Path> tests = new ArrayList<>();
        for (String module : List.of("gpu-udfs", "spark-job")) {
            try (Stream<Path> found = Files.walk(Path.of("..", module, "src"))) {
                found.filter(file -> file.toString().matches(".*/src/(test|gpu-test|jmh)/java/.*\\.java"))
                        .forEach(tests::add);
            }
        }
        assertThat(tests).hasSizeGreaterThan(300).allSatisfy(file -> assertThat(Files.readAllLines(file))
                .as(file.toString())
                .hasSizeLessThanOrEqualTo(MAX_LINES));
    }

    @Test
    void shortKernels() throws IOException {
        try (Stream<Path> found = Files.walk(Path.of("..", "gpu-udfs", "src", "gpu", "cuda"))) {
            assertThat(found.filter(file -> file.toString().matches(".*\\.cuh?")))
                    .hasSizeGreaterThan(90)
                    .allSatisfy(file -> assertThat(Files.readAllLines(file))
                            .as(file.toString())
                            .hasSizeLessThanOrEqualTo(MAX_KERNEL_LINES)
                            .allMatch(line -> line.length() <= MAX_COLUMNS));
        }
    }

    @Test
    void shortMethods() throws IOException {
        List<String> longer = new ArrayList<>();
        List<Path> all = new ArrayList<>(sources("gpu-udfs"));
        all.addAll(sources("spark-job"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task =
                    (JavacTask) compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(all));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new TreeScanner<Void, Void>() {
                    @Override
                    public Void visitMethod(MethodTree method, Void nothing) {
                        long end = positions.getEndPosition(unit, method);
                        if (method.getBody() != null) {
                            LineMap lines = unit.getLineMap();
                            long begin = positions.getStartPosition(unit, method);
                            String name = unit.getSourceFile().getName().replaceAll(".*/|\\.java", "") + "."
                                    + method.getName();
                            if (lines.getLineNumber(end) - lines.getLineNumber(begin) >= MAX_METHOD_LINES) {
                                longer.add(name);
                            }
                        }
                        return super.visitMethod(method, nothing);
                    }
                }.scan(unit, null);
            }
        }

        assertThat(longer).isEmpty();
    }

    private static List<Path> sources(String module) throws IOException {
        try (Stream<Path> found = Files.walk(Path.of("..", module, "src"))) {
            return found.filter(file -> file.toString()
                            .matches(".*/src/(main/java|main/vector|proof/java|gpu/java)/dev/bellman/.*\\.java"))
                    .toList();
        }
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
