package dev.bellman.align.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.align.Text;
import dev.bellman.align.search.EditSearch.Part;
import dev.bellman.align.search.Occurrences.Strategy;
import dev.bellman.entry.BellmanFunction;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OccurrencesTest {
    private static BellmanFunction<?> function() {
        return SearchFunctions.list().stream()
                .filter(each -> each.name().equals("edit_distance_infix_all"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void equalsTheTextbook() {
        TextbookAnswers.compare(function(), 1980, Thorough.rounds(60, 1_000), 60);
    }

    /** Tests patterns of one to six words, with limits of few and of many edits. */
    @Test
    void strategiesAgreeOnLongPatterns() {
        SplittableRandom random = new SplittableRandom(1999);
        for (int round = 0; round < Thorough.rounds(75, 600); round++) {
            String letters = round % 3 == 0 ? "ab" : "ACGT";
            int[] pattern = letters(random, letters, 60 + random.nextInt(10) + (round % 5) * 64);
            int[] text = Stream.of(
                            letters(random, letters, random.nextInt(300)),
                            pattern,
                            letters(random, letters, random.nextInt(300)),
                            edited(random, pattern))
                    .flatMapToInt(Arrays::stream)
                    .toArray();
            int max = random.nextInt(4) == 0 ? random.nextInt(pattern.length + 5) : random.nextInt(12);

            assertThat(occurrences(pattern, text, max, false, Strategy.AUTO))
                    .as("%,d characters, at most %d edits", pattern.length, max)
                    .isEqualTo(occurrences(pattern, text, max, false, Strategy.SERIAL))
                    .isNotEmpty();
        }
    }

    private static int[] letters(SplittableRandom random, String letters, int length) {
        return random.ints(length, 0, letters.length()).map(letters::charAt).toArray();
    }

    private static int[] edited(SplittableRandom random, int[] pattern) {
        int[] edited = pattern.clone();
        for (int edit = 0; edit < 4; edit++) {
            edited[random.nextInt(edited.length)] = 'x';
        }
        return edited;
    }

    private static List<Part> occurrences(int[] pattern, int[] text, int max, boolean iupac, Strategy strategy) {
        return new Occurrences(text, iupac, List.of(pattern), strategy).of(pattern, max);
    }

    /**
     * Compares with all locations that edlib 1.3.9 finds in mode HW, including nucleotide codes that equal each of
     * their bases.
     */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("search_all.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(400).allSatisfy(row -> {
            int distance = Integer.parseInt(row.get("distance"));
            List<Part> parts = occurrences(
                    Text.of(row.get("pattern")).characters(),
                    Text.of(row.get("text")).characters(),
                    distance,
                    Boolean.parseBoolean(row.get("iupac")),
                    strategy);

            assertThat(parts).allMatch(part -> part.distance() == distance);
            assertThat(parts.stream()
                            .map(part -> part.begin() + "-" + part.end())
                            .collect(Collectors.joining(",")))
                    .isEqualTo(row.get("places"));
        });
    }

    @ParameterizedTest
    @EnumSource
    void nucleotides(Strategy strategy) {
        int[] pattern = {'A', 'N', 'r', 'u'};
        int[] text = {'a', 'x', 'G', 'T', 'A', 'N', 'A', 't', 'A', 'C', 'R', 'T', 'A', 'C', 'N', 'T'};

        assertThat(occurrences(pattern, text, 0, true, strategy))
                .containsExactly(new Part(0, 4, 8), new Part(0, 8, 12));
    }

    @ParameterizedTest
    @ValueSource(strings = {"AC GT", "ACE", "\u00c4"})
    void rejectsOtherLetters(String pattern) {
        assertThatThrownBy(() -> TextbookAnswers.call(
                        function(),
                        "auto",
                        FunctionOptions.DEFAULT,
                        UTF8String.fromString(pattern),
                        UTF8String.fromString("ACGT"),
                        1,
                        true))
                .isInstanceOf(BellmanException.class)
                .hasMessageContaining("it must be an IUPAC nucleotide code");
    }
}
