package dev.bellman.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.align.distance.EditDistance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code pairing: within} and {@code pairing: nearest}. */
class ClosePairsTest {
    private static SparkSession spark;

    @TempDir
    Path folder;

    private final List<Entry> queries = new ArrayList<>();
    private final List<Entry> targets = new ArrayList<>();

    private record Entry(int id, String text, String country) {}

    /** Ids, distance, and the country of side a, which is kept. */
    private record Pair(Entry a, Entry b, int distance) {
        @Override
        public String toString() {
            return "[%d,%d,%s,%s,%d]".formatted(a.id(), b.id(), a.country(), b.country(), distance);
        }
    }

    @BeforeAll
    static void start() {
        spark = LocalSpark.session();
    }

    @BeforeEach
    void write() throws IOException {
        Random random = new Random(3);
        fill(queries, 40, random);
        fill(targets, 60, random);
        write("queries.tsv", queries);
        write("targets.tsv", targets);
    }

    private static void fill(List<Entry> list, int count, Random random) {
        for (int i = 0; i < count; i++) {
            String text = random.ints(2 + random.nextInt(7), 'a', 'c')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            list.add(new Entry(i, text, random.nextBoolean() ? "de" : "fr"));
        }
    }

    private void write(String file, List<Entry> entries) throws IOException {
        StringBuilder lines = new StringBuilder("id\ttext\tcountry\n");
        entries.forEach(entry -> lines.append("%d\t%s\t%s\n".formatted(entry.id(), entry.text(), entry.country())));
        Files.writeString(folder.resolve(file), lines);
    }

    private CommandLineRun run(String... more) {
        return CommandLineRun.of(Stream.concat(
                        Stream.of(
                                "run",
                                "--problem=edit_distance",
                                "--input=" + folder.resolve("queries.tsv"),
                                "--input-option=inferSchema=true",
                                "--argument=text",
                                "--keep=country",
                                "--output=" + folder.resolve("out")),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    private String withTargets() {
        return "--targets=" + folder.resolve("targets.tsv");
    }

    private List<String> written() {
        return spark.read().parquet(folder.resolve("out").toString()).collectAsList().stream()
                .map(Row::toString)
                .sorted()
                .toList();
    }

    private static Stream<Pair> pairs(List<Entry> as, List<Entry> bs) {
        return as.stream().flatMap(a -> bs.stream()
                .map(b -> new Pair(a, b, EditDistance.distance(a.text(), b.text(), EditDistance.Strategy.SERIAL))));
    }

    private static List<String> lines(Stream<Pair> pairs) {
        return pairs.map(Pair::toString).sorted().toList();
    }

    @ParameterizedTest
    @CsvSource({"1,false", "3,false", "2,true"})
    void withinTheInput(int max, boolean byCountry) {
        CommandLineRun run = byCountry
                ? run("--pairing=within", "--max=" + max, "--by=country")
                : run("--pairing=within", "--max=" + max);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
        assertThat(written())
                .isEqualTo(lines(pairs(queries, queries)
                        .filter(pair -> pair.a().id() < pair.b().id())
                        .filter(pair -> pair.distance() <= max)
                        .filter(pair ->
                                !byCountry || pair.a().country().equals(pair.b().country()))))
                .isNotEmpty();
    }

    @Test
    void withinTargets() {
        CommandLineRun run = run("--pairing=within", "--max=2", withTargets(), "--targets-option=inferSchema=true");
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
        assertThat(written())
                .isEqualTo(lines(pairs(queries, targets).filter(pair -> pair.distance() <= 2)))
                .isNotEmpty();
    }

    /** The plan has the join that compares only pairs that may be close. */
    @Test
    void planned() {
        CommandLineRun run = run("--pairing=within", "--max=2", "--dry-run");
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
        assertThat(run.out()).contains("SimilarStrings").doesNotContain("NestedLoopJoin");
    }

    @ParameterizedTest
    @CsvSource({"1,2", "3,2", "2,", "1,1"})
    void nearest(int top, Integer max) {
        List<String> options = new ArrayList<>(
                List.of("--pairing=nearest", "--top=" + top, withTargets(), "--targets-option=inferSchema=true"));
        if (max != null) {
            options.add("--max=" + max);
        }
        CommandLineRun run = run(options.toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
        assertThat(written())
                .isEqualTo(lines(queries.stream().flatMap(query -> pairs(List.of(query), targets)
                        .filter(pair -> max == null || pair.distance() <= max)
                        .sorted(Comparator.comparingInt(Pair::distance)
                                .thenComparingInt(pair -> pair.b().id()))
                        .limit(top))))
                .isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--pairing=within | pairing: within needs max",
                "--pairing=nearest | pairing is nearest, but there are no targets",
                "--max=2 | max needs pairing: within or nearest",
                "--by=country | by needs pairing: within or nearest",
                "--pairing=within --max=2 --top=2 | top needs pairing: cross or nearest",
                "--pairing=within --max=0 | max must be a whole number from 1 up",
                "--pairing=nearest --targets=x.tsv --best=1_per_x | pairing: nearest chooses by top",
                "--pairing=nearest --targets=x.tsv --results=edit_cigar | needs edit_distance among the results"
            })
    void wrong(String options, String message) {
        CommandLineRun run = run(Stream.of(options.split(" "))
                .map(option -> option.replace('_', option.startsWith("--best") ? ' ' : '_'))
                .toArray(String[]::new));
        assertThat(run.code()).isNotEqualTo(ExitCode.DONE);
        assertThat(run.err()).contains(message);
    }
}
