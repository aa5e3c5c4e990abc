package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.align.Text;
import dev.bellman.align.score.Alignment;
import dev.bellman.align.score.AlignmentMode;
import dev.bellman.align.score.SequenceAlignment;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.function.Bellman;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@code pairing: cross} with {@code top}, which returns the best hits of each query, with alignments. */
public class BestHitsTest extends BestHitsFixture {
    /** The numbers of a query and a target, and their alignment. */
    private record Hit(int a, int b, Alignment alignment) {
        @Override
        public String toString() {
            return "[q%02d,t%02d,%d,%s]".formatted(a, b, alignment.score(), alignment.cigar());
        }
    }

    private List<Hit> hits() {
        List<Hit> hits = new ArrayList<>();
        for (int a = 0; a < queries.size(); a++) {
            for (int b = 0; b < targets.size(); b++) {
                hits.add(new Hit(
                        a,
                        b,
                        SequenceAlignment.align(
                                        "test",
                                        Text.of(queries.get(a)),
                                        Text.of(targets.get(b)),
                                        AlignmentMode.LOCAL,
                                        Scoring.of("test", SCORING),
                                        SequenceAlignment.ANY,
                                        SequenceAlignment.Strategy.SERIAL)
                                .orElseThrow()));
            }
        }
        return hits;
    }

    /** Returns the hits that a job should find: the best ones of each query, in the order of {@link #hits}. */
    private List<Hit> best(int top, Predicate<Hit> wanted) {
        List<Hit> all = hits().stream().filter(wanted).toList();
        return all.stream()
                .filter(hit -> all.stream()
                        .filter(other -> other.a == hit.a)
                        .sorted(Comparator.comparingLong((Hit other) -> -other.alignment.score())
                                .thenComparingInt(Hit::b))
                        .limit(top)
                        .anyMatch(hit::equals))
                .toList();
    }

    private List<String> written() {
        return LocalSpark.written(folder, "id_a", "id_b", "alignment_score", "alignment.cigar");
    }

    private JsonNode report() throws IOException {
        return CommandLineRun.report(folder.resolve("out"));
    }

    private long cells(Stream<Hit> hits) {
        return hits.mapToLong(hit ->
                        (long) queries.get(hit.a).length() * targets.get(hit.b).length())
                .sum();
    }

    static List<Arguments> tops() {
        return Thorough.cases(1, arguments(3, 60), arguments(1, 0), arguments(100, 45));
    }

    /** Every pair is scored, but only the hits are aligned. */
    @ParameterizedTest
    @MethodSource("tops")
    void alignsTheBestAlone(int top, int least) throws IOException {
        List<String> more = new ArrayList<>(
                List.of("--results=alignment_score,alignment", "--top=" + top, "--verify=1", "--output-partitions=3"));
        if (least > 0) {
            more.add("--parameter=min_score=" + least);
        }

        run(more.toArray(String[]::new)).assertDone();
        List<Hit> expected = best(top, hit -> hit.alignment.score() >= least);
        assertThat(written()).isEqualTo(expected.stream().map(Hit::toString).toList());
        assertThat(report().path("rowsIn").asInt()).isEqualTo(queries.size() * targets.size());
        assertThat(report().path("rowsOut").asInt()).isEqualTo(expected.size());
        assertThat(report().path("cells").asLong()).isEqualTo(cells(hits().stream()) + cells(expected.stream()));
    }

    /** A condition on the alignment requires all alignments. */
    @Test
    void whereByAnAlignment() throws IOException {
        run(
                        "--results=alignment_score,alignment",
                        "--best=2 per id_a by alignment_score desc",
                        "--output-where=alignment.gaps > 0")
                .assertDone();
        List<Hit> expected = best(2, hit -> hit.alignment.gaps() > 0);
        assertThat(written())
                .isEqualTo(expected.stream().map(Hit::toString).toList())
                .isNotEmpty();
        // Spark computes the score only if the condition is true
        assertThat(report().path("cells").asLong())
                .isEqualTo(cells(hits().stream()) + cells(hits().stream().filter(hit -> hit.alignment.gaps() > 0)));
    }

    /** All queries have the same id, and so do the targets, so that only their positions distinguish rows. */
    @Test
    void idsMayRepeat() throws IOException {
        String query = queries.get(0);
        Files.writeString(folder.resolve("queries.fa"), ">q\n%s\n>q\n%s\n".formatted(query, queries.get(1)));
        Files.writeString(
                folder.resolve("targets.fa"), ">t\n%s\n>t\n%s\n".formatted(queries.get(1), query.substring(5)));

        run("--results=alignment_score,alignment", "--top=1").assertDone();

        assertThat(LocalSpark.output(folder)
                        .selectExpr("id_a", "id_b", "alignment.score = alignment_score", "alignment.cigar")
                        .collectAsList())
                .extracting(Row::toString)
                .containsExactlyInAnyOrder(
                        "[q,t,true,%d=]".formatted(query.length() - 5),
                        "[q,t,true,%d=]".formatted(queries.get(1).length()));
    }

    /**
     * Rows with invalid letters are quarantined, which requires all results of every pair before the best pairs are
     * chosen.
     */
    @Test
    void withPairsSetAside() throws IOException {
        targets.set(0, "J" + queries.get(0));
        fasta("targets.fa", "t", targets);

        CommandLineRun run = run("--results=alignment_score,alignment", "--top=1", "--on-bad-row=quarantine");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        targets.set(0, "");
        assertThat(written())
                .isEqualTo(best(1, hit -> hit.b > 0).stream().map(Hit::toString).toList());
        // the invalid target counts once
        assertThat(report().path("rowsQuarantined").asInt()).isEqualTo(1);
    }

