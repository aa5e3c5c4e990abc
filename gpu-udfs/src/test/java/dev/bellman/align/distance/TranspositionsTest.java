package dev.bellman.align.distance;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.ErrorCode;
import dev.bellman.Thorough;
import dev.bellman.align.Characters;
import dev.bellman.align.PairInstances;
import dev.bellman.align.TestPairs;
import dev.bellman.align.TestPairs.Pair;
import dev.bellman.align.Text;
import java.util.Random;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;

/** Tests the distances with transpositions, both restricted and unrestricted. */
class TranspositionsTest {
    private static final int[] LIMITS = {Integer.MIN_VALUE, -1, 0, 1, 2, 3, 7, Integer.MAX_VALUE};

    @Test
    void equalTheTextbook() {
        SplittableRandom random = new SplittableRandom(1975);
        for (int round = 0; round < Thorough.rounds(10_000, 30_000); round++) {
            InternalRow row = PairInstances.pair(random, 12);
            if (row.anyNull()) {
                continue;
            }
            Text a = Text.of(row.getUTF8String(0).getBytes());
            Text b = Text.of(row.getUTF8String(1).getBytes());
            int[] aCharacters = Characters.of(row.getUTF8String(0));
            int[] bCharacters = Characters.of(row.getUTF8String(1));
            int unrestricted = DistanceTextbook.damerauLevenshtein(aCharacters, bCharacters);
            int restricted = DistanceTextbook.osaDistance(aCharacters, bCharacters);
            for (DamerauLevenshtein.Strategy strategy : DamerauLevenshtein.Strategy.values()) {
                assertThat(DamerauLevenshtein.distance(a, b, strategy))
                        .as("%s %s", a, b)
                        .isEqualTo(unrestricted);
                for (int max : LIMITS) {
                    assertThat(DamerauLevenshtein.distance(a, b, max, strategy))
                            .isEqualTo(unrestricted <= max ? unrestricted : -1);
                }
            }
            for (OsaDistance.Strategy strategy : OsaDistance.Strategy.values()) {
                assertThat(OsaDistance.distance(a, b, strategy))
                        .as("%s %s", a, b)
                        .isEqualTo(restricted);
                for (int max : LIMITS) {
                    assertThat(OsaDistance.distance(a, b, max, strategy))
                            .isEqualTo(restricted <= max ? restricted : -1);
                }
            }
        }
    }

    /** Tests several strips of rows, and symbols that are mapped to numbers. */
    @Test
    void strategiesAgreeOnLongerPairs() {
        for (Pair pair : TestPairs.part(TestPairs.many(1975), 3)) {
            Text a = Text.of(pair.a());
            Text b = Text.of(pair.b());
            int unrestricted = DamerauLevenshtein.distance(a, b, DamerauLevenshtein.Strategy.SERIAL);
            int restricted = OsaDistance.distance(a, b, OsaDistance.Strategy.SERIAL);
            assertThat(DamerauLevenshtein.distance(a, b, DamerauLevenshtein.Strategy.AUTO))
                    .as("%s %s", a, b)
                    .isEqualTo(unrestricted)
                    .isEqualTo(DamerauLevenshtein.distance(b, a, DamerauLevenshtein.Strategy.AUTO));
            assertThat(OsaDistance.distance(a, b, OsaDistance.Strategy.BIT_PARALLEL))
                    .as("%s %s", a, b)
                    .isEqualTo(restricted)
                    .isEqualTo(OsaDistance.distance(b, a, OsaDistance.Strategy.AUTO));
            assertThat(unrestricted).isLessThanOrEqualTo(restricted);
        }
    }

    /** Tests every limit on strings that differ by transpositions, some of them with gaps, between words of rows. */
    @Test
    void limitsOnLongPairs() {
        Random random = new Random(2003);
        for (int round = 0; round < Thorough.rounds(80, 3_000); round++) {
            String text = TestPairs.random(random, TestPairs.DNA, 70 + random.nextInt(200));
            // different ends, because equal ends would be omitted and shift the words
            boolean isShifted = round % 2 == 0;
            String a = isShifted ? text + "x" : "x" + text + "x";
            String b = "y" + swapped(random, text, 62 + random.nextInt(2)) + (isShifted ? "" : "y");
            assertLimits(round % 4 < 2 ? a : b, round % 4 < 2 ? b : a);
        }
    }

