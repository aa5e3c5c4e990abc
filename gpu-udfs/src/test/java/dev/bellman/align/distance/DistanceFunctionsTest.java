package dev.bellman.align.distance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.SparkTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests four functions of pairs in SQL; {@code edit_distance} has separate tests. */
class DistanceFunctionsTest extends SparkTest {
    @ParameterizedTest
    @ValueSource(strings = {"hamming_distance", "damerau_levenshtein", "osa_distance", "jaro_winkler_similarity"})
    void nulls(String function) {
        assertThat(value(function + "(NULL, 'a')")).isNull();
        assertThat(value(function + "('a', NULL)")).isNull();
    }

    @Test
    void emptyStrings() {
        assertThat(value("hamming_distance('', '')")).isEqualTo(0);
        assertThat(value("damerau_levenshtein('', 'é')")).isEqualTo(1);
        assertThat(value("osa_distance('é', '')")).isEqualTo(1);
        assertThat(value("jaro_winkler_similarity('', '')")).isEqualTo(1.0);
        assertThat(value("jaro_winkler_similarity('', 'a')")).isEqualTo(0.0);
    }

    @Test
    void limits() {
        assertThat(value("damerau_levenshtein('ca', 'abc', 1)")).isEqualTo(-1);
        assertThat(value("damerau_levenshtein('ca', 'abc', 2)")).isEqualTo(2);
        assertThat(value("osa_distance('ca', 'abc', 2)")).isEqualTo(-1);
        assertThat(value("osa_distance('ca', 'abc', max => 3)")).isEqualTo(3);
        assertThat(value("osa_distance('ca', 'abc', NULL)")).isNull();
    }

    @Test
    void unequalLengths() {
        // the failure is expected, so do not log its stack trace
        spark.sparkContext().setLogLevel("OFF");
        assertThatThrownBy(() -> value("hamming_distance('añb', 'ab')"))
                .hasStackTraceContaining(
                        "[BELLMAN_INPUT_VALUE] hamming_distance: a has 3 characters and b has 2; the two lengths "
                                + "must be equal. Correct the row, or use try_hamming_distance, which returns NULL");
        spark.sparkContext().setLogLevel("ERROR");
        assertThat(value("try_hamming_distance('añb', 'ab')")).isNull();
        assertThat(value("try_hamming_distance('añb', 'axb')")).isEqualTo(1);
    }
}
