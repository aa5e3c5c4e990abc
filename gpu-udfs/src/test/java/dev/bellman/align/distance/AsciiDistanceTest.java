package dev.bellman.align.distance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.align.Text;
import dev.bellman.align.bits.AsciiDistance;
import dev.bellman.align.distance.EditDistance.Strategy;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AsciiDistanceTest {
    private static byte[] random(SplittableRandom random, int length, int letters) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) (128 - letters + random.nextInt(letters));
        }
        return text;
    }

    /** Returns a copy with a few edits. */
    private static byte[] edited(SplittableRandom random, byte[] text, int letters) {
        StringBuilder edited = new StringBuilder(new String(text, StandardCharsets.US_ASCII));
        for (int edits = random.nextInt(12); edits > 0 && !edited.isEmpty(); edits--) {
            int at = random.nextInt(edited.length());
            String letter = new String(random(random, 1, letters), StandardCharsets.US_ASCII);
            edited.replace(at, at + random.nextInt(2), random.nextInt(3) == 0 ? "" : letter);
        }
        return edited.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5, 6, 7, 26, 128})
    void equalsEveryCell(int letters) {
        SplittableRandom random = new SplittableRandom(letters);
        for (int round = 0; round < 3_000; round++) {
            int most = round % 3 == 0 ? 330 : 70;
            byte[] x = random(random, random.nextInt(most), letters);
            byte[] y =
                    random.nextBoolean() ? random(random, random.nextInt(most), letters) : edited(random, x, letters);
            Text a = Text.of(x);
            Text b = Text.of(y);
            int expected = EditDistance.distance(a, b, Strategy.SERIAL);
            int max = random.nextInt(3) == 0 ? expected - 1 + random.nextInt(3) : random.nextInt(most);
            for (Strategy strategy : new Strategy[] {Strategy.AUTO, Strategy.BIT_PARALLEL}) {
                assertThat(EditDistance.distance(a, b, strategy)).isEqualTo(expected);
                assertThat(EditDistance.distance(a, b, max, strategy)).isEqualTo(expected > max ? -1 : expected);
            }
        }
    }

    @Test
    void supports() {
        Text rows = Text.of("a".repeat(256));
        Text columns = Text.of("b".repeat(1024));
        assertThat(AsciiDistance.supports(rows, columns)).isTrue();
        assertThat(AsciiDistance.of(columns, rows, Integer.MAX_VALUE)).isEqualTo(1024);
        assertThat(AsciiDistance.supports(rows, Text.of("b".repeat(1025)))).isFalse();
        assertThat(AsciiDistance.supports(Text.of("a".repeat(257)), columns)).isFalse();
        assertThat(AsciiDistance.supports(Text.of("é"), rows)).isFalse();
    }
}
