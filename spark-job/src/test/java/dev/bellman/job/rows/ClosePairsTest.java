package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.Thorough;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code pairing: within} and {@code pairing: nearest}. */
class ClosePairsTest extends ClosePairsFixture {
    private String withTargets() {
        return "--targets=" + folder.resolve("targets.tsv");
    }

    @ParameterizedTest
    @MethodSource("limits")
    void withinTheInput(int max, boolean byCountry) {
        (byCountry
                        ? run("--pairing=within", "--max-distance=" + max, "--block-on=country")
                        : run("--pairing=within", "--max-distance=" + max))
                .assertDone();
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
        CommandLineRun run = run(
                        "--pairing=within", "--max-distance=2", withTargets(), "--targets-option=inferSchema=true")
                .assertDone();
        assertThat(run.out())
                .containsPattern("distinct strings, about \\d+ pairs with edit_distance <= 2, method plain");
        assertThat(written())
                .isEqualTo(lines(pairs(queries, targets).filter(pair -> pair.distance() <= 2)))
                .isNotEmpty();
    }

    @Test
    void nothingToPair() throws IOException {
        writeJson("queries.json", List.of(new Entry(1, "a", "de")));
        writeJson("targets.json", List.of(new Entry(1, null, "de")));
        for (String pairing : List.of("within", "nearest")) {
            runUnusual("--pairing=" + pairing, "--max-distance=2", unusualTargets(), "--output-mode=overwrite")
                    .assertDone();
            assertThat(written()).isEmpty();
        }
    }

    /** The condition is applied before the closest row is chosen, so that the closest other row is found. */
    @ParameterizedTest
    @ValueSource(strings = {"--max-distance=3", ""})
    void nearestOther(String max) {
        run(Stream.of(
                                "--pairing=nearest",
                                "--targets=" + folder.resolve("queries.tsv"),
                                "--targets-option=inferSchema=true",
                                "--output-where=id_a <> id_b",
                                max)
                        .filter(option -> !option.isEmpty())
                        .toArray(String[]::new))
                .assertDone();
        assertThat(written())
                .isEqualTo(lines(queries.stream().flatMap(query -> pairs(List.of(query), queries)
                        .filter(pair -> !pair.a().id().equals(pair.b().id()))
                        .filter(pair -> max.isEmpty() || pair.distance() <= 3)
                        .sorted(Comparator.comparingInt(Pair::distance)
                                .thenComparingInt(pair -> pair.b().id()))
                        .limit(1))))
                .isNotEmpty();
    }

    /** The plan contains the join that compares only pairs that may be close. */
    @Test
    void planned() {
        CommandLineRun run = run("--pairing=within", "--max-distance=2", "--dry-run", "--verbose")
                .assertDone();
        assertThat(run.out()).contains("SimilarStrings").doesNotContain("NestedLoopJoin");
        long pairs = pairs(queries, queries)
                .filter(pair -> pair.a().id() < pair.b().id() && pair.distance() <= 2)
                .count();
        assertThat(run.out())
                .containsPattern("distinct strings, about \\d+ pairs with edit_distance <= 2, method plain, "
                        + "about 1.0 s to find the pairs on this machine");
        assertThat(folder.resolve("out")).doesNotExist();
        int expected = Integer.parseInt(run.out().replaceAll("(?s).*about (\\d+) pairs.*", "$1"));
        assertThat(expected).isBetween((int) pairs - 40, (int) pairs + 40);
    }

    /** The estimate counts each pair once, even if the column has the name that one side of the pairs gives it. */
    @Test
    void countsPairsOnce() throws IOException {
        Path input = Files.writeString(folder.resolve("a.csv"), "id,a\n1,kitten\n2,mitten\n");
        CommandLineRun run = CommandLineRun.of(
                "run",
                "--problem=edit_distance",
                "--input=" + input,
                "--output=" + folder.resolve("out"),
                "--argument=a",
                "--pairing=within",
                "--max-distance=2",
                "--dry-run");
        assertThat(run.out()).contains("2 distinct strings, about 1 pair ");
    }

    /** A run and a dry run refuse a join that would find too many pairs, and report the numbers. */
    @ParameterizedTest
    @ValueSource(strings = {"--dry-run", "--quiet"})
    void tooManyPairs(String option) {
        spark.sparkContext().conf().set("spark.bellman.join.maxPairs", "10");
        try {
            run("--pairing=within", "--max-distance=2", option)
                    .assertCode(ExitCode.INPUT)
                    .contains("BELLMAN_JOIN_PAIRS", "allows 10", "pairs of rows");
            assertThat(folder.resolve("out")).doesNotExist();
        } finally {
            spark.sparkContext().conf().remove("spark.bellman.join.maxPairs");
        }
    }

