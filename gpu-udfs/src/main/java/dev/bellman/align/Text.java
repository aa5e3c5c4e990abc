package dev.bellman.align;

import dev.bellman.columns.TaskMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A string in UTF-8, or any other sequence of bytes, which is split into characters as in Spark's {@code UTF8String}:
 * the first byte of a character determines the character's length. The length is two bytes for {@code C2} to
 * {@code DF}, three for {@code E0} to {@code EF}, four for {@code F0} to {@code F4}, and one for all others; the
 * following bytes may have any value. The last character may be incomplete. Characters are equal if their bytes are
 * equal. Therefore, the characters of a well-formed string are code points, and malformed strings, such as Latin-1, are
 * compared without loss.
 * <p>An {@code int} represents a character. If the bytes have the form of UTF-8 and are not longer than necessary, the
 * {@code int} is the number that they encode; surrogates and numbers above U+10FFFF are allowed. Otherwise, the {@code
 * int} is the complement of the bytes, with the first byte as the most significant. Different characters have different
 * numbers, and no character has the number {@code ~0}. Kernels use the same numbers ({@code common/utf8.cuh}).
 */
public final class Text {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NOT_ASCII = 0x8080808080808080L;
    /**
     * The minimum size in bytes of a text whose characters are counted before it is decoded. Counting avoids an array
     * that is longer than necessary.
     */
    private static final int SHORT = 1 << 16;

    private static final int UNKNOWN = -1;

    private final byte[] bytes;
    private final boolean ascii;
    /** The numbers of the characters, created on demand; the array may be longer than the text. */
    private int[] characters;

    private int length = UNKNOWN;

    private Text(byte[] bytes) {
        this.bytes = bytes;
        ascii = isAscii(bytes);
    }

    /** Returns the text with the given bytes, which must not change. */
    public static Text of(byte[] bytes) {
        return new Text(bytes);
    }

    /** Returns the text of an argument, and reserves memory for it. */
    public static Text of(UTF8String argument) {
        return new Text(TaskMemory.bytesOf(argument));
    }

