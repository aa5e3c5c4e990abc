package dev.bellman.align.gap;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Generates pairs of related and unrelated strings with all kinds of costs: affine, concave, convex, with dips,
 * constant, with many ties, or close to the limits of 32 or 64 bits. Some rows contain values that must be rejected.
 */
final class GapInstances {
    private static final String[] ALPHABETS = {"a", "ab", "ACGT", "abcdefghijklmnopqrstuvwxyz", "aé中𝄞"};

    private GapInstances() {}

    /** Draws {@code (a, b, match, mismatch, gap_costs)}. */
    static InternalRow shared(SplittableRandom random, int size) {
        return row(random, size, false);
    }

    /** Draws {@code (a, b, match, mismatch, a_gap_costs, b_gap_costs)}. */
    static InternalRow separate(SplittableRandom random, int size) {
        return row(random, size, true);
    }

    private static InternalRow row(SplittableRandom random, int size, boolean separate) {
        int[] alphabet = Values.oneOf(random, ALPHABETS).codePoints().toArray();
        int[] a = text(random, alphabet, Values.size(random, size));
        int[] b = random.nextInt(3) == 0
                ? text(random, alphabet, Values.size(random, size))
                : related(random, alphabet, a, size);
        if (random.nextBoolean()) {
            int[] other = a;
            a = b;
            b = other;
        }
        // brings sums close to a type's limit
        long limit = (long) (StrictMath.pow(2, Values.oneOf(random, 28, 31, 60))
                / (a.length + b.length + 1)
                * (0.4 + 0.6 * random.nextDouble()));
        long most = Values.oneOf(random, 1L, 3L, 3L, 10L, 10L, 1_000L, limit);
        if (random.nextInt(100) == 0) {
            most = Values.oneOf(random, 1L << 60, Long.MAX_VALUE);
        }
        Object aText = Values.sometimesNull(random, encoded(random, a));
        Object bText = Values.sometimesNull(random, encoded(random, b));
        Long match = Values.sometimesNull(random, random.nextLong(-1, most) + 1);
        Long mismatch = Values.sometimesNull(random, -random.nextLong(-1, most) - 1);
        if (separate) {
            return Values.row(
                    aText, bText, match, mismatch, costs(random, a.length, most), costs(random, b.length, most));
        }
        return Values.row(aText, bText, match, mismatch, costs(random, Math.max(a.length, b.length), most));
    }

    private static ArrayData costs(SplittableRandom random, int longest, long most) {
        int count = Math.max(0, longest + Values.oneOf(random, 0, 0, 0, 1, 7));
        if (random.nextInt(100) == 0) {
            count = Math.max(0, longest - 1);
        }
        long[] costs = new long[count];
        int kind = random.nextInt(6);
        long first = random.nextLong(most);
        long step = count == 0 ? 0 : (most - first) / count;
        for (int k = 0; k < count; k++) {
            costs[k] = switch (kind) {
                // affine costs, where the first letter may even be cheaper than the others
                case 0 -> first / 2 + k * step;
                case 1 -> (long) (most * StrictMath.log(k + 2) / StrictMath.log(count + 2));
                case 2 -> Math.min(first / 2 + 2 * (k + 1) * (step / 2), most / 2);
                case 3 -> (long) (most * StrictMath.pow((k + 1.0) / count, 2));
                case 4 -> random.nextLong(most);
                default -> Math.max(0, first - random.nextLong(most));
            };
        }
        if (count > 0 && random.nextInt(100) == 0) {
            costs[random.nextInt(count)] = Values.oneOf(random, -1L, -most, Long.MIN_VALUE);
        }
        return Values.sometimesNull(random, Values.array(costs), DataTypes.LongType);
    }

    private static int[] text(SplittableRandom random, int[] alphabet, int length) {
        return random.ints(length, 0, alphabet.length).map(i -> alphabet[i]).toArray();
    }

    /** Returns a copy in which some runs are removed, random runs are inserted, and some letters are changed. */
    private static int[] related(SplittableRandom random, int[] alphabet, int[] a, int size) {
        int[] copy = new int[size];
        int length = 0;
        int run = 1 + random.nextInt(20);
        for (int i = 0; i < a.length && length < size; i++) {
            switch (random.nextInt(30)) {
                case 0 -> i += random.nextInt(run);
                case 1 -> {
                    for (int left = random.nextInt(run); left > 0 && length < size; left--) {
                        copy[length++] = alphabet[random.nextInt(alphabet.length)];
                    }
                }
                case 2 -> copy[length++] = alphabet[random.nextInt(alphabet.length)];
                default -> copy[length++] = a[i];
            }
        }
        return Arrays.copyOf(copy, length);
    }

    /** Encodes a string; some of the results are not valid UTF-8. */
    private static UTF8String encoded(SplittableRandom random, int[] text) {
        byte[] bytes = UTF8String.fromString(new String(text, 0, text.length)).getBytes();
        if (bytes.length > 0 && random.nextInt(30) == 0) {
            bytes[random.nextInt(bytes.length)] =
                    Values.oneOf(random, (byte) 0xe4, (byte) 0xf1, (byte) 0x80, (byte) 0xff);
        }
        return UTF8String.fromBytes(bytes);
    }
}
