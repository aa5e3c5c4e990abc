package dev.bellman.join;

import java.util.Arrays;

/** A growing list of pairs of numbers, one word per pair. */
final class PairBuffer {
    private long[] pairs = new long[1 << 10];
    private int count;

    void clear() {
        count = 0;
    }

    void add(int x, int y) {
        if (count == pairs.length) {
            pairs = Arrays.copyOf(pairs, 2 * count);
        }
        pairs[count++] = pair(x, y);
    }

    /** Adds pairs encoded by {@link #pair}. */
    void add(long[] more) {
        if (count + more.length > pairs.length) {
            pairs = Arrays.copyOf(pairs, Math.max(2 * count, count + more.length));
        }
        System.arraycopy(more, 0, pairs, count, more.length);
        count += more.length;
    }

    int count() {
        return count;
    }

    int first(int index) {
        return first(pairs[index]);
    }

    int second(int index) {
        return second(pairs[index]);
    }

    static long pair(int x, int y) {
        return (long) x << 32 | y;
    }

    static int first(long pair) {
        return (int) (pair >>> 32);
    }

    static int second(long pair) {
        return (int) pair;
    }
}
