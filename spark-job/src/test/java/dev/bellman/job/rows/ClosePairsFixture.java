package dev.bellman.job.rows;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.bellman.align.distance.EditDistance;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;

/** The code that {@link ClosePairsTest} and {@link UnusualPairsTest} share. */
abstract class ClosePairsFixture {
    final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    final List<Entry> queries = new ArrayList<>();
    final List<Entry> targets = new ArrayList<>();

    record Entry(Integer id, String text, String country) {}

    /** A pair; its string contains the ids, the countries and the distance, like a row of the output. */
    record Pair(Entry a, Entry b, int distance) {
        @Override
        public String toString() {
            return "[%s,%s,%s,%s,%d]".formatted(a.id(), b.id(), a.country(), b.country(), distance);
        }
    }

    @BeforeEach
    void write() throws IOException {
        Random random = new Random(3);
        fill(queries, 40, random);
        fill(targets, 60, random);
        write("queries.tsv", queries);
        write("targets.tsv", targets);
    }

    static void fill(List<Entry> list, int count, Random random) {
        for (int i = 0; i < count; i++) {
            String text = random.ints(2 + random.nextInt(7), 'a', 'c')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            list.add(new Entry(i, text, random.nextBoolean() ? "de" : "fr"));
        }
    }

    void write(String file, List<Entry> entries) throws IOException {
        StringBuilder lines = new StringBuilder("id\ttext\tcountry\n");
        entries.forEach(entry -> lines.append("%d\t%s\t%s\n".formatted(entry.id(), entry.text(), entry.country())));
        Files.writeString(folder.resolve(file), lines);
    }

    CommandLineRun run(String... more) {
        return CommandLineRun.ofJob(
                folder,
                "edit_distance",
                "queries.tsv",
                List.of("--input-option=inferSchema=true", "--argument=text", "--keep=country"),
                more);
    }

    List<String> written() {
        return LocalSpark.written(folder);
    }

    static Stream<Pair> pairs(List<Entry> as, List<Entry> bs) {
        return as.stream().flatMap(a -> bs.stream()
                .map(b -> new Pair(a, b, EditDistance.distance(a.text(), b.text(), EditDistance.Strategy.SERIAL))));
    }

    static List<String> lines(Stream<Pair> pairs) {
        return pairs.map(Pair::toString).sorted().toList();
    }

    static List<Arguments> limits() {
        return Thorough.cases(2, arguments(2, true), arguments(1, false), arguments(0, false), arguments(3, false));
    }

    void writeJson(String file, List<Entry> entries) throws IOException {
        StringBuilder lines = new StringBuilder();
        entries.forEach(entry -> lines.append("{\"id\": %d, \"text\": %s, \"country\": %s}\n"
                .formatted(entry.id(), quoted(entry.text()), quoted(entry.country()))));
        Files.writeString(folder.resolve(file), lines);
    }

    static String quoted(String text) {
        return text == null ? "null" : '"' + text + '"';
    }

    CommandLineRun runUnusual(String... more) {
        return CommandLineRun.ofJob(
                folder, "edit_distance", "queries.json", List.of("--argument=text", "--keep=country"), more);
    }

    String unusualTargets() {
        return "--targets=" + folder.resolve("targets.json");
    }

    /** Returns the pairs of strings that a cross product finds. NULL is neither equal nor close to any string. */
    static Stream<Pair> known(Stream<Entry> as, List<Entry> bs, boolean byCountry) {
        List<Entry> known = bs.stream().filter(entry -> entry.text() != null).toList();
        return as.filter(entry -> entry.text() != null)
                .flatMap(a -> pairs(List.of(a), known))
                .filter(pair -> !byCountry
                        || pair.a().country() != null
                                && pair.a().country().equals(pair.b().country()));
    }

    static String text(Random random, int length) {
        return random.ints(length, 0, 4)
                .mapToObj(letter -> "ACGT".substring(letter, letter + 1))
                .collect(Collectors.joining());
    }
}
