package dev.bellman.align;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Generates strings and pairs of strings that are hard to handle, over alphabets of one to thousands of characters that
 * have one to four bytes each. The strings of a pair are equal, some edits apart, rotated or unrelated, or one is the
 * end of the other; some strings are periodic. Many lengths are close to a power of two or to a multiple of 32, and
 * thus to the size of a word or a tile. Some strings are not valid UTF-8.
 */
public final class PairInstances {
    private static final int[] NUCLEOTIDES = "ACGT".codePoints().toArray();
    private static final int[] LETTERS =
            "abcdefghijklmnopqrstuvwxyz".codePoints().toArray();
    /**
     * The first and last code points that take one to four bytes, and some code points that differ only in their last
     * byte.
     */
    private static final int[] MIXED =
            "\0a\u007f\u0080\u00e9\u07ff\u0800\u4e2d\u4e2e\ud7ff\ue000\uffff\ud800\udc00\ud83d\ude00\udbff\udfff"
                    .codePoints()
                    .toArray();

    /**
     * The bytes that encode ä, é, ñ and ü in Latin-1; as the first byte of a character in UTF-8, they announce three,
     * three, four and (as Spark reads 0xfc) one byte.
     */
    private static final int[] LATIN_1 = {0xe4, 0xe9, 0xf1, 0xfc};

    private record Range(int first, int count) {
        int[] characters() {
            return IntStream.range(first, first + count).toArray();
        }
    }

    private static final Map<Range, int[]> RANGES = new ConcurrentHashMap<>();

    private PairInstances() {}

    /** Draws {@code (a, b)}. */
    public static InternalRow pair(SplittableRandom random, int size) {
        int[] alphabet = alphabet(random);
        int[] a = text(random, alphabet, Values.size(random, size));
        int[] b = other(random, alphabet, a, size);
        if (random.nextBoolean()) {
            return row(random, a, b);
        }
        return row(random, b, a);
    }

    /** Draws {@code (a, b)}, mostly with the same number of characters. */
    public static InternalRow alignedPair(SplittableRandom random, int size) {
        int[] alphabet = alphabet(random);
        int[] a = text(random, alphabet, Values.size(random, size));
        int[] b = a.clone();
        if (random.nextInt(8) == 0) {
            b = other(random, alphabet, a, size);
        } else if (random.nextInt(3) == 0) {
            b = text(random, alphabet, a.length);
        } else if (a.length > 0) {
            for (int i = random.nextInt(4); i > 0; i--) {
                b[random.nextInt(b.length)] = alphabet[random.nextInt(alphabet.length)];
            }
        }
        return row(random, a, b);
    }

    private static InternalRow row(SplittableRandom random, int[] a, int[] b) {
        boolean malformed = random.nextInt(16) == 0;
        return Values.row(
                Values.sometimesNull(random, malformed ? damaged(random, a) : encoded(random, a)),
                Values.sometimesNull(random, malformed ? damaged(random, b) : encoded(random, b)));
    }

    /** Replaces some bytes, mostly with bytes that are typical of Latin-1, and may drop the last byte. */
    private static UTF8String damaged(SplittableRandom random, int[] text) {
        byte[] bytes = encoded(random, text).getBytes();
        for (int i = 0; i < bytes.length; i++) {
            if (random.nextInt(4) == 0) {
                bytes[i] =
                        (byte) (random.nextInt(8) == 0 ? random.nextInt(256) : LATIN_1[random.nextInt(LATIN_1.length)]);
            }
        }
        return UTF8String.fromBytes(Arrays.copyOf(bytes, bytes.length - (bytes.length == 0 ? 0 : random.nextInt(2))));
    }

    /**
     * Draws {@code (a, b, max)}. Most limits are below 64; the others are at most {@code size + 1}, negative, or the
     * largest or smallest int.
     */
    public static InternalRow limitedPair(SplittableRandom random, int size) {
        InternalRow pair = pair(random, size);
        int max =
                switch (random.nextInt(8)) {
                    case 0 -> Values.oneOf(random, -1, 0, 1, Integer.MIN_VALUE, Integer.MAX_VALUE);
                    case 1 -> random.nextInt(size + 2);
                    case 2, 3 -> random.nextInt(64);
                    default -> random.nextInt(5);
                };
        return Values.row(
                pair.get(0, DataTypes.StringType),
                pair.get(1, DataTypes.StringType),
                Values.sometimesNull(random, max));
    }

