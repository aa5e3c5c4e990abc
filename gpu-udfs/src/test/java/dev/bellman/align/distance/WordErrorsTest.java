package dev.bellman.align.distance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Golden;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.align.distance.WordErrors.Counts;
import dev.bellman.align.distance.WordErrors.Strategy;
import dev.bellman.entry.BellmanFunction;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WordErrorsTest {
    @Test
    void equalsTheTextbook() {
        BellmanFunction<?> function = DistanceFunctions.list().stream()
                .filter(each -> each.name().equals("word_errors"))
                .findFirst()
                .orElseThrow();
        TextbookAnswers.compare(function, 4, Thorough.rounds(100, 1_000), 200);
    }

    /** Tests texts that exceed the sizes of a strip, of a band, and of a history without checkpoints. */
    @Test
    void longTexts() {
        SplittableRandom random = new SplittableRandom(9);
        for (int words : new int[] {2, 200, 100_000}) {
            int[] reference = random.ints(5_000, 0, words).toArray();
            int[] close = reference.clone();
            for (int edit = 0; edit < 50; edit++) {
                close[random.nextInt(close.length)] = random.nextInt(words);
            }
            int[] other = random.ints(4_500, 0, words).toArray();
            for (int[] hypothesis : new int[][] {close, other}) {
                assertThat(WordErrors.count(reference, hypothesis, Strategy.AUTO))
                        .isEqualTo(WordErrors.count(reference, hypothesis, Strategy.SERIAL));
            }
        }
    }

    /** The results are the same as jiwer 4's. */
    @ParameterizedTest
    @EnumSource
    void emptyTexts(Strategy strategy) {
        int[] none = {};
        int[] two = {7, -7};

        assertThat(WordErrors.count(none, two, strategy)).isEqualTo(new Counts(0, 0, 2, 0));
        assertThat(WordErrors.count(none, two, strategy).rate()).isEqualTo(2);
        assertThat(WordErrors.count(two, none, strategy)).isEqualTo(new Counts(0, 2, 0, 0));
        assertThat(WordErrors.count(two, none, strategy).rate()).isEqualTo(1);
        assertThat(WordErrors.count(none, none, strategy).rate()).isEqualTo(0);
    }

    /** The results are the same as rapidfuzz 3.14's. Other alignments have equally few errors, but different counts. */
    @ParameterizedTest
    @EnumSource
    void ties(Strategy strategy) {
        assertThat(WordErrors.count(new int[] {1, 2}, new int[] {2, 3}, strategy))
                .isEqualTo(new Counts(2, 0, 0, 0));
        assertThat(WordErrors.count(new int[] {1, 2, 3}, new int[] {4, 1, 5}, strategy))
                .isEqualTo(new Counts(1, 1, 1, 1));
    }

    /** Compares the counts with jiwer's. */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("word_errors.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(400).allSatisfy(row -> {
            Counts counts = WordErrors.count(words(row.get("reference")), words(row.get("hypothesis")), strategy);

            assertThat(counts)
                    .isEqualTo(new Counts(
                            Integer.parseInt(row.get("substitutions")),
                            Integer.parseInt(row.get("deletions")),
                            Integer.parseInt(row.get("insertions")),
                            Integer.parseInt(row.get("hits"))));
            assertThat(counts.rate()).isEqualTo(Double.parseDouble(row.get("rate")));
        });
    }

    private static int[] words(String text) {
        return Stream.of(text.split(" "))
                .filter(word -> !word.isEmpty())
                .mapToInt(String::hashCode)
                .toArray();
    }
}
