package dev.bellman.align.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.align.distance.EditDistance.Strategy;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MiddleColumnTest {
    private final MiddleColumn middle = new MiddleColumn();

    private static byte[] random(SplittableRandom random, int length, int letters) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) (127 - random.nextInt(letters));
        }
        return text;
    }

    /** Returns a text that is similar to another one, but begins elsewhere. */
    private static byte[] similar(SplittableRandom random, byte[] other, int length, int letters) {
        byte[] text = random(random, length, letters);
        int shift = random.nextInt(20);
        for (int j = 0; j < length && j + shift < other.length; j++) {
            text[j] = random.nextInt(8) == 0 ? text[j] : other[j + shift];
        }
        return text;
    }

    private static int expected(byte[] a, byte[] b) {
        return EditDistance.distance(Text.of(a), Text.of(b), Strategy.SERIAL);
    }

    private int distance(byte[] rows, byte[] columns) {
        long[] matches = new long[128 * SymbolPair.STRIDE];
        for (int i = 0; i < rows.length; i++) {
            matches[rows[i] * SymbolPair.STRIDE + (i >>> 6)] |= 1L << i;
        }
        for (byte character : rows) {
            middle.match(character, matches, character * SymbolPair.STRIDE, rows.length);
        }
        int distance = middle.distance(columns, 0, rows.length, columns.length);
        for (byte character : rows) {
            middle.unmatch(character);
        }
        return distance;
    }

    @BeforeEach
    void needsVectors() {
        assumeTrue(BothEnds.VECTORS.isPresent());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 26, 128})
    void equalsEveryCell(int letters) {
        SplittableRandom random = new SplittableRandom(letters);
        int unknown = 0;
        for (int round = 0; round < 2_000; round++) {
            byte[] a = random(random, 65 + random.nextInt(127), letters);
            int length =
                    random.nextBoolean() ? Math.max(65, a.length - 5 + random.nextInt(10)) : 65 + random.nextInt(300);
            byte[] b = random.nextBoolean() ? random(random, length, letters) : similar(random, a, length, letters);
            int distance = distance(a, b);
            unknown += distance == MiddleColumn.UNKNOWN ? 1 : 0;
            assertThat(distance).isIn(expected(a, b), a.length > 128 ? MiddleColumn.UNKNOWN : expected(a, b));
        }
        assertThat(unknown).isLessThan(1_000);
    }

    @Test
    void knowsDistancesOfNucleotides() {
        SplittableRandom random = new SplittableRandom(150);
        for (int round = 0; round < 1_000; round++) {
            byte[] a = random(random, 150, 4);
            byte[] b = random(random, 150, 4);
            assertThat(distance(a, b)).isEqualTo(expected(a, b));
        }
    }

    @Test
    void distanceOfTextsIsTheSameAfterCompilation() {
        SplittableRandom random = new SplittableRandom(1);
        int count = 64;
        Text[] a = new Text[count];
        Text[] b = new Text[count];
        int[] expected = new int[count];
        for (int pair = 0; pair < count; pair++) {
            int letters = pair % 2 == 0 ? 4 : 6;
            byte[] x = random(random, 100 + random.nextInt(80), letters);
            byte[] y = similar(random, x, 100 + random.nextInt(80), letters);
            a[pair] = Text.of(x);
            b[pair] = Text.of(y);
            expected[pair] = expected(x, y);
        }
        byte[] rows = a[0].bytes();
        for (int i = 0; i < 50_000 && !middle.isNext(100, 100); i++) {
            distance(rows, b[0].bytes());
        }
        for (int i = 0; i < 5_000; i++) {
            int pair = i % count;
            assertThat(AsciiDistance.of(a[pair], b[pair], Integer.MAX_VALUE)).isEqualTo(expected[pair]);
        }
    }
}