    public static Text of(String string) {
        return new Text(string.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the text that consists of the characters from {@code from} (inclusive) to {@code to} (exclusive). */
    public static Text of(int[] numbers, int from, int to) {
        int length = 0;
        for (int i = from; i < to; i++) {
            length += bytesOf(numbers[i]);
        }
        byte[] bytes = new byte[length];
        int at = 0;
        for (int i = from; i < to; i++) {
            int packed = packed(numbers[i]);
            for (int left = bytesOf(numbers[i]) - 1; left >= 0; left--) {
                bytes[at++] = (byte) (packed >>> Byte.SIZE * left);
            }
        }
        return new Text(bytes);
    }

    private static boolean isAscii(byte[] bytes) {
        long seen = 0;
        int at = 0;
        for (; at <= bytes.length - Long.BYTES; at += Long.BYTES) {
            seen |= (long) LONGS.get(bytes, at);
        }
        for (; at < bytes.length; at++) {
            seen |= bytes[at];
        }
        return (seen & NOT_ASCII) == 0;
    }

    /** Returns the bytes, which must not change. */
    public byte[] bytes() {
        return bytes;
    }

    /** Whether all bytes are ASCII characters. */
    public boolean isAscii() {
        return ascii;
    }

    /** Returns the number of characters. */
    public int length() {
        if (ascii) {
            return bytes.length;
        }
        if (length == UNKNOWN) {
            int count = 0;
            for (int at = 0; at < bytes.length; at += bytesFrom(bytes[at])) {
                count++;
            }
            length = count;
        }
        return length;
    }

    /** Returns the number of characters in the last {@code suffix} bytes, which must begin at a character boundary. */
    public int lengthOfLast(int suffix) {
        if (ascii) {
            return suffix;
        }
        int[] decoded = decoded();
        int all = length();
        int count = 0;
        for (int left = suffix; left > 0; left -= bytesOf(decoded[all - count])) {
            count++;
        }
        return count;
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** Returns the numbers of the characters in a new array. */
    public int[] characters() {
        if (characters != null) {
            takeCharacters(length());
            return Arrays.copyOf(characters, length());
        }
        int[] own = room();
        return decode(own) == own.length ? own : Arrays.copyOf(own, length());
    }

    /** Returns the numbers of the characters; the array may be longer than the text. */
    int[] decoded() {
        if (characters == null) {
            int[] to = room();
            length = decode(to);
            characters = to;
        }
        return characters;
    }

    private int[] room() {
        int most = bytes.length < SHORT ? bytes.length : length();
        takeCharacters(most);
        return new int[most];
    }

    private static void takeCharacters(int count) {
        TaskMemory.take((long) Integer.BYTES * count, () -> "a string of %,d characters".formatted(count));
    }

    private int decode(int[] to) {
        if (ascii) {
            for (int i = 0; i < bytes.length; i++) {
                to[i] = bytes[i];
            }
            return bytes.length;
        }
        int count = 0;
        int at = 0;
        while (at < bytes.length) {
            int first = bytes[at];
            int both = (first & 0xff) << 8 | (at + 1 < bytes.length ? bytes[at + 1] & 0xff : 0);
            // branch-free, because a branch on the length is often mispredicted in text that mixes one-byte and
            // two-byte characters
            int wide = first >> 31;
            int tooShort = (both & 0x1e00) - 1 >>> 31;
            if (((both & 0xe0c0 ^ 0xc080 | tooShort) & wide) == 0) {
                to[count++] = first & ~wide | (both >> 2 & 0x7c0 | both & 0x3f) & wide;
                at += 1 - wide;
            } else {
                int end = Math.min(at + bytesFrom(first), bytes.length);
                to[count++] = character(at, end);
                at = end;
            }
        }
        return count;
    }

    /** Returns the number of positions at which this text differs from another text of the same length. */
    public int differences(Text other) {
        int differences = 0;
        int at = 0;
        int otherAt = 0;
        while (at < bytes.length) {
            int end = Math.min(at + bytesFrom(bytes[at]), bytes.length);
            int otherEnd = Math.min(otherAt + bytesFrom(other.bytes[otherAt]), other.bytes.length);
            if (!Arrays.equals(bytes, at, end, other.bytes, otherAt, otherEnd)) {
                differences++;
            }
            at = end;
            otherAt = otherEnd;
        }
        return differences;
    }

    /** Returns the length in bytes of a character that begins with this byte. */
    private static int bytesFrom(int first) {
        if (first >= (byte) 0xf5 || first < (byte) 0xc2) {
            return 1;
        }
        return first < (byte) 0xe0 ? 2 : first < (byte) 0xf0 ? 3 : 4;
    }

    /**
     * Returns the number of a non-ASCII character in the bytes from {@code at} (inclusive) to {@code end} (exclusive).
     */
    private int character(int at, int end) {
        int packed = 0;
        for (int i = at; i < end; i++) {
            packed = packed << 8 | bytes[i] & 0xff;
        }
        if ((packed & 0xffff_e0c0) == 0xc080) {
            return packed >> 2 & 0x7c0 | packed & 0x3f;
        }
        if ((packed & 0xfff0_c0c0) == 0xe08080) {
            int point = packed >> 4 & 0xf000 | packed >> 2 & 0xfc0 | packed & 0x3f;
            return point >= 0x800 ? point : ~packed;
        }
        if ((packed & 0xf8c0_c0c0) == 0xf0808080) {
            int point = packed >> 6 & 0x1c0000 | packed >> 4 & 0x3f000 | packed >> 2 & 0xfc0 | packed & 0x3f;
            return point >= 0x10000 ? point : ~packed;
        }
        return ~packed;
    }

    /**
     * Returns the number that the bytes of a character form. The character's last byte is the lowest byte; unused bytes
     * are 0.
     */
    static int packed(int character) {
        if (character < 0 || character >= 0x140000) {
            return ~character;
        } else if (character < 0x80) {
            return character;
        } else if (character < 0x800) {
            return 0xc080 | character << 2 & 0x1f00 | character & 0x3f;
        } else if (character < 0x10000) {
            return 0xe08080 | character << 4 & 0xf0000 | character << 2 & 0x3f00 | character & 0x3f;
        }
        return 0xf0808080
                | character << 6 & 0x7000000
                | character << 4 & 0x3f0000
                | character << 2 & 0x3f00
                | character & 0x3f;
    }

    static int bytesOf(int character) {
        int packed = packed(character);
        return packed == 0 ? 1 : 4 - Integer.numberOfLeadingZeros(packed) / 8;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Text text && Arrays.equals(bytes, text.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns the text as decoded by Java, which substitutes replacement characters for malformed parts. */
    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
