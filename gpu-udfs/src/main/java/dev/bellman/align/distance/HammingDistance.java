package dev.bellman.align.distance;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.Text;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The Hamming distance: the number of positions at which the characters of two strings of equal length differ (Hamming,
 * "Error detecting and error correcting codes", 1950).
 */
public final class HammingDistance {
    /** Both strategies return the same distance. */
    public enum Strategy {
        /** Compares eight bytes at a time if all characters are ASCII. */
        AUTO,
        /** Compares character by character. */
        SERIAL
    }

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SEVEN_BITS = 0x7f7f7f7f7f7f7f7fL;

    private HammingDistance() {}

    /**
     * Returns the distance between {@code a} and {@code b}, counted in characters.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if one string has more characters than the other
     */
    public static int distance(Text a, Text b, Strategy strategy) {
        if (a.length() != b.length()) {
            throw BellmanException.inRow(
                    "hamming_distance",
                    "a has %d characters and b has %d; the two lengths must be equal"
                            .formatted(a.length(), b.length()));
        }
        return strategy == Strategy.AUTO && a.isAscii() && b.isAscii()
                ? distance(a.bytes(), b.bytes())
                : a.differences(b);
    }

    /**
     * Counts the differences, eight bytes at a time. ASCII bytes differ only in their lower seven bits, so adding 127
     * to a nonzero difference sets the eighth bit.
     */
    private static int distance(byte[] a, byte[] b) {
        int distance = 0;
        int at = 0;
        for (; at <= a.length - Long.BYTES; at += Long.BYTES) {
            long differing = (long) LONGS.get(a, at) ^ (long) LONGS.get(b, at);
            distance += Long.bitCount(differing + SEVEN_BITS & ~SEVEN_BITS);
        }
        for (; at < a.length; at++) {
            distance += a[at] == b[at] ? 0 : 1;
        }
        return distance;
    }
}
