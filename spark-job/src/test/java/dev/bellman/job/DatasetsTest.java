package dev.bellman.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.rows.Pairing;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks that the samples are complete, that their expected edit distances equal the results of Spark's own
 * levenshtein, and that the lengths of their expected subsequences and supersequences are possible.
 */
final class DatasetsTest {
    private static final Path FOLDER = Path.of("..", "datasets");

    private final SparkSession spark = LocalSpark.session();

    private Dataset<Row> tsv(String file) {
        return spark.read()
                .option("sep", "\t")
                .option("header", true)
                .option("quote", "")
                .option("inferSchema", true)
                .csv(FOLDER.resolve(file).toString());
    }

    @ParameterizedTest
    @CsvSource({"protein_pairs,100", "dna_pairs,200", "text_pairs,300"})
    void pairs(String name, int count) {
        Dataset<Row> pairs = tsv(name + ".tsv");
        Dataset<Row> expected = tsv(name + ".expected.tsv");
        assertThat(pairs.count()).isEqualTo(count);
        assertThat(expected.count()).isEqualTo(count);
        Dataset<Row> right = pairs.join(expected, "id")
                .filter("levenshtein(a, b) = edit_distance"
                        + " AND length(a) + length(b) = lcs_length + scs_length"
                        + " AND edit_distance BETWEEN greatest(length(a), length(b)) - lcs_length"
                        + " AND length(a) + length(b) - 2 * lcs_length");
        assertThat(right.select("id").distinct().count()).isEqualTo(count);
    }

    @Test
    void proteinsAllAgainstAll() {
        Dataset<Row> proteins = spark.read()
                .format("fasta")
                .load(FOLDER.resolve("proteins.fasta").toString());
        assertThat(proteins.filter("description = concat('UniProtKB, ', length(sequence), ' residues')")
                        .count())
                .isEqualTo(40);
        Dataset<Row> pairs = Pairing.allVsAll(proteins, Optional.of("id"), "sequence", List.of(), false);
        Dataset<Row> joined = pairs.join(tsv("proteins.expected.tsv"), new String[] {"id_a", "id_b"}, "inner");
        assertThat(pairs.count()).isEqualTo(780);
        assertThat(joined.filter("levenshtein(a, b) = edit_distance").count()).isEqualTo(780);
    }

    @Test
    void chains() {
        Dataset<Row> chains = spark.read()
                .schema("id STRING, dims ARRAY<INT>")
                .json(FOLDER.resolve("chains.jsonl").toString());
        Dataset<Row> joined = chains.join(tsv("chains.expected.tsv"), "id");
        assertThat(joined.filter("size(dims) >= 2 AND forall(dims, d -> d >= 1)")
                        .count())
                .isEqualTo(100);
        assertThat(joined.filter("dims = array(30, 35, 15, 5, 10, 20, 25)")
                        .first()
                        .<Integer>getAs("matrix_chain_cost"))
                .isEqualTo(15125);
    }
}
