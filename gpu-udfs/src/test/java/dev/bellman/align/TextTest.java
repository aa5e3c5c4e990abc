package dev.bellman.align;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Thorough;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** {@link Text} splits strings into the same characters as Spark's {@code UTF8String}. */
class TextTest {
    @Test
    void everyTextOfUpToThreeBytes() {
        check();
        for (int first = 0; first < 256; first++) {
            check(first);
            for (int second = 0; second < 256; second++) {
                check(first, second);
                for (int third = 0; third < 256; third += Thorough.rounds(5, 1)) {
                    check(first, second, third);
                }
            }
        }
    }

    @Test
    void randomTexts() {
        Random random = new Random(8);
        for (int round = 0; round < Thorough.rounds(250_000, 1_000_000); round++) {
            check(TestPairs.malformed(random, 12));
        }
    }

    /** No two characters of four bytes have the same number, and no shorter character has one of these numbers. */
    @Test
    void numbersOfFourBytesDiffer() {
        Random random = new Random(9);
        Map<Integer, Integer> packed = new HashMap<>();
        for (int round = 0; round < Thorough.rounds(250_000, 1_000_000); round++) {
            int bytes = 0xf0000000 + random.nextInt(5 << 24);
            int character =
                    Text.of(bytes(bytes >>> 24, bytes >> 16, bytes >> 8, bytes)).characters()[0];
            Integer before = packed.put(character, bytes);
            assertThat(before == null || before == bytes).isTrue();
            assertThat(Text.bytesOf(character)).isEqualTo(4);
        }
    }

    @Test
    void wellFormedTextIsCodePoints() {
        String every = new String(
                java.util.stream.IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                        .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                        .toArray(),
                0,
                Character.MAX_CODE_POINT + 1 - 2048);
        assertThat(Text.of(every).characters()).isEqualTo(every.codePoints().toArray());
        assertThat(Text.of(every)).hasToString(every);
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static void check(int... values) {
        check(bytes(values));
    }

    private static void check(byte[] bytes) {
        Text text = Text.of(bytes);
        int[] characters = text.characters();
        int at = 0;
        int count = 0;
        boolean same = characters.length == text.length();
        while (at < bytes.length && count < characters.length) {
            int end = Math.min(bytes.length, at + UTF8String.numBytesForFirstByte(bytes[at]));
            int packed = 0;
            same &= Text.bytesOf(characters[count]) == end - at;
            for (; at < end; at++) {
                packed = packed << 8 | bytes[at] & 0xff;
            }
            same &= Text.packed(characters[count++]) == packed;
        }
        if (!same || at < bytes.length || count < characters.length) {
            assertThat(characters)
                    .as(UTF8String.fromBytes(bytes) + " "
                            + java.util.HexFormat.of().formatHex(bytes))
                    .isEmpty();
        }
    }
}
