package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.job.LocalSpark;
import dev.bellman.job.input.InputReader;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobFile;
import dev.bellman.job.spec.JobFileTest;
import dev.bellman.job.spec.JobKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PairingTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    private Path folder;

    /** Writes ids that repeat, so that only the positions in the input distinguish the rows. */
    private List<String> writeFasta(String file, int count) throws IOException {
        StringBuilder text = new StringBuilder();
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String id = "r" + i % 5;
            text.append('>')
                    .append(id)
                    .append(" about")
                    .append(i)
                    .append('\n')
                    .append("A".repeat(i))
                    .append('\n');
            rows.add(id + "|about" + i + "|" + i);
        }
        Files.writeString(folder.resolve(file), text);
        return rows;
    }

    private Dataset<Row> fasta(String file) {
        return spark.read().format("fasta").load(folder.resolve(file).toString());
    }

    private static String pair(String a, String b) {
        String[] fieldsOfA = a.split("\\|");
        String[] fieldsOfB = b.split("\\|");
        return String.join("|", fieldsOfA[0], fieldsOfB[0], fieldsOfA[2], fieldsOfB[2], fieldsOfA[1], fieldsOfB[1]);
    }

    private static List<String> strings(Dataset<Row> rows) {
        return rows.collectAsList().stream().map(row -> row.mkString("|")).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"100000000", "150", "40"})
    void allVsAllMakesEachPairOnce(String splitSize) throws IOException {
        List<String> rows = writeFasta("a.fa", 40);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            for (int j = i + 1; j < rows.size(); j++) {
                expected.add(pair(rows.get(i), rows.get(j)));
            }
        }
        String before = spark.conf().get("spark.sql.files.maxPartitionBytes");
        spark.conf().set("spark.sql.files.maxPartitionBytes", splitSize);
        try {
            Dataset<Row> pairs = Pairing.allVsAll(
                    fasta("a.fa"), Optional.of("id"), "length(sequence)", List.of("description"), false);
            assertThat(pairs.columns()).containsExactly("id_a", "id_b", "a", "b", "description_a", "description_b");
            assertThat(unordered(strings(pairs))).containsExactlyInAnyOrderElementsOf(unordered(expected));
            assertThat(strings(pairs)).hasSize(40 * 39 / 2);
        } finally {
            spark.conf().set("spark.sql.files.maxPartitionBytes", before);
        }
    }

    /** Sorts each pair. The order of the rows depends on how the input is split, but each pair occurs once. */
    private static List<String> unordered(List<String> pairs) {
        return pairs.stream()
                .map(pair -> {
                    String[] fields = pair.split("\\|");
                    return Integer.parseInt(fields[2]) < Integer.parseInt(fields[3])
                            ? pair
                            : String.join("|", fields[1], fields[0], fields[3], fields[2], fields[5], fields[4]);
                })
                .toList();
    }

    @Test
    void allVsAllOfOneFileKeepsTheOrderOfTheFile() throws IOException {
        writeFasta("a.fa", 30);
        Dataset<Row> pairs = Pairing.allVsAll(fasta("a.fa"), Optional.empty(), "length(sequence)", List.of(), false);
        assertThat(pairs.columns()).containsExactly("a", "b");
        assertThat(pairs.filter("a < b").count()).isEqualTo(30 * 29 / 2);
    }

    @Test
    void allVsAllOfFewRows() throws IOException {
        for (int count = 0; count <= 2; count++) {
            writeFasta("few.fa", count);
            spark.catalog().refreshByPath(folder.resolve("few.fa").toString());
            assertThat(Pairing.allVsAll(fasta("few.fa"), Optional.of("id"), "sequence", List.of(), false)
                            .count())
                    .isEqualTo(count * (count - 1) / 2);
        }
    }

    @Test
    void crossPairsEveryQueryWithEveryTarget() throws IOException {
        List<String> queries = writeFasta("queries.fa", 7);
        List<String> targets = writeFasta("targets.fa", 11);
        List<String> expected = new ArrayList<>();
        for (String query : queries) {
            for (String target : targets) {
                expected.add(pair(query, target));
            }
        }
        for (String[] order : new String[][] {{"queries.fa", "targets.fa"}, {"targets.fa", "queries.fa"}}) {
            Dataset<Row> pairs = Pairing.cross(
                    fasta(order[0]), fasta(order[1]), Optional.of("id"), "length(sequence)", List.of("description"));
            boolean swapped = order[0].equals("targets.fa");
            assertThat(strings(
                            swapped
                                    ? pairs.selectExpr("id_b", "id_a", "b", "a", "description_b", "description_a")
                                    : pairs))
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void sidesTooLargeToBroadcastArePairedInBlocks() {
        // Spark expects the range to be large, but the filter leaves only a few of its numbers
        Dataset<Row> rows = spark.range(0, 40_000_000, 1, 2)
                .toDF("id")
                .filter("id % 1000000 = 0")
                .withColumn("text", functions.expr("CAST(id / 1000000 AS STRING)"));
        Dataset<Row> pairs = Pairing.allVsAll(rows, Optional.of("id"), "text", List.of(), false);
        assertThat(pairs.queryExecution().executedPlan().toString()).contains("CartesianProduct");
        assertThat(pairs.filter("id_a < id_b").count()).isEqualTo(40 * 39 / 2);
        assertThat(pairs.count()).isEqualTo(40 * 39 / 2);
    }

    @Test
    void aSmallInputKeepsAllCoresBusy() throws IOException {
        writeFasta("a.fa", 200);
        Dataset<Row> pairs = Pairing.allVsAll(fasta("a.fa"), Optional.of("id"), "sequence", List.of(), false);
        List<Row> perTask =
                pairs.groupBy(functions.spark_partition_id()).count().collectAsList();
        long tasks = 3L * spark.sparkContext().defaultParallelism();
        assertThat(perTask).hasSize((int) tasks);
        long fairShare = 200 * 199 / 2 / tasks;
        assertThat(perTask).allSatisfy(row -> assertThat(row.getLong(1)).isBetween(fairShare / 2, fairShare * 2));
    }

    @Test
    void aLargeInputIsNotShuffled() {
        Dataset<Row> queries = spark.range(0, 1000, 1, 50).toDF("id");
        Dataset<Row> targets = spark.range(0, 3, 1, 1).toDF("id");
        Dataset<Row> pairs = Pairing.cross(queries, targets, Optional.of("id"), "id", List.of());
        assertThat(pairs.queryExecution().executedPlan().toString())
                .contains("BroadcastNestedLoopJoin")
                .doesNotContain("RoundRobinPartitioning");
        assertThat(pairs.count()).isEqualTo(3000);
    }

    @Test
    void namesTheColumnThatIsMissing() throws IOException {
        writeFasta("a.fa", 2);
        assertThatThrownBy(() -> Pairing.allVsAll(fasta("a.fa"), Optional.of("name"), "sequence", List.of(), false))
                .hasMessageContaining("the input has no column 'name'; it has id, description, sequence");
        assertThatThrownBy(
                        () -> Pairing.allVsAll(fasta("a.fa"), Optional.of("id"), "sequence", List.of("length"), false))
                .hasMessageContaining("BELLMAN_INPUT_SCHEMA")
                .hasMessageContaining("no column 'length'");
    }

    /**
     * The expected number of pairs in a part, on which the progress estimate is based, is close to the number of pairs
     * that the part forms.
     */
    @ParameterizedTest
    @ValueSource(strings = {"all-vs-all", "cross"})
    void totalsOfParts(String pairing) {
        int parts = 4;
        List<String> flags = new ArrayList<>(List.of(
                "--problem=edit_distance", "--argument=s", "--input=in", "--output=out", "--pairing=" + pairing));
        Dataset<Row> rows = spark.range(400).selectExpr("string(id) AS id", "string(id) AS s");
        Optional<Dataset<Row>> targets = Optional.of(rows).filter(found -> pairing.equals("cross"));
        targets.ifPresent(found -> flags.add("--targets=other"));
        Job job =
                JobFile.ofFlags(JobFileTest.flags(flags.toArray(String[]::new))).get(0);

        Instances all = InstanceInput.read(job, rows, targets);

        assertThat(all.total(1)).hasValue(all.rows().count());
        flags.addAll(List.of("--output-mode=append", "--output-skip-existing", "--id=id"));
        Job ofNew =
                JobFile.ofFlags(JobFileTest.flags(flags.toArray(String[]::new))).get(0);
        assertThat(InstanceInput.read(ofNew, rows, targets).total(1)).isEmpty();
        long expected = all.total(parts).orElseThrow();
        for (int part = 0; part < parts; part++) {
            assertThat(all.part(part, parts).rows().count()).isCloseTo(expected, Percentage.withPercentage(30));
        }
    }

    /**
     * Malformed records and rows that a condition excludes are not counted, and each row with a NULL argument is counted
     * once.
     */
    @ParameterizedTest
    @CsvSource({"csv, word, cross", "csv, word, all-vs-all", "csv, upper(word), cross", "parquet, word, cross"})
    void counts(String format, String argument, String pairing) throws IOException {
        List<String> lines = new ArrayList<>(List.of("id,word", "malformed", "malformed"));
        IntStream.range(0, 40).forEach(i -> lines.add("%d,%s".formatted(i, i % 4 == 0 ? "" : "w" + i)));
        Path file = Files.write(folder.resolve("words.csv"), lines);
        Path input = format.equals("csv") ? file : folder.resolve("words.parquet");
        if (format.equals("parquet")) {
            spark.read()
                    .option("header", true)
                    .csv(file.toString())
                    .where("id <> 'malformed'")
                    .write()
                    .parquet(input.toString());
        }
        List<String> flags = new ArrayList<>(List.of(
                "--problem=edit_distance",
                "--argument=" + argument,
                "--input=" + input,
                "--input-where=int(id) < 30",
                "--output=" + folder.resolve("out"),
                "--on-bad-row=quarantine",
                "--pairing=" + pairing));
        if (pairing.equals("cross")) {
            flags.add("--targets=" + input);
        }
        Job job =
                JobFile.ofFlags(JobFileTest.flags(flags.toArray(String[]::new))).get(0);

        Instances all =
                InstanceInput.read(job, rows(job, job.input()), job.targets().map(from -> rows(job, from)));

        assertThat(all.total(1)).hasValue(all.rows().count()).hasValue(pairing.equals("cross") ? 30 * 40 : 30 * 29 / 2);
        assertThat(all.incomplete()).isEqualTo(pairing.equals("cross") ? 8 + 10 : 8);
    }

    private Dataset<Row> rows(Job job, Job.Source source) {
        return InputReader.open(spark, source, job.get(JobKeys.ON_BAD_ROW)).rows();
    }
}