    /** Swaps neighbours at some of the positions that are {@code edge} modulo 64. */
    private static String swapped(Random random, String text, int edge) {
        StringBuilder swapped = new StringBuilder();
        for (int i = 0; i < text.length(); ) {
            int gap = random.nextBoolean() ? 0 : 1 + random.nextInt(random.nextBoolean() ? 4 : 70);
            if ((i & 63) != edge || i + gap + 1 >= text.length() || random.nextBoolean()) {
                swapped.append(text.charAt(i++));
            } else if (random.nextBoolean()) {
                swapped.append(text.charAt(i + gap + 1)).append(text.charAt(i));
                i += gap + 2;
            } else {
                swapped.append(text.charAt(i + 1)).append("z".repeat(gap)).append(text.charAt(i));
                i += 2;
            }
        }
        return swapped.toString();
    }

    /** Tests long strings, for which small limits are tried first; some of their distances exceed these limits. */
    @Test
    void longPairsWithoutLimits() {
        Random random = new Random(2011);
        for (int round = 0; round < Thorough.rounds(60, 2_000); round++) {
            String text = TestPairs.random(random, TestPairs.DNA, 500 + random.nextInt(2_500));
            String other = text;
            for (int i = random.nextInt(16); i >= 0; i--) {
                other = swapped(random, other, random.nextInt(64));
            }
            String a = "x" + text;
            String b = other + "y";
            Distances distances = Distances.of(round % 2 == 0 ? a : b, round % 2 == 0 ? b : a);
            distances.assertWithin(Integer.MAX_VALUE);
            distances.assertWithin(distances.restricted);
            distances.assertWithin(distances.unrestricted - 1);
        }
    }

    private static void assertLimits(String a, String b) {
        Distances distances = Distances.of(a, b);
        for (int max = 0; max <= a.length() + 1; max++) {
            distances.assertWithin(max);
        }
    }

    /** The distances between two strings, computed cell by cell. */
    private record Distances(Text a, Text b, int unrestricted, int restricted) {
        static Distances of(String first, String second) {
            Text a = Text.of(first);
            Text b = Text.of(second);
            return new Distances(
                    a,
                    b,
                    DamerauLevenshtein.distance(a, b, DamerauLevenshtein.Strategy.SERIAL),
                    OsaDistance.distance(a, b, OsaDistance.Strategy.SERIAL));
        }

        void assertWithin(int max) {
            assertThat(DamerauLevenshtein.distance(a, b, max, DamerauLevenshtein.Strategy.AUTO))
                    .as("%s %s within %d", a, b, max)
                    .isEqualTo(unrestricted <= max ? unrestricted : -1);
            assertThat(OsaDistance.distance(a, b, max, OsaDistance.Strategy.AUTO))
                    .as("%s %s within %d", a, b, max)
                    .isEqualTo(restricted <= max ? restricted : -1);
        }
    }

    /** Swaps every second pair of neighbours; each swap is one edit. */
    @Test
    void longPair() {
        StringBuilder swapped = new StringBuilder();
        String text = "abcdefgh".repeat(Thorough.rounds(1_050, 2_500));
        for (int i = 0; i < text.length(); i += 4) {
            swapped.append(text, i, i + 2).append(text.charAt(i + 3)).append(text.charAt(i + 2));
        }
        Text a = Text.of(text);
        Text b = Text.of(swapped.toString());
        assertThat(DamerauLevenshtein.distance(a, b, DamerauLevenshtein.Strategy.AUTO))
                .isEqualTo(text.length() / 4);
        assertThat(OsaDistance.distance(a, b, OsaDistance.Strategy.AUTO)).isEqualTo(text.length() / 4);
        assertThat(OsaDistance.distance(a, b, 100, OsaDistance.Strategy.AUTO)).isEqualTo(-1);
        assertFails(
                ErrorCode.BELLMAN_LIMIT, () -> DamerauLevenshtein.distance(a, b, DamerauLevenshtein.Strategy.SERIAL));
    }
}
