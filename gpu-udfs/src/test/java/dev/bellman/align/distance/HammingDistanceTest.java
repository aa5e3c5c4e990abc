package dev.bellman.align.distance;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.ErrorCode;
import dev.bellman.align.TestPairs;
import dev.bellman.align.Text;
import dev.bellman.align.distance.HammingDistance.Strategy;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HammingDistanceTest {
    /** Tests all lengths below 100, because ASCII strings are compared eight bytes at a time. */
    @ParameterizedTest
    @EnumSource
    void equalsTheTextbook(Strategy strategy) {
        Random random = new Random(1950);
        for (String alphabet : new String[] {"\0\u007f", TestPairs.DNA, TestPairs.MIXED}) {
            for (int length = 0; length < 100; length++) {
                for (int round = 0; round < 20; round++) {
                    String a = TestPairs.random(random, alphabet, length);
                    String b = TestPairs.random(random, alphabet, length);
                    int expected = DistanceTextbook.hammingDistance(
                            a.codePoints().toArray(), b.codePoints().toArray());
                    assertThat(HammingDistance.distance(Text.of(a), Text.of(b), strategy))
                            .isEqualTo(expected);
                }
            }
        }
    }

    /** Lengths count characters; some of these pairs have the same number of bytes. */
    @ParameterizedTest
    @ValueSource(strings = {"ab,é", "abc,ab", ",a", "中,abc"})
    void rejectsUnequalLengths(String pair) {
        Text a = Text.of(pair.substring(0, pair.indexOf(',')));
        Text b = Text.of(pair.substring(pair.indexOf(',') + 1));
        for (Strategy strategy : Strategy.values()) {
            assertFails(ErrorCode.BELLMAN_INPUT_VALUE, () -> HammingDistance.distance(a, b, strategy))
                    .hasMessageContaining("a has %d characters and b has %d;", a.length(), b.length());
        }
    }
}
