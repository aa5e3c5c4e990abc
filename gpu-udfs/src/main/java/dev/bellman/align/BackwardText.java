package dev.bellman.align;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Arrays;

/** A text that is written from its end to its beginning. */
public final class BackwardText {
    /** The most UTF-16 units of a Java string of any characters. */
    private static final long MOST_UNITS = (1 << 30) - 1;

    private final String function;
    private int[] codePoints = new int[64];
    private int start = codePoints.length;
    private long units;

    public BackwardText(String function, int suffixUnits) {
        this.function = function;
        units = suffixUnits;
    }

    public void prepend(int codePoint) {
        units += Character.charCount(codePoint);
        if (units > MOST_UNITS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: the result has more than %,d UTF-16 units, the most that a string of any characters holds. Use shorter strings, or the function for the length alone"
                            .formatted(function, MOST_UNITS));
        }
        if (start == 0) {
            int length = (int) Math.min(codePoints.length * 2L, MOST_UNITS);
            int[] longer = Arrays.copyOf(codePoints, length);
            start = length - codePoints.length;
            System.arraycopy(codePoints, 0, longer, start, codePoints.length);
            codePoints = longer;
        }
        codePoints[--start] = codePoint;
    }

    @Override
    public String toString() {
        return new String(codePoints, start, codePoints.length - start);
    }
}
