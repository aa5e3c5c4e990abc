package dev.bellman.align.distance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Thorough;
import dev.bellman.align.Characters;
import dev.bellman.align.PairInstances;
import dev.bellman.align.TestPairs;
import dev.bellman.align.TestPairs.Pair;
import dev.bellman.align.Text;
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
        assertThatThrownBy(() -> DamerauLevenshtein.distance(a, b, DamerauLevenshtein.Strategy.SERIAL))
                .isInstanceOfSatisfying(
                        BellmanException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_LIMIT));
    }
}
