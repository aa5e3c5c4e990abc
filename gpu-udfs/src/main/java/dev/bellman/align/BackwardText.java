package dev.bellman.align;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/** Builds a string from its end to its beginning. */
public final class BackwardText {
    /** The maximum length of the array in bytes, slightly below HotSpot's limit. */
    private static final int MAX_BYTES = Integer.MAX_VALUE - 64;
    /**
     * The number of copies of the string in memory: the string itself, the larger array in which it is built, and the
     * bytes in a Spark row.
     */
    private static final int COPIES = 3;

    private final String function;
    private byte[] bytes;
    private int start;

    /** Creates a text that initially contains the last {@code suffix} bytes of {@code from}. */
    public BackwardText(String function, Text from, int suffix) {
        this.function = function;
        take(suffix);
        bytes = new byte[Math.max(64, suffix)];
        start = bytes.length - suffix;
        System.arraycopy(from.bytes(), from.bytes().length - suffix, bytes, start, suffix);
    }

    public BackwardText(String function) {
        this(function, Text.of(""), 0);
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the string becomes too long */
    public void prepend(int character) {
        int packed = Text.packed(character);
        for (int left = Text.bytesOf(character); left > 0; left--) {
            if (start == 0) {
                grow();
            }
            bytes[--start] = (byte) packed;
            packed >>>= 8;
        }
    }

    private void grow() {
        if (bytes.length == MAX_BYTES) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("%s: the result has more than %,d bytes, the maximum size of a string. Use shorter strings or, "
                                    + "for two strings, the function that returns only the length")
                            .formatted(function, MAX_BYTES));
        }
        int length = (int) Math.min(bytes.length * 2L, MAX_BYTES);
        take(length - bytes.length);
        byte[] longer = new byte[length];
        start = length - bytes.length;
        System.arraycopy(bytes, 0, longer, start, bytes.length);
        bytes = longer;
    }

    private void take(int more) {
        TaskMemory.take(function, (long) COPIES * more, "", () -> "a result of up to %,d bytes".formatted(more));
    }

    /** Returns the string; nothing may be prepended afterwards. */
    public Text text() {
        return Text.of(start == 0 ? bytes : Arrays.copyOfRange(bytes, start, bytes.length));
    }
}
