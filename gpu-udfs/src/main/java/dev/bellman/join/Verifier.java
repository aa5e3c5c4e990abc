package dev.bellman.join;

import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.align.bits.BitRecurrence;
import dev.bellman.align.bits.EditDistanceBits;
import dev.bellman.join.measure.Limits;
import java.util.Arrays;

/**
 * Decides whether two strings are a pair. For the edit distance between ASCII strings, uses the bit-parallel
 * recurrence. Not thread-safe.
 */
final class Verifier {
    private static final int MAX_ROWS = 64 * BitRecurrence.MAX_WORDS_ALONE;

    private final Strings strings;
    private final Limits limits;
    private final boolean editDistance;
    private final long[] matches = new long[128 * SymbolPair.STRIDE];
    private final int[] rows = new int[MAX_ROWS];
    private int[] columns = new int[MAX_ROWS];

    Verifier(Strings strings, Limits limits) {
        this.strings = strings;
        this.limits = limits;
        editDistance = limits.measure().isEditDistance();
    }

    boolean isPair(int x, int y) {
        int k = limits.edits(Math.max(strings.length(x), strings.length(y)));
        if (Math.abs((long) strings.length(x) - strings.length(y)) > k) {
            return false;
        }
        if (!editDistance || !strings.isAscii(x) || !strings.isAscii(y)) {
            return general(x, y);
        }
        StringBlock xBlock = strings.block(x);
        StringBlock yBlock = strings.block(y);
        byte[] xBytes = xBlock.bytes();
        byte[] yBytes = yBlock.bytes();
        int xStart = xBlock.start(strings.index(x));
        int yStart = yBlock.start(strings.index(y));
        int xLength = strings.length(x);
        int yLength = strings.length(y);
        int shorter = Math.min(xLength, yLength);
        // a common prefix and suffix do not affect the distance
        int prefix = Arrays.mismatch(xBytes, xStart, xStart + shorter, yBytes, yStart, yStart + shorter);
        if (prefix < 0) {
            return true;
        }
        int suffix = 0;
        while (suffix < shorter - prefix
                && xBytes[xStart + xLength - 1 - suffix] == yBytes[yStart + yLength - 1 - suffix]) {
            suffix++;
        }
        int xRest = xLength - prefix - suffix;
        int yRest = yLength - prefix - suffix;
        if (Math.max(xRest, yRest) <= k) {
            return true;
        }
        if (xRest == 0 || yRest == 0) {
            return false;
        }
        if (Math.min(xRest, yRest) > MAX_ROWS) {
            return general(x, y);
        }
        return xRest <= yRest ? distance(x, xRest, y, yRest, prefix) <= k : distance(y, yRest, x, xRest, prefix) <= k;
    }

    private int distance(int row, int n, int column, int m, int prefix) {
        if (m > columns.length) {
            columns = new int[Math.max(m, 2 * columns.length)];
        }
        strings.symbols(row, prefix, prefix + n, rows);
        strings.symbols(column, prefix, prefix + m, columns);
        for (int i = 0; i < n; i++) {
            matches[rows[i] + (i >>> 6)] |= 1L << i;
        }
        int distance = EditDistanceBits.INSTANCE.alone(n + 63 >>> 6, matches, columns, m, -1L >>> -n);
        for (int i = 0; i < n; i++) {
            matches[rows[i] + (i >>> 6)] = 0;
        }
        return distance;
    }

    private boolean general(int x, int y) {
        return limits.measure().isPair(Text.of(strings.bytes(x)), Text.of(strings.bytes(y)));
    }
}
