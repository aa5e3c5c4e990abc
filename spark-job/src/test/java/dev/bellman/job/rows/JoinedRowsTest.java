package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.function.Bellman;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code pairing: join}, and the ready job that uses it. */
class JoinedRowsTest extends ClosePairsFixture {
    private static final List<String> JOIN =
            List.of("--pairing=join", "--block-on=COUNTRY", "--argument=upper(text_a)", "--argument=upper(TEXT_B)");

    private CommandLineRun runJoin(String... more) throws IOException {
        writeJson("queries.json", queries);
        writeJson("targets.json", targets);
        List<String> shared = new ArrayList<>(JOIN);
        shared.addAll(List.of(unusualTargets(), "--keep=country"));
        return CommandLineRun.ofJob(folder, "edit_distance", "queries.json", shared, more);
    }

    /** Adds rows without a text or without a country; such a country does not equal anything. */
    private void addUnusual() {
        for (List<Entry> list : List.of(queries, targets)) {
            fill(list, 20, new Random(list.size()));
            list.set(3, new Entry(3, null, "de"));
            list.set(4, new Entry(4, "abab", null));
            list.set(5, new Entry(4, "", "it"));
        }
    }

    @ParameterizedTest
    @CsvSource({"--output-partitions=3", "--output-parts=3", "--on-bad-row=null", "--on-bad-row=quarantine"})
    void everyPairOfEqualKeys(String option) throws IOException {
        addUnusual();

        CommandLineRun run = runJoin(option, "--output-where=edit_distance IS NOT NULL");

        assertThat(run.err()).isEmpty();
        assertThat(written()).isEqualTo(lines(known(queries.stream(), targets, true)));
        assertThat(CommandLineRun.report(folder.resolve("out"))
                        .get("rowsWithNull")
                        .asLong())
                .isEqualTo(pairsOf("de")
                        .filter(pair -> pair.a().text() == null || pair.b().text() == null)
                        .count());
    }

    private Stream<Pair> pairsOf(String country) {
        return queries.stream().filter(a -> country.equals(a.country())).flatMap(a -> targets.stream()
                .filter(b -> country.equals(b.country()))
                .map(b -> new Pair(a, b, 0)));
    }

    @Test
    void bestTargets() throws IOException {
        List<String> expected = new ArrayList<>();
        for (Entry query : queries) {
            known(Stream.of(query), targets, true)
                    .min(Comparator.comparing(Pair::distance)
                            .thenComparing(pair -> pair.b().id()))
                    .ifPresent(pair -> expected.add(pair.toString()));
        }

        assertThat(runJoin("--best=1 per id_a").err()).isEmpty();
        assertThat(written()).isEqualTo(expected.stream().sorted().toList());
    }

