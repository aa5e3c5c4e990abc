package dev.bellman.align.distance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.align.Characters;
import dev.bellman.align.PairInstances;
import dev.bellman.align.TestPairs;
import dev.bellman.align.TestPairs.Pair;
import dev.bellman.align.Text;
import dev.bellman.align.distance.JaroWinkler.Strategy;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JaroWinklerTest {
    private static double similarity(String a, String b, Strategy strategy) {
        return JaroWinkler.similarity(Text.of(a), Text.of(b), strategy);
    }

    @ParameterizedTest
    @EnumSource
    void equalsTheTextbook(Strategy strategy) {
        SplittableRandom random = new SplittableRandom(1989);
        for (int round = 0; round < 30_000; round++) {
            InternalRow row = PairInstances.pair(random, round % 10 == 0 ? 150 : 14);
            if (row.anyNull()) {
                continue;
            }
            double expected = DistanceTextbook.jaroWinkler(
                    Characters.of(row.getUTF8String(0)), Characters.of(row.getUTF8String(1)));
            Text a = Text.of(row.getUTF8String(0).getBytes());
            Text b = Text.of(row.getUTF8String(1).getBytes());
            assertThat(JaroWinkler.similarity(a, b, strategy))
                    .as("%s %s", a, b)
                    .isEqualTo(expected)
                    .isEqualTo(JaroWinkler.similarity(b, a, strategy));
        }
    }

    /** Tests strings of up to 64 characters, whose positions are stored as bits, and longer strings. */
    @Test
    void strategiesAgreeOnLongerPairs() {
        for (Pair pair : TestPairs.part(TestPairs.many(1990), 3)) {
            assertThat(similarity(pair.a(), pair.b(), Strategy.AUTO))
                    .as("%s %s", pair.a(), pair.b())
                    .isEqualTo(similarity(pair.a(), pair.b(), Strategy.SERIAL));
        }
    }

    /** A common prefix counts only if the Jaro similarity exceeds 0.7, and at most 4 of its characters count. */
    @ParameterizedTest
    @EnumSource
    void prefix(Strategy strategy) {
        // 3 matches between 4 and 6 characters: (3/4 + 3/6 + 1) / 3
        assertThat(similarity("abcx", "abcyzw", strategy)).isEqualTo(0.75 + 3 * 0.1 * (1 - 0.75));
        // 1 match between 2 and 2 characters: (1/2 + 1/2 + 1) / 3
        assertThat(similarity("ab", "ac", strategy)).isEqualTo(2.0 / 3);
        // 5 matches between 10 and 5 characters: (5/10 + 5/5 + 1) / 3
        assertThat(similarity("abcdefghij", "abcde", strategy)).isEqualTo(2.5 / 3 + 4 * 0.1 * (1 - 2.5 / 3));
    }

    /** Strings of a million characters are compared in linear time. */
    @Test
    void longPair() {
        String text = "abcdefghijklmnopqrstuvwxyz".repeat(40_000);
        assertThat(similarity(text, text, Strategy.AUTO)).isEqualTo(1);
        assertThat(similarity(text, "0".repeat(1_000_000), Strategy.AUTO)).isZero();
    }
}
