package dev.bellman.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.job.LocalSpark;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GeneratorTest {
    private final SparkSession spark = LocalSpark.session();

    private static PairsSpec pairs(
            long count, String length, String alphabet, String divergence, long seed, int partitions) {
        return new PairsSpec(
                count, Lengths.parse(length), Alphabet.of(alphabet), Divergence.parse(divergence), seed, partitions);
    }

    private List<String> rows(PairsSpec spec) {
        return Generator.pairs(spark, spec).orderBy("id").toJSON().collectAsList();
    }

    private static double mean(List<Row> rows, ToDoubleFunction<Row> value) {
        return rows.stream().mapToDouble(value).average().orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"dna,0.05", "protein,independent", "unicode,0.3"})
    void rowsDependOnSeedAndNumberAlone(String alphabet, String divergence) {
        List<String> expected = rows(pairs(500, "lognormal:60,40", alphabet, divergence, 7, 1));
        assertThat(expected).hasSize(500).doesNotHaveDuplicates();
        for (int partitions : new int[] {7, 0}) {
            assertThat(rows(pairs(500, "lognormal:60,40", alphabet, divergence, 7, partitions)))
                    .isEqualTo(expected);
        }
        assertThat(rows(pairs(100, "lognormal:60,40", alphabet, divergence, 7, 3)))
                .isEqualTo(expected.subList(0, 100));
        assertThat(rows(pairs(500, "lognormal:60,40", alphabet, divergence, 8, 1)))
                .doesNotContainAnyElementsOf(expected);
    }

    /** Checks the exact rows, so that benchmarks in later years use the same data as this year's. */
    @Test
    void rowsStayWhatTheyAre() {
        assertThat(rows(pairs(2, "8", "dna", "0.2", 1, 1)))
                .containsExactly(
                        "{\"id\":0,\"a\":\"CCGAACTA\",\"b\":\"TCCAACCTCA\"}",
                        "{\"id\":1,\"a\":\"ACGTCGGT\",\"b\":\"ACGGCGGGT\"}");
        assertThat(Generator.chains(spark, new ChainsSpec(1, Lengths.fixed(4), Lengths.uniform(1, 100), 1, 1))
                        .toJSON()
                        .collectAsList())
                .containsExactly("{\"id\":0,\"dims\":[16,13,51,91,15]}");
    }

    @ParameterizedTest
    @CsvSource({
        "150,150,150,150",
        "0-10,0,10,5",
        "100-200,100,200,150",
        "normal:150:20,50,250,150",
        "lognormal:150:100,1,2000,150"
    })
    void lengthsFollowTheirDistribution(String length, int minimum, int maximum, double mean) {
        List<Row> rows = Generator.pairs(
                        spark, pairs(20_000, length.replaceFirst(":(\\d+)$", ",$1"), "dna", "independent", 3, 0))
                .selectExpr("length(a) AS a", "length(b) AS b")
                .collectAsList();
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.getInt(0)).isBetween(minimum, maximum);
            assertThat(row.getInt(1)).isBetween(minimum, maximum);
        });
        assertThat(mean(rows, row -> row.getInt(0))).isCloseTo(mean, within(mean * 0.03));
        assertThat(mean(rows, row -> row.getInt(1))).isCloseTo(mean, within(mean * 0.03));
    }

    @ParameterizedTest
    @CsvSource({"dna,4", "rna,4", "protein,20", "lowercase,26", "ascii,95", "unicode,256", "ab,2", "x,1", "añ漢𝛼z,5"})
    void lettersAreThoseOfTheAlphabetAndEquallyLikely(String alphabet, int letters) {
        List<Row> counts = Generator.pairs(spark, pairs(2000, "100", alphabet, "independent", 11, 0))
                .selectExpr("explode(split(concat(a, b), '')) AS letter")
                .groupBy("letter")
                .count()
                .collectAsList();
        assertThat(counts).hasSize(letters);
        double expected = 400_000.0 / letters;
        assertThat(counts).allSatisfy(row -> assertThat((double) row.getLong(1))
                .isCloseTo(expected, within(6 * Math.sqrt(expected))));
        assertThat(counts.stream().map(row -> row.getString(0)).toList())
                .allSatisfy(letter ->
                        assertThat(letter.codePointCount(0, letter.length())).isEqualTo(1));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.02, 0.1})
    void editsAreAsManyAsTheDivergenceSays(double rate) {
        Dataset<Row> pairs = Generator.pairs(spark, pairs(500, "200", "lowercase", Double.toString(rate), 5, 0));
        List<Row> rows = pairs.selectExpr("levenshtein(a, b) AS distance", "length(b) AS b")
                .collectAsList();
        // adjacent edits may cancel each other, so the number of edits that are found is slightly smaller than the
        // number of edits that were made
        assertThat(mean(rows, row -> row.getInt(0)) / 200).isBetween(rate * 0.9, rate * 1.05);
        // there are as many insertions as deletions
        assertThat(mean(rows, row -> row.getInt(1))).isCloseTo(200, within(1.0));
    }

    @Test
    void everyLetterCanBeEdited() {
        List<Row> rows = Generator.pairs(spark, pairs(100, "300", "dna", "1", 5, 0))
                .selectExpr("length(b) AS b", "a = b AS same")
                .collectAsList();
        assertThat(mean(rows, row -> row.getInt(0))).isCloseTo(300, within(10.0));
        assertThat(rows).noneMatch(row -> row.getBoolean(1));
    }

    @Test
    void chainsHaveOneDimensionMoreThanMatrices() {
        ChainsSpec spec = new ChainsSpec(2000, Lengths.uniform(2, 9), Lengths.uniform(1, 50), 4, 0);
        Dataset<Row> chains = Generator.chains(spark, spec);
        assertThat(chains.schema().simpleString()).isEqualTo("struct<id:bigint,dims:array<int>>");
        List<Row> rows = chains.orderBy("id").collectAsList();
        Set<Integer> lengths = new HashSet<>();
        Set<Integer> dimensions = new HashSet<>();
        for (Row row : rows) {
            List<Integer> chain = row.getList(1);
            lengths.add(chain.size());
            dimensions.addAll(chain);
        }
        assertThat(lengths).containsExactlyInAnyOrder(3, 4, 5, 6, 7, 8, 9, 10);
        assertThat(dimensions).hasSize(50).allSatisfy(each -> assertThat(each).isBetween(1, 50));
        ChainsSpec cut = new ChainsSpec(2000, Lengths.uniform(2, 9), Lengths.uniform(1, 50), 4, 5);
        assertThat(Generator.chains(spark, cut).orderBy("id").collectAsList()).isEqualTo(rows);
    }

    @Test
    void noRows() {
        assertThat(Generator.pairs(spark, pairs(0, "5", "dna", "0.1", 1, 0)).count())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "10-5", "normal:0,1", "normal:5", "1-1000000000", "lognormal:5,x"})
    void refusesLengths(String length) {
        assertThatThrownBy(() -> Lengths.parse(length)).hasMessageContaining("[BELLMAN_USAGE]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0.1", "1.5", "NaN", "much"})
    void refusesDivergences(String divergence) {
        assertThatThrownBy(() -> Divergence.parse(divergence))
                .hasMessageContaining("it must be a number from 0 to 1, or independent");
    }

    @Test
    void refusesAlphabets() {
        String tooMany = IntStream.range(0x4e00, 0x4e00 + 257)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
        for (String letters : new String[] {"", tooMany, "a\ud800"}) {
            assertThatThrownBy(() -> Alphabet.of(letters)).hasMessageContaining("is not an alphabet");
        }
    }
}