    /** Each task keeps only its best hits: no row per pair is shuffled, and no sequence is sorted. */
    @Test
    void noShuffleOfPairs() {
        String plan = run("--results=alignment_score,alignment", "--top=2", "--dry-run", "--verbose")
                .out()
                .split("# plan")[1];
        String tree = plan.substring(0, plan.indexOf("\n\n"));

        assertThat(tree)
                .containsSubsequence(
                        "Project",
                        "Join",
                        "Window",
                        "WindowGroupLimit",
                        "Exchange",
                        "WindowGroupLimit",
                        "NestedLoopJoin")
                .containsOnlyOnce("NestedLoopJoin");
        String pairs = tree.substring(tree.lastIndexOf("WindowGroupLimit"), tree.indexOf("NestedLoopJoin"));
        assertThat(pairs).doesNotContain("Exchange");
        String sorted = plan.substring(plan.lastIndexOf(") Sort"));
        assertThat(sorted.substring(0, sorted.indexOf("Arguments")))
                .contains("id_a", "id_b")
                .doesNotContain("argument_");
    }

    /** If a score is below the minimum, it is NULL, but the pair is not quarantined. */
    @Test
    void leastScoreWithPairsSetAside() throws IOException {
        targets.set(0, "J" + queries.get(0));
        fasta("targets.fa", "t", targets);

        CommandLineRun run =
                run("--parameter=min_score=60", "--output-where=alignment_score > 0", "--on-bad-row=quarantine");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        targets.set(0, "");
        // the invalid target counts once
        assertThat(report().path("rowsQuarantined").asInt()).isEqualTo(1);
        assertThat(report().path("rowsOut").asLong())
                .isEqualTo(hits().stream()
                        .filter(hit -> hit.alignment.score() >= 60)
                        .count());
    }

    static List<String> selections() {
        return Thorough.cases(
                1, "--best=1 per id_b by e_value", "--output-where=e_value < 1e-9", "--on-bad-row=quarantine");
    }

    /** The results depend on the number of letters in the query and in all targets. */
    @ParameterizedTest
    @MethodSource("selections")
    void bitsAndExpected(String more) {
        run("--results=alignment_score,bit_score,e_value,alignment", "--parameter=min_score=50", "--verify=1", more)
                .assertDone();
        Bellman.register(spark);
        long letters = targets.stream().mapToInt(String::length).sum();
        Map<String, Integer> lengths = new HashMap<>();
        for (int a = 0; a < queries.size(); a++) {
            lengths.put("q%02d".formatted(a), queries.get(a).length());
        }
        List<Row> rows = LocalSpark.output(folder)
                .selectExpr(
                        "id_a",
                        "alignment_score",
                        "bit_score",
                        "e_value",
                        "bit_score(alignment_score, '" + SCORING + "')")
                .where("alignment_score IS NOT NULL")
                .collectAsList();
        assertThat(rows).isNotEmpty().allSatisfy(row -> {
            assertThat(row.getDouble(2)).isEqualTo(row.getDouble(4));
            double expected = 0.041 * lengths.get(row.getString(0)) * letters;
            assertThat(row.getDouble(3)).isEqualTo(expected * StrictMath.exp(-(0.267 * row.getLong(1))));
        });
    }

    @Test
    void asInSql() {
        Bellman.register(spark);
        spark.read()
                .format("fasta")
                .load(folder.resolve("queries.fa").toString())
                .createOrReplaceTempView("queries");
        spark.read()
                .format("fasta")
                .load(folder.resolve("targets.fa").toString())
                .createOrReplaceTempView("targets");

        assertThat(spark.sql("""
                        WITH scores AS (
                            SELECT q.id AS a, t.id AS b, q.sequence AS query, t.sequence AS target,
                                alignment_score(q.sequence, t.sequence, 'local', '%1$s') AS score
                            FROM queries q CROSS JOIN targets t),
                        hits AS (
                            SELECT *, row_number() OVER (PARTITION BY a ORDER BY score DESC, b) AS place FROM scores)
                        SELECT a, b, score, alignment(query, target, 'local', '%1$s').cigar FROM hits WHERE place <= 2
                        ORDER BY a, b""".formatted(SCORING)).collectAsList())
                .extracting(Row::toString)
                .isEqualTo(best(2, hit -> true).stream().map(Hit::toString).toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--top=0 | top must be a whole number from 1 to 2147483647",
                "--top=2 --best=1~per~id_a | top keeps the best pairs of each input row, and best keeps the best "
                        + "rows of each group; remove one of these keys",
                "--top=2 --results=alignment,e_value | bit_score and e_value are computed from alignment_score; list "
                        + "it first in results",
                "--results=alignment_score,e_value --parameter=mode=global | require local alignments, but "
                        + "parameters.mode is 'global'",
                "--results=alignment_score,e_value --parameter=scoring=nuc44~gap~9 | no statistics are published for "
                        + "'nuc44 gap 9'",
                "--top=2 --results=alignment | specify whether small or large values of alignment are better: write "
                        + "'best: 2 per id_a by alignment"
            })
    void whatIsWrong(String options, String message) {
        CommandLineRun run = run(Stream.of(options.split(" "))
                .map(option -> option.replace('~', ' '))
                .toArray(String[]::new));

        assertThat(run.code()).isNotEqualTo(ExitCode.DONE);
        assertThat(run.err()).contains(message.strip());
    }
}
