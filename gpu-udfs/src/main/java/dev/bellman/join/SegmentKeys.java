package dev.bellman.join;

import dev.bellman.join.measure.Limits;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Generates the keys of PassJoin (Li, Deng, Wang and Feng, "Pass-Join: a partition-based method for similarity joins",
 * 2011). The shorter string is divided into {@code k + 1} segments. At most {@code k} edits leave at least one segment
 * unchanged, so the longer string contains this segment near the same position. The number of edits on either side
 * limits how far the segment can move: for some {@code i}, counted from 0, the {@code i}-th segment has {@code i} edits
 * before it and at most {@code k - i} after it. The keys of a string are its segments and all substrings that may equal
 * a segment of a string that is not longer.
 *
 * <p>If {@code k} depends on the length of the longer string, the shorter string is segmented once for each possible
 * {@code k}. If substitutions are the only edits, segments keep their positions.
 */
final class SegmentKeys {
    private final Strings strings;
    private final Limits limits;
    private final boolean positional;
    private final int shortest;
    private final boolean[] occur;
    /** For each length of the shorter string of a pair, the possible values of {@code k}. */
    private final int[][] edits;

    private final long[] powers;
    private final long[] inverse;
    private final int[] characters;
    private final long[] sums;

    /** @param shortest the minimum length of the longer string of a pair */
    SegmentKeys(Strings strings, Limits limits, int shortest) {
        this.strings = strings;
        this.limits = limits;
        positional = limits.measure().isPositional();
        this.shortest = shortest;
        occur = strings.lengthsThatOccur();
        edits = new int[occur.length][];
        int room = strings.longest() + 1;
        powers = Hash.powers(room);
        inverse = Hash.inversePowers(room);
        characters = new int[room];
        sums = new long[room + 1];
    }

    /** Estimates the number of keys of a string of {@code length} characters. */
    static double most(Limits limits, int length) {
        double k = limits.edits(length);
        return limits.measure().isPositional() ? 2 * (k + 1) : (k + 1) * (1 + (k + 1) * (k + 1) / 2.0);
    }

    void add(int string, KeyBuffer to) {
        int n = strings.length(string);
        edits[n] = edits[n] == null ? editsOfLonger(n) : edits[n];
        if (n < shortest && edits[n].length == 0) {
            return;
        }
        read(string, n);
        long seed = strings.group(string);
        for (int k : edits[n]) {
            for (int i = 0; i <= k; i++) {
                int start = start(n, k, i);
                add(hash(start, start(n, k, i + 1)) + seed(seed, n, k, i), string, KeyBuffer.SEGMENT, to);
            }
        }
        if (n >= shortest) {
            for (int length = limits.shortestPartner(n); length <= n; length++) {
                if (occur[length]) {
                    addParts(string, n, length, seed, to);
                }
            }
        }
    }

    private void addParts(int string, int n, int length, long seed, KeyBuffer to) {
        int k = limits.edits(n);
        for (int i = 0; i <= k; i++) {
            int size = start(length, k, i + 1) - start(length, k, i);
            long segment = seed(seed, length, k, i);
            int to0 = last(n, length, k, i);
            for (int at = first(n, length, k, i); at <= to0; at++) {
                add(hash(at, at + size) + segment, string, KeyBuffer.PART, to);
                if (size == 0) {
                    break;
                }
            }
        }
    }

    /**
     * Adds a segment, or a substring that may equal one. All of its characters count as the first characters of a key.
     */
    private static void add(long hash, int string, int kind, KeyBuffer to) {
        long mixed = Hash.mix(hash);
        if (to.hasBeginning(mixed)) {
            to.add(mixed, string, kind);
        }
    }

    private int[] editsOfLonger(int n) {
        return IntStream.rangeClosed(Math.max(n, shortest), Math.min(occur.length - 1, limits.longestPartner(n)))
                .filter(longer -> occur[longer])
                .map(limits::edits)
                .distinct()
                .toArray();
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

    private static long seed(long group, int length, int k, int segment) {
        return Hash.mix(Hash.mix(group + 0x3C6EF372FE94F82BL + k) + ((long) length << 32 | segment));
    }

    /** Returns the start of the {@code i}-th segment; the last segments may be one character longer. */
    private static int start(int length, int k, int i) {
        int segments = k + 1;
        int longer = length % segments;
        return i * (length / segments) + Math.max(0, i - (segments - longer));
    }

    /**
     * Returns the first position in a string of {@code n} characters at which the {@code i}-th segment of a string of
     * {@code length} characters may occur.
     */
    private int first(int n, int length, int k, int i) {
        int place = start(length, k, i);
        return positional ? place : Math.max(0, Math.max(place - i, place + n - length - (k - i)));
    }

    private int last(int n, int length, int k, int i) {
        int place = start(length, k, i);
        int size = start(length, k, i + 1) - place;
        return positional ? place : Math.min(n - size, Math.min(place + i, place + n - length + (k - i)));
    }

    /**
     * Whether the buffer accepts the key of a pair's owner, and the key's word is from {@code firstWord} to {@code
     * lastWord}. The owner is the first segment of {@code x} that {@code y} contains at an allowed position.
     *
     * @param x the string with the smaller number
     */
    boolean isOwner(int x, int y, KeyBuffer keys, long firstWord, long lastWord) {
        int length = strings.length(x);
        int n = strings.length(y);
        int k = limits.edits(n);
        int[] xCharacters = new int[length];
        strings.characters(x, xCharacters);
        strings.characters(y, characters);
        for (int i = 0; i <= k; i++) {
            int start = start(length, k, i);
            int end = start(length, k, i + 1);
            int to = last(n, length, k, i);
            for (int at = first(n, length, k, i); at <= to; at++) {
                if (Arrays.equals(xCharacters, start, end, characters, at, at + end - start)) {
                    read(x, length);
                    long owner = Hash.mix(hash(start, end) + seed(strings.group(x), length, k, i));
                    return keys.has(owner, owner, firstWord, lastWord);
                }
            }
        }
        throw new IllegalStateException(
                "strings %d and %d are within %d edits of each other, but share no segment".formatted(x, y, k));
    }
}
