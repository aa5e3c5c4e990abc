package dev.bellman.align.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.SparkTest;
import dev.bellman.align.scoring.GapCosts;
import dev.bellman.align.scoring.SubstitutionMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScoreStatisticsTest extends SparkTest {
    /**
     * Compares bit scores with those that blastp 2.12.0+ prints for pairs of proteins. The matrices and gap costs are
     * in BLAST's notation. blastp rounds bit scores below 100 to a tenth, and truncates larger ones to integers.
     */
    @ParameterizedTest
    @CsvSource({
        "blosum62, 11, 1, 36, 18.5",
        "blosum62, 11, 1, 1669, 647",
        "blosum62, 11, 1, 2172, 841",
        "blosum62, 9, 2, 36, 18.6",
        "blosum62, 9, 2, 1671, 676",
        "blosum62, 9, 2, 2172, 878",
        "blosum45, 14, 2, 48, 18.5",
        "blosum45, 14, 2, 1990, 564",
        "blosum45, 14, 2, 2602, 736",
        "blosum50, 13, 2, 49, 18.5",
        "blosum50, 13, 2, 2045, 574",
        "blosum50, 13, 2, 2817, 789",
        "blosum80, 10, 1, 35, 18.9",
        "blosum80, 10, 1, 1835, 795",
        "blosum80, 10, 1, 2377, 1029",
        "blosum90, 10, 1, 36, 18.8",
        "blosum90, 10, 1, 1965, 825",
        "blosum90, 10, 1, 2552, 1071",
        "pam30, 9, 1, 37, 18.9",
        "pam30, 9, 1, 2505, 1065",
        "pam30, 9, 1, 3064, 1302",
        "pam70, 10, 1, 37, 19.0",
        "pam70, 10, 1, 2123, 894",
        "pam70, 10, 1, 2660, 1120",
        "pam250, 14, 2, 49, 18.2",
        "pam250, 14, 2, 1523, 405",
        "pam250, 14, 2, 2017, 534"
    })
    void bitsAsOfBlast(String matrix, int existence, int extension, long score, double bits) {
        double found = ScoreStatistics.of(
                        "bit_score", "%s open %d extend %d".formatted(matrix, existence + extension, extension))
                .bitScore(score);
        if (bits < 100) {
            assertThat(found).isCloseTo(bits, within(0.0501));
        } else {
            assertThat(Math.floor(found)).isEqualTo(bits);
        }
    }

    /**
     * Tests the formula on NCBI's page on statistics: E is the size of the search space divided by two to the power of
     * the bit score.
     */
    @Test
    void expectedByBits() {
        for (ScoreStatistics its : ScoreStatistics.ALL) {
            for (long score : new long[] {0, 1, 40, 250, 1_000}) {
                double bySpace = 350.0 * 1e9 / Math.pow(2, its.bitScore(score));
                assertThat(its.expected(score, 350, 1_000_000_000)).isCloseTo(bySpace, within(1e-12 * bySpace));
            }
        }
    }

    @Test
    void ofManyGapCosts() {
        assertThat(ScoreStatistics.ALL).hasSize(82).allSatisfy(its -> {
            assertThat(SubstitutionMatrix.NAMES).contains(its.matrix());
            assertThat(its.lambda()).isBetween(0.17, 0.343);
            assertThat(its.k()).isBetween(0.009, 0.18);
        });
        assertThat(ScoreStatistics.of("test", "BLOSUM62 other -4 open 12 extend 1"))
                .isEqualTo(new ScoreStatistics("blosum62", new GapCosts(12, 1), 0.267, 0.041));
    }

    @Test
    void inSql() {
        assertThat((Double) value("bit_score(36L, 'blosum62 open 12 extend 1')"))
                .isCloseTo(18.5, within(0.0501));
        assertThat(value("e_value(0L, 0L, 10L, 'blosum62 open 12 extend 1')")).isEqualTo(0.0);
        assertThat(value("e_value(30, scoring => 'blosum62 open 12 extend 1', target_letters => 10, "
                        + "query_letters => NULL)"))
                .isNull();
        assertThat(value("e_value(9223372036854775807, 350, 1000, 'pam30 open 11 extend 1')"))
                .isEqualTo(0.0);
        assertThat(value("try_bit_score(-1, 'blosum62 open 12 extend 1')")).isNull();
        assertThatThrownBy(() -> value("e_value(30, 350, -1, 'blosum62 open 12 extend 1')"))
                .hasMessageContaining("[BELLMAN_INPUT_VALUE] e_value: target_letters is -1; it must be at least 0");
        assertThatThrownBy(() -> value("bit_score(-3, 'blosum62 open 12 extend 1')"))
                .hasMessageContaining("score is -3; it must be at least 0, because the score of a local alignment is "
                        + "never negative");
    }

    /** Scorings without statistics fail when the query is planned. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "blosum62 open 11 extend 3; BLOSUM62 with open 13 extend 2, open 12 extend 2, open 11 extend 2",
                "blosum62 insert open 12 extend 1 delete gap 7; BLOSUM62 with open 13 extend 2",
                "match 2 mismatch -3 gap 5; blosum45, blosum50, blosum62, blosum80, blosum90, pam30, pam70, pam250",
                "nuc44 gap 5; blosum45, blosum50"
            })
    void withoutStatistics(String scoring, String known) {
        assertThatThrownBy(() -> spark.sql("SELECT e_value(30, 350, 1000, '%s')".formatted(scoring)))
                .hasMessageContaining("e_value: no statistics are published for '" + scoring + "'; expected " + known);
    }
}
