package dev.bellman.align.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.TextbookAnswers;
import dev.bellman.align.Text;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.proof.Values;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MatchingTest {
    static List<BellmanFunction<?>> functions() {
        return MatchingFunctions.list();
    }

    @ParameterizedTest
    @MethodSource("functions")
    void equalsTheTextbook(BellmanFunction<?> function) {
        TextbookAnswers.compare(function, 1996, 600, 60);
    }

    /**
     * Tests short grams, and grams that are too long to be represented by numbers, with narrow and with wide
     * characters.
     */
    @Test
    void longGrams() {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 500; round++) {
            int first = Values.oneOf(random, (int) 'a', 0x4e00, 0x1f600, -5);
            int[] a = random.ints(80, first, first + 2).toArray();
            int[] b = random.ints(60, first, first + 2).toArray();
            int q = 1 + random.nextInt(12);
            assertThat(QGrams.similarity(a, b, q, QGrams.Coefficient.DICE, QGrams.Strategy.AUTO))
                    .isEqualTo(QGrams.similarity(a, b, q, QGrams.Coefficient.DICE, QGrams.Strategy.SERIAL));
        }
    }

    @Test
    void wrongArguments() {
        assertThatThrownBy(() -> Matching.metric("monge_elkan", true, "edit_distance"))
                .hasMessageContaining("monge_elkan: metric is 'edit_distance'; it must be one of jaro_similarity, ")
                .extracting(e -> ((BellmanException) e).code())
                .isEqualTo(ErrorCode.BELLMAN_INPUT_VALUE);
        Signature<?> signature = functions().get(3).signatures().get(0);
        @SuppressWarnings("unchecked") // these functions have this type of strategy
        Signature<Matching.Strategy> typed = (Signature<Matching.Strategy>) signature;
        InternalRow row = Values.row(
                Values.arrayOf(UTF8String.fromString("a"), null),
                Values.arrayOf(UTF8String.fromString("a")),
                UTF8String.fromString("ratio"));
        assertThatThrownBy(() -> TextbookAnswers.call(typed, Matching.Strategy.AUTO, FunctionOptions.DEFAULT, row))
                .hasMessageContaining("pairwise_min: entry 2 of a (counted from 1) is NULL");
        assertThat(TextbookAnswers.call(
                        typed, Matching.Strategy.AUTO, FunctionOptions.DEFAULT.with(OnInvalid.NULL), row))
                .isNull();
    }

    @Test
    void weights() {
        EditCosts costs = EditCosts.of("f", 1, 2, 3, "o 0 0.25 0 O 0.5");
        assertThat(weighted("x", "xab", costs)).isEqualTo(2);
        assertThat(weighted("xab", "x", costs)).isEqualTo(4);
        assertThat(weighted("b0b", "bob", costs)).isEqualTo(0.25);
        assertThat(weighted("bOb", "b0b", costs)).isEqualTo(0.5);
        assertThat(weighted("bOb", "bob", costs)).isEqualTo(3);
        // with the first costs, the cheapest edits include no substitution; with the second, they are three
        // substitutions
        assertThat(weighted("abcd", "xabd", EditCosts.of("f", 0.25, 2, 2.25, "")))
                .isEqualTo(2.25);
        assertThat(weighted("abcd", "xabd", EditCosts.of("f", 1, 2, 0.5, ""))).isEqualTo(1.5);
        assertThatThrownBy(() -> EditCosts.of("f", 1, 1, 1, "o 0 0.2 l"))
                .hasMessageContaining("f: in costs, 'l' is not a substitution; write each substitution");
        assertThatThrownBy(() -> EditCosts.of("f", 1, 1, 1, "o 0 cheap"))
                .hasMessageContaining("f: in costs, 'cheap' is not a number");
        assertThatThrownBy(() -> EditCosts.of("f", 1, -1, 1, "")).hasMessageContaining("f: delete is -1.0");
    }

    @Test
    void listedCosts() {
        EditCosts costs = EditCosts.listed("f", "o 0 0.25 o o 3 0 o 0");
        assertThat(costs.numbers()).containsOnly(Map.entry((int) 'o', 1), Map.entry((int) '0', 2));
        // the first row and column are those of all other characters
        assertThat(costs.substitutions()).containsExactly(-1, -1, -1, -1, 3, 0, -1, 0, -1);
    }

    private static double weighted(String a, String b, EditCosts costs) {
        double distance = WeightedEditDistance.distance(
                Text.of(a).characters(), Text.of(b).characters(), costs, WeightedEditDistance.Strategy.AUTO);
        assertThat(distance)
                .isEqualTo(WeightedEditDistance.distance(
                        Text.of(a).characters(), Text.of(b).characters(), costs, WeightedEditDistance.Strategy.SERIAL));
        return distance;
    }

    @Test
    void wordsKeepTheirCharacters() {
        List<Text> words = Words.inOrder(Text.of("Zoë 東京  ab\u00a0😀").characters());
        assertThat(words).extracting(Text::toString).containsExactly("Zoë", "東京", "ab", "😀");
    }
}
