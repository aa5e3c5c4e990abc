package dev.bellman.align.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.align.Text;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.proof.Values;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RatiosTest {
    static List<BellmanFunction<?>> functions() {
        return RatioFunctions.list();
    }

    private static int[] characters(String text) {
        return Text.of(text).characters();
    }

    private static Object call(Signature<?> signature, Ratios.Strategy strategy, InternalRow row) {
        @SuppressWarnings("unchecked") // these functions have this type of strategy
        Signature<Ratios.Strategy> typed = (Signature<Ratios.Strategy>) signature;
        return TextbookAnswers.call(typed, strategy, FunctionOptions.DEFAULT, row);
    }

    @ParameterizedTest
    @MethodSource("functions")
    void equalsTheTextbook(BellmanFunction<?> function) {
        TextbookAnswers.compare(function, 2020, 600, 90);
    }

    /**
     * Compares ratios with rapidfuzz 3.14.6; the names of columns for normalized strings end with {@code _processed}.
     */
    @ParameterizedTest
    @EnumSource
    void golden(Ratios.Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("names.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(500);
        for (Map<String, String> row : strategy == Ratios.Strategy.AUTO ? rows : rows.subList(0, 60)) {
            for (BellmanFunction<?> function : functions()) {
                for (boolean normalize : new boolean[] {false, true}) {
                    Object ratio = call(
                            function.signatures().get(1),
                            strategy,
                            Values.row(
                                    UTF8String.fromString(row.get("a")),
                                    UTF8String.fromString(row.get("b")),
                                    normalize));
                    assertThat(ratio)
                            .as("%s of %s", function.name(), row)
                            .isEqualTo(Double.valueOf(row.get(function.name() + (normalize ? "_processed" : ""))));
                }
            }
        }
    }

    /**
     * Tests lengths below and above the 64 characters of a word, and the 256 characters up to which windows are
     * examined one by one.
     */
    @Test
    void longParts() {
        SplittableRandom random = new SplittableRandom(64);
        for (int round = 0; round < 60; round++) {
            String letters = random.nextBoolean() ? "ab" : "abcdefghijklmnopqrstuvwxyz";
            int shortest = round % 10 == 0 ? 250 : 56;
            int[] a = letters(random, letters, shortest + random.nextInt(20));
            int[] b = letters(random, letters, shortest + random.nextInt(150));
            if (b.length > a.length && random.nextBoolean()) {
                System.arraycopy(a, 0, b, random.nextInt(b.length - a.length), a.length - random.nextInt(9));
            }
            assertThat(Ratios.partialRatio(a, b, Ratios.Strategy.AUTO))
                    .as("%s %s", new String(a, 0, a.length), new String(b, 0, b.length))
                    .isEqualTo(Ratios.partialRatio(a, b, Ratios.Strategy.SERIAL));
        }
    }

    /** Tests periodic strings, in which almost all windows have the same number of characters in common. */
    @Test
    void repetitiveTexts() {
        SplittableRandom random = new SplittableRandom(65);
        for (int round = 0; round < Thorough.rounds(300, 3_000); round++) {
            String period = "abcdefg".substring(0, 1 + random.nextInt(7));
            int length = round % 20 == 0 ? 90 : 18 + random.nextInt(40);
            StringBuilder word = new StringBuilder(period.repeat(length).substring(0, length));
            int longer = length + random.nextInt(150);
            StringBuilder text = new StringBuilder(period.repeat(longer).substring(0, longer));
            word.setCharAt(random.nextInt(length), 'x');
            // sometimes, one window has more characters in common than the others
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                text.setCharAt(random.nextInt(text.length()), "axz".charAt(random.nextInt(3)));
            }
            int[] a = characters(word.toString());
            int[] b = characters(text.toString());
            assertThat(Ratios.partialRatio(a, b, Ratios.Strategy.AUTO))
                    .as("%s %s", word, text)
                    .isEqualTo(Ratios.partialRatio(a, b, Ratios.Strategy.SERIAL));
        }
    }

    private static int[] letters(SplittableRandom random, String letters, int length) {
        return random.ints(length, 0, letters.length()).map(letters::charAt).toArray();
    }

    /**
     * Normalizes each code point, except surrogates, between two letters, and compares a checksum of the results with
     * that of rapidfuzz 3.14.6's results.
     */
    @Test
    void everyCharacterIsNormalizedAsByRapidfuzz() {
        CRC32 sum = new CRC32();
        for (int character = 0; character <= Character.MAX_CODE_POINT; character++) {
            if (character < Character.MIN_SURROGATE || character > Character.MAX_SURROGATE) {
                int[] normalized = Normalization.of(new int[] {'x', character, 'x'});
                assertThat(normalized).hasSize(3);
                for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
                    sum.update(normalized[1] >>> shift);
                }
            }
        }
        assertThat(sum.getValue()).isEqualTo(2326567209L);
    }

    @ParameterizedTest
    @EnumSource
    void emptyTexts(Ratios.Strategy strategy) {
        int[] none = {};
        int[] space = {' '};
        int[] word = characters("word");

        assertThat(Ratios.ratio(none, none, strategy)).isEqualTo(100);
        assertThat(Ratios.partialRatio(none, none, strategy)).isEqualTo(100);
        assertThat(Ratios.partialRatio(none, word, strategy)).isZero();
        assertThat(Ratios.tokenSortRatio(space, none, strategy)).isEqualTo(100);
        assertThat(Ratios.tokenSetRatio(space, space, strategy)).isZero();
        assertThat(Ratios.weightedRatio(none, none, strategy)).isZero();
        assertThat(Ratios.weightedRatio(space, characters("\t"), strategy)).isEqualTo(95);
    }

    /** The longer text contains the shorter one, or all of it except one letter, at its beginning, inside or its end. */
    @Test
    void containedTexts() {
        for (int length : new int[] {60, 200, 300}) {
            String word = "a".repeat(length);
            for (String changed : new String[] {word, "b" + word.substring(1)}) {
                for (String text : new String[] {word + "ba", "b" + word + "b", "ab" + word, word}) {
                    assertThat(Ratios.partialRatio(characters(changed), characters(text), Ratios.Strategy.AUTO))
                            .as("%s %s", changed, text)
                            .isEqualTo(
                                    Ratios.partialRatio(characters(changed), characters(text), Ratios.Strategy.SERIAL));
                }
            }
        }
    }

    /**
     * A pair of texts with 36,400 letters in total, or with half a million short words, takes a fraction of a second.
     */
    @Test
    void largeTexts() {
        String letters = "abcdefghijklmnopqrstuvwxyz".repeat(400);
        int[] word = characters("?" + letters.substring(1));
        int[] text = characters(("zyxwvutsrqponmlkjihgfedcba".repeat(400) + "abcdefghijklmnopqrstuvwxyz".repeat(600)));

        // the last 10,399 characters equal the word without its first character
        assertThat(Ratios.partialRatio(word, text, Ratios.Strategy.AUTO)).isCloseTo(100 - 100 / 20_799.0, offset(1e-9));
        assertThat(Ratios.tokenSetRatio(characters("ab cd ".repeat(250_000)), characters("cd"), Ratios.Strategy.AUTO))
                .isEqualTo(100);
    }
}
