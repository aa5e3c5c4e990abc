package dev.bellman.align;

import dev.bellman.columns.Arguments;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Numbers the tokens of two arrays (such as words or items) so that equal numbers mean equal tokens. Algorithms for two
 * strings can then be applied to the two arrays. Strings are equal if their bytes are equal. NULL is a token that
 * equals only NULL.
 *
 * <p>If both arrays have the type {@code ARRAY<INT>} and contain no NULL, each token is its own number. Otherwise, NULL
 * has the number 0, and other tokens are numbered from 1 in the order of their first occurrence, with a hash table that
 * uses linear probing.
 */
public final class Tokens {
    /** The types of tokens. Arrays of other types are cast to the first type in this list that preserves all values. */
    public static final List<DataType> TYPES = List.of(DataTypes.IntegerType, DataTypes.LongType, DataTypes.StringType);

    private static final int NULL = 0;
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private static final int MIN_SLOTS = 16;

    /** The number of bytes per integer token in the hash table and the list of keys. */
    private static final int BYTES_OF_AN_INTEGER = 24;

    private static final int BYTES_OF_A_STRING = 64;

    /** The number of string bytes that count as one {@link Cancellation} step. */
    private static final int BYTES_OF_A_STEP = 8;

    /** Two arrays of token numbers. */
    public record Pair(int[] a, int[] b) {
        /** Returns the number of cells in the pair's table. */
        public long cells() {
            return (long) a.length * b.length;
        }
    }

    private final DataType type;
    private final Cancellation cancellation = new Cancellation();
    /** The number of the token in each slot; 0 if the slot is free. */
    private final int[] slots;
    /**
     * The key of each token: an integer, the bytes of a short string, or the hash of a long string. Indexed by token
     * number.
     */
    private final long[] keys;
    /** The string of each token, indexed by token number; null for integers. */
    private final UTF8String[] strings;

    private int count;

    private Tokens(DataType type, long most) {
        this.type = type;
        boolean areStrings = type.equals(DataTypes.StringType);
        TaskMemory.take(most * (areStrings ? BYTES_OF_A_STRING : BYTES_OF_AN_INTEGER), () -> "a table of %,d tokens"
                .formatted(most));
        // at most half of the slots are occupied
        slots = new int[(int) Math.min(1 << 30, Math.max(MIN_SLOTS, 2 * Long.highestOneBit(2 * most - 1)))];
        keys = new long[(int) most + 1];
        strings = areStrings ? new UTF8String[keys.length] : null;
    }

    static ArrayType arrayOf(DataType type) {
        return DataTypes.createArrayType(type);
    }

    /**
     * Numbers the tokens in the first two arguments of a call.
     *
     * @param type the type of the arrays' elements, one of {@link #TYPES}
     * @param names the names of the two arguments, for messages
     */
    public static Pair of(Arguments arguments, DataType type, String... names) {
        ArrayData a = arguments.array(0);
        ArrayData b = arguments.array(1);
        TaskMemory.takeArgument(arguments.function(), names[0], a.numElements());
        TaskMemory.takeArgument(arguments.function(), names[1], b.numElements());
        if (type.equals(DataTypes.IntegerType) && !hasNull(a) && !hasNull(b)) {
            return new Pair(a.toIntArray(), b.toIntArray());
        }
        Tokens tokens = new Tokens(type, (long) a.numElements() + b.numElements());
        return new Pair(tokens.numbers(a), tokens.numbers(b));
    }

    private static boolean hasNull(ArrayData array) {
        for (int i = 0; i < array.numElements(); i++) {
            if (array.isNullAt(i)) {
                return true;
            }
        }
        return false;
    }

    private int[] numbers(ArrayData array) {
        int[] numbers = new int[array.numElements()];
        for (int i = 0; i < numbers.length; i++) {
            if (array.isNullAt(i)) {
                numbers[i] = NULL;
            } else if (strings != null) {
                UTF8String string = array.getUTF8String(i);
                cancellation.count(string.numBytes() / BYTES_OF_A_STEP);
                numbers[i] = number(isShort(string) ? string.getPrefix() : string.hashCode(), string);
            } else {
                numbers[i] = number(type.equals(DataTypes.LongType) ? array.getLong(i) : array.getInt(i), null);
            }
        }
        return numbers;
    }

    private int number(long key, UTF8String string) {
        int mask = slots.length - 1;
        int slot = (int) (key * GOLDEN_RATIO >>> Long.numberOfLeadingZeros(mask));
        int probes = 1;
        for (; slots[slot] != 0; slot = slot + 1 & mask, probes++) {
            int number = slots[slot];
            if (keys[number] == key && (string == null || equal(string, strings[number]))) {
                cancellation.count(probes);
                return number;
            }
        }
        cancellation.count(probes);
        slots[slot] = ++count;
        keys[count] = key;
        if (string != null) {
            strings[count] = string;
        }
        return count;
    }

    private static boolean isShort(UTF8String string) {
        return string.numBytes() <= Long.BYTES;
    }

    /** Whether two strings with the same key are equal. */
    private static boolean equal(UTF8String a, UTF8String b) {
        return isShort(a) ? a.numBytes() == b.numBytes() : a.equals(b);
    }
}
