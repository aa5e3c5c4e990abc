package dev.bellman.join;

import java.util.Arrays;

/**
 * PassJoin (G. Li, D. Deng, J. Wang and J. Feng, "Pass-Join: a partition-based method for similarity joins", 2011): of
 * {@code k + 1} segments of the shorter string, {@code k} edits leave one unchanged, and the longer string contains it
 * near its position. How near follows from the edits that remain on either side: there is a segment, the {@code i}-th
 * counted from 0, with {@code i} edits before it and at most {@code k - i} after it. The
 * keys of a string are its own segments, and those substrings that may equal a segment of a shorter string.
 */
final class SegmentKeys {
    private final Strings strings;
    private final int k;
    private final int shortest;
    private final boolean[] occur;
    private final long[] powers;
    private final long[] inverse;
    private final int[] characters;
    private final long[] sums;

    /** @param shortest pairs whose longer string has fewer characters are skipped */
    SegmentKeys(Strings strings, int k, int shortest) {
        this.strings = strings;
        this.k = k;
        this.shortest = shortest;
        occur = strings.lengthsThatOccur();
        int room = strings.longest() + 1;
        powers = Hash.powers(room);
        inverse = Hash.inversePowers(room);
        characters = new int[room];
        sums = new long[room + 1];
    }

    /** About how many keys a string of {@code length} characters has. */
    static double most(int k) {
        return (k + 1) * (1 + (k + 1) * (k + 1) / 2.0);
    }

    /** Adds the keys of a string. */
    void add(int string, KeyBuffer to) {
        int n = strings.length(string);
        boolean isShorter = hasLonger(n);
        if (n < shortest && !isShorter) {
            return;
        }
        read(string, n);
        long seed = strings.group(string);
        if (isShorter) {
            for (int i = 0; i <= k; i++) {
                int start = start(n, i);
                add(hash(start, start(n, i + 1)) + seed(seed, n, i), string, KeyBuffer.SEGMENT, to);
            }
        }
        if (n >= shortest) {
            for (int length = Math.max(0, n - k); length <= n; length++) {
                if (occur[length]) {
                    addParts(string, n, length, seed, to);
                }
            }
        }
    }

    private void addParts(int string, int n, int length, long seed, KeyBuffer to) {
        for (int i = 0; i <= k; i++) {
            int size = start(length, i + 1) - start(length, i);
            long segment = seed(seed, length, i);
            int to0 = last(n, length, i, size);
            for (int at = first(n, length, i); at <= to0; at++) {
                add(hash(at, at + size) + segment, string, KeyBuffer.PART, to);
                if (size == 0) {
                    break;
                }
            }
        }
    }

    /** A segment is its own beginning. */
    private static void add(long hash, int string, int kind, KeyBuffer to) {
        long mixed = Hash.mix(hash);
        if (to.hasBeginning(mixed)) {
            to.add(mixed, string, kind);
        }
    }

    private boolean hasLonger(int n) {
        for (int longer = Math.max(n, shortest); longer <= n + k && longer < occur.length; longer++) {
            if (occur[longer]) {
                return true;
            }
        }
        return false;
    }

    private void read(int string, int n) {
        strings.characters(string, characters);
        for (int i = 0; i < n; i++) {
            sums[i + 1] = sums[i] + Hash.character(characters[i]) * powers[i];
        }
    }

    private long hash(int from, int to) {
        return (sums[to] - sums[from]) * inverse[from];
    }

    private static long seed(long group, int length, int segment) {
        return Hash.mix(Hash.mix(group + 0x3C6EF372FE94F82BL) + ((long) length << 32 | segment));
    }

    /** Where the {@code i}-th segment begins; the last ones are longer by one if needed. */
    private int start(int length, int i) {
        int segments = k + 1;
        int longer = length % segments;
        return i * (length / segments) + Math.max(0, i - (segments - longer));
    }

    /**
     * The first position in a string of {@code n} characters where the {@code i}-th segment of one of {@code length}
     * may be.
     */
    private int first(int n, int length, int i) {
        int place = start(length, i);
        return Math.max(0, Math.max(place - i, place + n - length - (k - i)));
    }

    private int last(int n, int length, int i, int size) {
        int place = start(length, i);
        return Math.min(n - size, Math.min(place + i, place + n - length + (k - i)));
    }

    /**
     * Whether the key that finds a pair within {@code k} edits is in the buffer's slice, from {@code firstWord} to
     * {@code lastWord}: the word of the first segment of {@code x} that {@code y} has at an allowed position.
     *
     * @param x the string with the smaller number
     */
    boolean isOwner(int x, int y, KeyBuffer keys, long firstWord, long lastWord) {
        int length = strings.length(x);
        int n = strings.length(y);
        int[] xCharacters = new int[length];
        strings.characters(x, xCharacters);
        strings.characters(y, characters);
        for (int i = 0; i <= k; i++) {
            int start = start(length, i);
            int end = start(length, i + 1);
            int to = last(n, length, i, end - start);
            for (int at = first(n, length, i); at <= to; at++) {
                if (Arrays.equals(xCharacters, start, end, characters, at, at + end - start)) {
                    read(x, length);
                    long owner = Hash.mix(hash(start, end) + seed(strings.group(x), length, i));
                    return keys.has(owner, owner, firstWord, lastWord);
                }
            }
        }
        throw new IllegalStateException("strings %d and %d share no segment within %d edits".formatted(x, y, k));
    }
}