    /** Draws {@code (strings)}: a few strings with about {@code size} characters in total. */
    public static InternalRow strings(SplittableRandom random, int size) {
        int count = random.nextInt(4) == 0 ? random.nextInt(12) : 2 + random.nextInt(3);
        int[] alphabet = alphabet(random);
        Object[] strings = new Object[count];
        int[] before = text(random, alphabet, Values.size(random, size / Math.max(1, count)));
        for (int i = 0; i < count; i++) {
            strings[i] = encoded(random, before);
            before = other(random, alphabet, before, size / count);
        }
        if (count > 0 && random.nextInt(300) == 0) {
            strings[random.nextInt(count)] = null;
        }
        return Values.row(Values.sometimesNull(random, Values.arrayOf(strings)));
    }

    private static int[] alphabet(SplittableRandom random) {
        return switch (random.nextInt(16)) {
            case 0 -> new int[] {'a'};
            case 1, 2 -> new int[] {'a', 'b'};
            case 3, 4, 5, 6 -> NUCLEOTIDES;
            case 7, 8, 9, 10 -> LETTERS;
            case 11 -> MIXED;
            // a letter that is not a nucleotide, or a character of two bytes, changes the class of a pair
            case 12 -> new int[] {'A', 'C', 'G', 'T', 'A', 'C', 'G', 'T', 'N'};
            case 13 -> new int[] {'a', 'b', 'c', 'd', 'e', 'f', 'g', 0xe9};
            case 14 -> range(random, 256);
            default -> range(random, 5_000);
        };
    }

    /** Draws consecutive code points, none of which is a surrogate. */
    private static int[] range(SplittableRandom random, int count) {
        int first = Values.oneOf(random, 0x20, 0x100, 0x4e00, 0x10000);
        return RANGES.computeIfAbsent(new Range(first, first == ' ' ? 95 : count), Range::characters);
    }

    private static int[] text(SplittableRandom random, int[] alphabet, int length) {
        int[] text = new int[length];
        int period = random.nextInt(6) == 0 ? 1 + random.nextInt(8) : length;
        for (int i = 0; i < length; i++) {
            text[i] = i < period ? alphabet[random.nextInt(alphabet.length)] : text[i - period];
        }
        return text;
    }

    private static int[] other(SplittableRandom random, int[] alphabet, int[] a, int size) {
        return switch (random.nextInt(10)) {
            case 0, 1 -> text(random, alphabet, Values.size(random, size));
            case 2 -> text(random, alphabet, a.length);
            case 3 -> a;
            case 4 -> Arrays.copyOfRange(a, random.nextInt(a.length + 1), a.length);
            case 5 -> moved(random, a);
            case 6, 7 -> edited(random, alphabet, a, 1 + random.nextInt(3));
            default -> edited(random, alphabet, a, random.nextInt(a.length / 2 + 2));
        };
    }

    private static int[] moved(SplittableRandom random, int[] a) {
        int by = random.nextInt(a.length + 1);
        int[] moved = new int[a.length];
        for (int i = 0; i < a.length; i++) {
            moved[i] = a[(i + by) % a.length];
        }
        return moved;
    }

    /** Returns a copy of a string with the given number of substitutions, insertions and deletions, but at most 200. */
    private static int[] edited(SplittableRandom random, int[] alphabet, int[] a, int edits) {
        int[] copy = Arrays.copyOf(a, a.length + edits);
        int length = a.length;
        // more edits would take too long, because an edit may move all later characters
        for (int edit = 0; edit < Math.min(edits, 200); edit++) {
            int symbol = alphabet[random.nextInt(alphabet.length)];
            int at = random.nextInt(length + 1);
            int kind = random.nextInt(3);
            if (kind == 0 || at == length) {
                System.arraycopy(copy, at, copy, at + 1, length - at);
                copy[at] = symbol;
                length++;
            } else if (kind == 1) {
                copy[at] = symbol;
            } else {
                System.arraycopy(copy, at + 1, copy, at, length - at - 1);
                length--;
            }
        }
        return Arrays.copyOf(copy, length);
    }

    private static UTF8String encoded(SplittableRandom random, int[] text) {
        int all = 0;
        int count = 0;
        for (int character : text) {
            all |= character;
            count += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
        }
        byte[] bytes = new byte[count];
        if (all < 0x80) {
            for (int i = 0; i < count; i++) {
                bytes[i] = (byte) text[i];
            }
            return UTF8String.fromBytes(bytes);
        }
        int at = 0;
        for (int character : text) {
            if (character < 0x80) {
                bytes[at++] = (byte) character;
            } else {
                int following = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
                bytes[at++] = (byte) (0xf0 << 3 - following | character >> 6 * following);
                for (int i = following - 1; i >= 0; i--) {
                    bytes[at++] = (byte) (0x80 | character >> 6 * i & 0x3f);
                }
            }
        }
        return UTF8String.fromBytes(bytes);
    }
}
