package dev.bellman.align.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.Thorough;
import dev.bellman.align.Text;
import dev.bellman.align.distance.JaroWinkler;
import java.util.SplittableRandom;
import org.apache.commons.text.similarity.CosineDistance;
import org.apache.commons.text.similarity.JaccardSimilarity;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;
import org.junit.jupiter.api.Test;

/** Compares Splink's functions with commons-text. */
class SplinkFunctionsTest {
    private static final int ROUNDS = Thorough.rounds(400_000, 4_000_000);

    private static final String[] CHARACTERS = {
        "a", "b", "c", "e", " ", "\u00e9", "\u4e2d", "\ud83d\ude00", "\ud83d\ude01", "\ud83e\udd80", "\ud83d"
    };

    @Test
    void sameValuesAsCommonsText() {
        SplittableRandom random = new SplittableRandom(2026);
        JaroWinklerSimilarity jaroWinkler = new JaroWinklerSimilarity();
        JaccardSimilarity jaccard = new JaccardSimilarity();
        CosineDistance cosine = new CosineDistance();
        int boosted = 0;
        int halves = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int letters = 2 + random.nextInt(CHARACTERS.length - 1);
            int most = round % 100 == 0 ? 150 : 14;
            String a = text(random, letters, most);
            String b = random.nextBoolean() ? text(random, letters, most) : changed(random, a, letters);
            double similarity = SplinkFunctions.jaroWinkler(a, b);
            double jaro = SplinkFunctions.jaro(a, b);
            assertThat(similarity).as("%s|%s", a, b).isEqualTo(jaroWinkler.apply(a, b));
            assertThat(jaro).as("%s|%s", a, b).isEqualTo(MatchingTextbook.jaroWithHalves(a, b));
            assertThat(SplinkFunctions.jaccard(a, b)).as("%s|%s", a, b).isEqualTo(jaccard.apply(a, b));
            if (!a.isBlank() && !b.isBlank()) {
                assertThat(SplinkFunctions.cosineDistance(a, b))
                        .as("%s|%s", a, b)
                        .isEqualTo(cosine.apply(a, b));
            }
            boosted += similarity > jaro ? 1 : 0;
            halves += jaro != ofRapidfuzz(a, b) ? 1 : 0;
        }
        assertThat(boosted).isGreaterThan(ROUNDS / 10);
        assertThat(halves).isGreaterThan(ROUNDS / 100);
    }

    @Test
    void values() {
        assertThat(SplinkFunctions.jaro("martha", "marhta")).isEqualTo(0.9444444444444445);
        assertThat(SplinkFunctions.jaroWinkler("martha", "marhta")).isEqualTo(0.9611111111111111);
        // three of six matches are out of order and count as one and a half transpositions: (6/6 + 6/6 + 4.5/6) / 3
        assertThat(SplinkFunctions.jaro("abcxxx", "bcaxxx")).isEqualTo(0.9166666666666666, within(1e-15));
        assertThat(SplinkFunctions.jaro("", "")).isEqualTo(1);
        assertThat(SplinkFunctions.jaccard("", "a")).isZero();
        assertThat(SplinkFunctions.jaccard("\ud83d\ude00a", "\ud83d\ude01a")).isEqualTo(0.5);
    }

    private static double ofRapidfuzz(String a, String b) {
        return JaroWinkler.jaro(Text.of(a), Text.of(b), JaroWinkler.Strategy.SERIAL);
    }

    private static String text(SplittableRandom random, int letters, int most) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(most + 1); left > 0; left--) {
            text.append(CHARACTERS[random.nextInt(letters)]);
        }
        return text.toString();
    }

    /** Returns the text with some code units removed, replaced or swapped, so that unpaired surrogates occur. */
    private static String changed(SplittableRandom random, String text, int letters) {
        StringBuilder changed = new StringBuilder(text);
        for (int left = random.nextInt(4); left > 0 && changed.length() > 1; left--) {
            int at = random.nextInt(changed.length() - 1);
            switch (random.nextInt(3)) {
                case 0 -> changed.deleteCharAt(at);
                case 1 -> changed.replace(at, at + 1, CHARACTERS[random.nextInt(letters)]);
                default -> changed.insert(at, changed.charAt(at + 1)).deleteCharAt(at + 2);
            }
        }
        return changed.toString();
    }
}
