package dev.bellman.align;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Splits strings into characters, and joins characters, for the oracles. Each character is represented by the number
 * that its bytes form. Accepts arbitrary bytes, as Spark's {@code levenshtein} does.
 */
public final class Characters {
    private static final int MAX_BYTES = 4;

    private Characters() {}

    public static int[] of(UTF8String text) {
        byte[] bytes = text.getBytes();
        int[] characters = new int[bytes.length];
        int count = 0;
        for (int at = 0; at < bytes.length; ) {
            int end = Math.min(bytes.length, at + UTF8String.numBytesForFirstByte(bytes[at]));
            int character = 0;
            while (at < end) {
                character = character << Byte.SIZE | Byte.toUnsignedInt(bytes[at++]);
            }
            characters[count++] = character;
        }
        return Arrays.copyOf(characters, count);
    }

    public static UTF8String text(int... characters) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int character : characters) {
            for (int i = MAX_BYTES - 1; i >= 0; i--) {
                if (i == 0 || character >>> Byte.SIZE * i != 0) {
                    bytes.write(character >>> Byte.SIZE * i);
                }
            }
        }
        return UTF8String.fromBytes(bytes.toByteArray());
    }
}