    static List<Arguments> numbers() {
        return Thorough.cases(2, arguments(3, 2), arguments(2, null), arguments(1, 2), arguments(1, 1));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void nearest(int top, Integer max) {
        List<String> options = new ArrayList<>(
                List.of("--pairing=nearest", "--top=" + top, withTargets(), "--targets-option=inferSchema=true"));
        if (max != null) {
            options.add("--max-distance=" + max);
        }
        run(options.toArray(String[]::new)).assertDone();
        assertThat(written())
                .isEqualTo(lines(queries.stream().flatMap(query -> pairs(List.of(query), targets)
                        .filter(pair -> max == null || pair.distance() <= max)
                        .sorted(Comparator.comparingInt(Pair::distance)
                                .thenComparingInt(pair -> pair.b().id()))
                        .limit(top))))
                .isNotEmpty();
    }

    private static String edited(Random random, String text, int edits) {
        String edited = text;
        for (int edit = 0; edit < edits; edit++) {
            int at = random.nextInt(edited.length() + 1);
            edited = edited.substring(0, at)
                    + text(random, random.nextInt(2))
                    + edited.substring(Math.min(edited.length(), at + random.nextInt(2)));
        }
        return edited;
    }

    static List<Arguments> tops() {
        return Thorough.cases(1, arguments(3, true), arguments(1, false));
    }

    /**
     * There are too many rows to compare all pairs: most rows find their targets within few edits, some rows are far
     * from all targets, and some are in small groups. Compares only some results, because the expected result of a row
     * requires its distances to all targets.
     */
    @ParameterizedTest
    @MethodSource("tops")
    void nearestByGrowingDistances(int top, boolean byCountry) throws IOException {
        Random random = new Random(7);
        targets.clear();
        queries.clear();
        for (int i = 0; i < 1_900; i++) {
            String country = i % 200 == 0 ? "is" : random.nextBoolean() ? "de" : "fr";
            String text = text(random, 10);
            targets.add(new Entry(i / 2, text, country));
            for (int edits = 0; edits < 3; edits++) {
                queries.add(
                        switch (i % 100) {
                            case 0 -> new Entry(i, null, country);
                            case 1 -> new Entry(i, "TTTTTTTTTTTTTTTTTTTT", country);
                            case 2 -> new Entry(i, text, "nowhere");
                            default -> new Entry(i, edited(random, text, edits), country);
                        });
            }
        }
        writeJson("queries.json", queries);
        writeJson("targets.json", targets);
        List<String> options = new ArrayList<>(List.of("--pairing=nearest", "--top=" + top, unusualTargets()));
        if (byCountry) {
            options.add("--block-on=country");
        }
        CommandLineRun run = runUnusual(options.toArray(String[]::new)).assertDone();
        assertThat(run.out())
                .contains(" with edit_distance <= 0, method ", " with edit_distance <= 1, method ")
                .doesNotContain("job: 0 rows");
        Comparator<Pair> order = Comparator.comparingInt(Pair::distance)
                .thenComparing(pair -> pair.b().id())
                .thenComparing(pair -> pair.b().country());
        List<String> written = written();
        assertThat(written).hasSizeGreaterThan(5_000);
        assertThat(written.stream()
                        .filter(row -> isCompared(Integer.parseInt(row.substring(1, row.indexOf(',')))))
                        .toList())
                .isEqualTo(lines(
                        queries.stream().filter(query -> isCompared(query.id())).flatMap(query -> known(
                                        Stream.of(query), targets, byCountry)
                                .sorted(order)
                                .limit(top))));
    }

    /** Whether to compare a row; some rows of each kind are compared. */
    private static boolean isCompared(int id) {
        return id % 100 < 6;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--pairing=within | pairing: within requires maxDistance",
                "--pairing=nearest | pairing is nearest, but no targets are set",
                "--max-distance=2 | maxDistance does not apply to pairing: columns, only to pairing: within, or "
                        + "pairing: nearest for strings",
                "--block-on=country | blockOn does not apply to pairing: columns, only to pairing: join or "
                        + "within, or pairing: nearest for strings",
                "--pairing=within --max-distance=2 --top=2 | top does not apply to pairing: within, only to pairing: "
                        + "cross or nearest",
                "--pairing=within --max-distance=-1 | maxDistance must be a whole number from 0 to 2147483647, not '-1'",
                "--pairing=within --max-distance=2 --parameter=max=1 | set the limit with the key maxDistance; "
                        + "parameters.max",
                "--pairing=within --max-distance=2 --results=edit_distance | it must be one of distance, edit_cigar",
                "--pairing=nearest --targets=x.tsv --best=1_per_x | best does not apply to pairing: nearest, only to "
                        + "rows, except clusters and pairing: nearest",
                "--pairing=nearest --targets=x.tsv --results=edit_cigar | requires distance in results"
            })
    void wrong(String options, String message) {
        CommandLineRun run = run(Stream.of(options.split(" "))
                .map(option -> option.replace('_', option.startsWith("--best") ? ' ' : '_'))
                .toArray(String[]::new));
        assertThat(run.code()).isNotEqualTo(ExitCode.DONE);
        assertThat(run.err()).contains(message);
    }
}