    /** Rows that are in the output already are not solved again. */
    @Test
    void skipExisting() throws IOException {
        runJoin("--output-where=id_a < 10");
        CommandLineRun run = runJoin("--output-mode=append", "--output-skip-existing");

        assertThat(run.err()).isEmpty();
        assertThat(written()).isEqualTo(lines(known(queries.stream(), targets, true)));
        assertThat(CommandLineRun.report(folder.resolve("out")).get("rowsIn").asLong())
                .isLessThan(known(queries.stream(), targets, true).count());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--pairing=join --block-on=country | pairing is join, but no targets are set",
                "--pairing=join --targets=T --argument=text_a --argument=text_b | pairing: join requires blockOn",
                "--pairing=join --targets=T --block-on=country | arguments is missing; set it to one expression for "
                        + "each parameter of the function; x_a is the input's column x",
                "--pairing=join --targets=T --block-on=country --argument=text_a | edit_distance takes the arguments "
                        + "(a, b) or (a, b, max), but the job has [text_a]",
                "--targets=T --block-on=country --argument=text | blockOn does not apply to pairing: cross, only to "
                        + "pairing: join or within, or pairing: nearest for strings",
                "--pairing=join --targets=T --block-on=region --argument=text_a --argument=text_b | the input has no "
                        + "column 'region'; it has id, text, country",
                "--pairing=join --targets=T --block-on=country --argument=text --argument=text_b | the pairs have no "
                        + "column 'text'; they have id_a, text_a, country_a, id_b, text_b, country_b",
                "--pairing=join --targets=T --block-on=country --argument=text_a --argument=text_b --keep=city | the "
                        + "input has no column 'city'",
                "--pairing=join --targets=T --block-on=country --argument=text_a --argument=text_b --top=2 | top does "
                        + "not apply to pairing: join, only to pairing: cross or nearest"
            })
    void wrong(String options, String message) {
        CommandLineRun run = CommandLineRun.ofJob(
                folder,
                "edit_distance",
                "queries.tsv",
                options.replace("=T", "=" + folder.resolve("targets.tsv")).split(" "));

        assertThat(run.code()).isNotEqualTo(ExitCode.DONE);
        assertThat(run.err()).contains(message);
    }

    /** A bad pair is quarantined with both ids; a malformed record is quarantined without ids. */
    @Test
    void badRows() throws IOException {
        Files.writeString(folder.resolve("reads.tsv"), "id\tregion\tbases\tquality\n1\tx\tAC\tII\n2\tx\tAC\tI\n3\n");
        Files.writeString(folder.resolve("haplotypes.tsv"), "id\tregion\tbases\nh\tx\tTACT\ni\tx\tTAGT\nj\ty\tA\n");

        CommandLineRun run = CommandLineRun.ofJob(
                folder,
                "pair_hmm",
                "reads.tsv",
                "--targets=" + folder.resolve("haplotypes.tsv"),
                "--pairing=join",
                "--block-on=region",
                "--argument=bases_a",
                "--argument=quality_a",
                "--argument=bases_b",
                "--on-bad-row=quarantine");

        assertThat(run.code()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(LocalSpark.output(folder).count()).isEqualTo(2);
        assertThat(LocalSpark.lines(spark.read()
                        .parquet(folder.resolve("out/_bellman/quarantine").toString())
                        .selectExpr("id_a", "id_b", "record")))
                .containsExactly("[2,h,null]", "[2,i,null]", "[null,null,3]");
    }

    /** The sides are too large to broadcast, but they are not paired with each other completely. */
    @Test
    void largeSides() {
        Dataset<Row> rows = spark.range(0, 40_000_000, 1, 2).toDF("id").filter("id % 1000000 = 0");
        Dataset<Row> joined = Pairing.whereEqual(
                rows.toDF("id_a"), rows.toDF("id_b"), functions.col("id_a").equalTo(functions.col("id_b")));

        assertThat(joined.queryExecution().executedPlan().toString())
                .contains("Join")
                .doesNotContain("CartesianProduct", "Broadcast");
        assertThat(joined.count()).isEqualTo(40);
    }

    @Test
    void readyJob() throws IOException {
        String text = Files.readString(Path.of("../conf/jobs/pair_hmm.yaml"));
        String job = text.substring(text.indexOf("problem:"));
        assertThat(Files.readString(Path.of("../docs/hidden-markov-models.md"))).contains(job);
        Path file = Files.writeString(
                folder.resolve("job.yaml"),
                job.replace("datasets/", "../datasets/").replace("out/pair_hmm", folder + "/out"));

        CommandLineRun run = CommandLineRun.of("run", file.toString());

        assertThat(run.err()).isEmpty();
        Bellman.register(spark);
        sample("reads");
        sample("haplotypes");
        Dataset<Row> expected =
                spark.sql("SELECT r.id AS id_a, h.id AS id_b, r.region AS region_a, h.region AS region_b,"
                        + " pair_hmm(r.sequence, quality, h.sequence) AS pair_hmm"
                        + " FROM reads r JOIN haplotypes h ON r.region = h.region");
        assertThat(written()).hasSize(192).isEqualTo(LocalSpark.lines(expected));
    }

    private void sample(String name) {
        spark.read()
                .option("sep", "\t")
                .option("header", true)
                .option("quote", "")
                .csv("../datasets/region_%s.tsv".formatted(name))
                .createOrReplaceTempView(name);
    }
}
