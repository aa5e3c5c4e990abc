package dev.bellman.join;

import dev.bellman.join.measure.Limits;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Generates keys for symmetric deletion: two strings that are at most {@code k} edits apart have a common subsequence
 * that lacks at most {@code k} characters of each string (Bocek, Hunt and Stiller, "Fast similarity search in large
 * dictionaries", 2007). The keys of a string are its subsequences with up to {@code k} characters deleted.
 *
 * <p><b>Which lengths.</b> If the longer of two strings has {@code m} characters, it is enough to find a common
 * subsequence of exactly {@code m - k} characters (0 if {@code m < k}), because every subsequence of a longer common
 * subsequence is also common to both. So {@code r} characters are deleted from a string of length {@code n} only if
 * strings of length {@code n - r + k} exist. {@code k} may depend on {@code m}.
 *
 * <p>This works for every distance whose edits each remove at most one character from the common subsequence ({@link
 * dev.bellman.join.measure.Metric}).
 *
 * <p><b>Each subsequence once.</b> Deleting either of two equal neighbours yields the same subsequence. Only the choice
 * that deletes the rightmost characters is used: the character before a deleted run then never occurs in the run. For
 * 20 random nucleotides and {@code k = 3}, this leaves, on average, 636 of 1,351 ways to delete characters.
 *
 * <p><b>One addition per key.</b> A character {@code c} at position {@code i}, with {@code j} characters deleted before
 * it, adds {@code c B^(i-j)} to the hash. If {@code sums[j][p]} is the sum of these terms for the characters before
 * {@code p}, a last deletion at {@code p} gives {@code base + sums[k-1][p] + sums[k][n] - sums[k][p+1]}. For example,
 * {@code abcd} without {@code b} and {@code c} has the hash {@code sums[0][1] + (sums[1][2] - sums[1][2]) + (sums[2][4]
 * - sums[2][3]) = a B^0 + d B^1}.
 *
 * <p><b>Only the keys of a slice.</b> The deletions that determine the first {@code beginning} characters of a key are
 * chosen first. The hash of these characters shows whether the key can be in the slice; if not, all further deletions
 * are skipped. The 1,140 ways to delete three of 20 characters yield only 56 different choices of the first 5 remaining
 * characters.
 */
final class DeletionKeys {
    private final Strings strings;
    private final Limits limits;
    private final int longest;
    private final int beginning;
    /** The lengths of the keys, indexed by string length. */
    private final int[][] left;

    private final long[] powers;
    private final int[] characters;
    private final int[] others;
    private final long[] hashes;
    private final long[][] sums;
    /** The term that the last deletion adds to the hash if it is at position {@code p}, indexed by {@code p}. */
    private final long[] last;

    private final int[][] moves;

    private KeyBuffer buffer;
    private int id;
    private long seed;
    private int n;
    /** The number of characters to delete from the string for the current keys. */
    private int all;
    /** The number of initial characters that determine the slice of the current keys. */
    private int begins;

    /** Whether {@link #last} is filled for the current keys. */
    private boolean ready;

    /**
     * @param longest the maximum length of the strings for which keys are generated; only pairs of such strings are
     *     found
     * @param beginning the number of initial characters that determine a key's slice
     */
    DeletionKeys(Strings strings, Limits limits, int longest, int beginning) {
        this.strings = strings;
        this.limits = limits;
        this.longest = Math.min(longest, strings.longest());
        this.beginning = beginning;
        left = left(strings.lengthsThatOccur(), limits, this.longest);
        int room = Math.max(0, this.longest) + 1;
        powers = Hash.powers(room);
        characters = new int[room];
        others = new int[room];
        hashes = new long[room];
        sums = new long[Math.max(0, limits.maxDeletions()) + 1][room + 1];
        last = new long[room];
        moves = new int[room + 1][Math.max(0, 2 * limits.maxDeletions()) + 1];
    }

    /** Returns the lengths of the keys for each string length up to {@code longest}, in descending order. */
    private static int[][] left(boolean[] occur, Limits limits, int longest) {
        return IntStream.rangeClosed(0, longest)
                .mapToObj(n -> IntStream.rangeClosed(n, Math.min(longest, limits.longestPartner(n)))
                        .filter(m -> occur[m])
                        .map(m -> -Math.min(n, limits.common(m)))
                        .sorted()
                        .distinct()
                        .map(length -> -length)
                        .toArray())
                .toArray(int[][]::new);
    }

    /**
     * Estimates, for each string length up to {@code longest}, the number of keys of a string: the number of ways to
     * delete the required characters, or fewer if neighbouring characters are equal.
     *
     * @param occur whether strings of a length exist
     * @param different the fraction of characters that differ from their neighbour; 1 gives an upper bound
     */
    static double[] count(boolean[] occur, Limits limits, int longest, double different) {
        if (!limits.isOrdered()) {
            return LetterKeys.count(occur, limits, longest);
        }
        int[][] left = left(occur, limits, Math.min(longest, occur.length - 1));
        double[] keys = new double[left.length];
        for (int length = 0; length < keys.length; length++) {
            double ways = 1;
            int r = 0;
            for (int ofKey : left[length]) {
                for (; r < length - ofKey; r++) {
                    ways = ways * different * (length - r) / (r + 1);
                }
                keys[length] += ways;
            }
        }
        return keys;
    }

    /** Returns the maximum string length, up to {@code longest}, at which no string has more than {@code most} keys. */
    static int longest(Limits limits, int longest, double most) {
        int length = limits.deletions(0);
        while (length < longest && most(length + 1, limits.deletions(length + 1)) <= most) {
            length++;
        }
        return length;
    }

    /**
     * Returns the maximum number of keys of a string: the number of ways to delete up to {@code k} of its {@code
     * length} characters.
     */
    static double most(int length, int k) {
        double ways = 1;
        double sum = 1;
        for (int r = 1; r <= Math.min(k, length); r++) {
            ways = ways * (length - r + 1) / r;
            sum += ways;
        }
        return sum;
    }

    /** Returns the initial hash of a group's keys. */
    static long seed(long group) {
        return Hash.mix(group + 0x2545F4914F6CDD1DL);
    }

    void add(int string, KeyBuffer to) {
        n = strings.length(string);
        if (n > longest) {
            return;
        }
        id = string;
        buffer = to;
        seed = seed(strings.group(string));
        strings.characters(string, characters);
        int most = left[n].length == 0 ? -1 : n - left[n][left[n].length - 1];
        for (int i = 0; i < n; i++) {
            hashes[i] = Hash.character(characters[i]);
        }
        for (int j = 0; j <= most; j++) {
            long[] sum = sums[j];
            // none of the first j characters can follow j deleted characters
            Arrays.fill(sum, 0, j + 1, 0);
            for (int i = j; i < n; i++) {
                sum[i + 1] = sum[i] + hashes[i] * powers[i - j];
            }
        }
        for (int length : left[n]) {
            all = n - length;
            begins = Math.min(beginning, length);
            ready = false;
            begin(0, -1, 0, seed);
        }
    }

    /**
     * Chooses the deletions that determine the first characters of a key.
     *
     * @param done the number of characters that are already deleted
     * @param previous the position of the last deleted character
     * @param gap the first position of the deleted run that ends at {@code previous}
     * @param base the hash of the remaining characters before {@code previous}
     */
    private void begin(int done, int previous, int gap, long base) {
        long[] sum = sums[done];
        long from = base - sum[previous + 1];
        int end = begins + done;
        if (buffer.hasBeginning(Hash.mix(from + sum[end]))) {
            if (done == all) {
                buffer.add(Hash.mix(from + sum[n]), id, KeyBuffer.DELETION);
            } else {
                delete(done, previous, gap, base, end);
            }
        }
        if (done < all) {
            int next = previous + 1;
            if (next < end && isRightmost(gap, next)) {
                begin(done + 1, next, gap, from + sum[next]);
            }
            for (int p = next + 1; p < end; p++) {
                if (characters[p - 1] != characters[p]) {
                    begin(done + 1, p, p, from + sum[p]);
                }
            }
        }
    }

    /** Whether the character at {@code p} may extend the deleted run that begins at {@code gap}. */
    private boolean isRightmost(int gap, int p) {
        return gap == 0 || characters[gap - 1] != characters[p];
    }

    /** Chooses the remaining deletions, starting at {@code start}; see {@link #begin} for the other parameters. */
    private void delete(int done, int previous, int gap, long base, int start) {
        long[] sum = sums[done];
        long from = base - sum[previous + 1];
        int p = start;
        if (done == all - 1) {
            long[] tail = last();
            if (p == previous + 1 && p < n) {
                if (isRightmost(gap, p)) {
                    buffer.add(Hash.mix(from + tail[p]), id, KeyBuffer.DELETION);
                }
                p++;
            }
            for (; p < n; p++) {
                if (characters[p - 1] != characters[p]) {
                    buffer.add(Hash.mix(from + tail[p]), id, KeyBuffer.DELETION);
                }
            }
            return;
        }
        int end = n - (all - done - 1);
        if (p == previous + 1 && p < end) {
            if (isRightmost(gap, p)) {
                delete(done + 1, p, gap, from + sum[p], p + 1);
            }
            p++;
        }
        for (; p < end; p++) {
            if (characters[p - 1] != characters[p]) {
                delete(done + 1, p, p, from + sum[p], p + 1);
            }
        }
    }

    private long[] last() {
        if (!ready) {
            long[] after = sums[all];
            for (int p = 0; p < n; p++) {
                last[p] = sums[all - 1][p] + after[n] - after[p + 1];
            }
            ready = true;
        }
        return last;
    }

    /**
     * Whether the buffer accepts a pair's owner and the owner's word is between {@code firstWord} and {@code lastWord},
     * inclusive. The owner is a key that both strings share: the first characters of a uniquely defined longest common
     * subsequence.
     *
     * @param x the string with the smaller number
     */
    boolean isOwner(int x, int y, KeyBuffer keys, long firstWord, long lastWord) {
        int xLength = strings.length(x);
        int yLength = strings.length(y);
        strings.characters(x, characters);
        strings.characters(y, others);
        int k = limits.deletions(yLength);
        int wanted = limits.common(yLength);
        int shorter = Math.min(xLength, yLength);
        int prefix = 0;
        while (prefix < shorter && characters[prefix] == others[prefix]) {
            prefix++;
        }
        long hash = seed(strings.group(x));
        int first = Math.min(beginning, wanted);
        long hashOfFirst = hash;
        int common = 0;
        while (common < Math.min(prefix, wanted)) {
            hash += Hash.character(characters[common]) * powers[common];
            common++;
            hashOfFirst = common <= first ? hash : hashOfFirst;
        }
        if (common < wanted) {
            fillMoves(k, prefix, xLength, yLength);
            int i = prefix;
            int j = prefix;
            while (common < wanted) {
                int b = j - i + k;
                int here = moves[i][b];
                if (i < xLength && j < yLength && characters[i] == others[j] && moves[i + 1][b] == here) {
                    hash += Hash.character(characters[i]) * powers[common];
                    common++;
                    hashOfFirst = common <= first ? hash : hashOfFirst;
                    i++;
                    j++;
                } else if (i < xLength && b > 0 && moves[i + 1][b - 1] + 1 == here) {
                    i++;
                } else {
                    j++;
                }
            }
        }
        return keys.has(Hash.mix(hashOfFirst), Hash.mix(hash), firstWord, lastWord);
    }

    /**
     * Computes the minimum number of insertions and deletions on a path from each cell after the common prefix to the
     * end.
     */
    private void fillMoves(int k, int prefix, int xLength, int yLength) {
        int width = 2 * k + 1;
        for (int i = xLength; i >= prefix; i--) {
            int[] row = moves[i];
            for (int b = width - 1; b >= 0; b--) {
                int j = i + b - k;
                if (j < prefix || j > yLength) {
                    row[b] = Integer.MAX_VALUE / 2;
                } else if (i == xLength) {
                    row[b] = yLength - j;
                } else {
                    int best = 1 + (b > 0 ? moves[i + 1][b - 1] : Integer.MAX_VALUE / 2);
                    if (j < yLength) {
                        best = Math.min(best, characters[i] == others[j] ? moves[i + 1][b] : best);
                        best = Math.min(best, b < width - 1 ? row[b + 1] + 1 : best);
                    }
                    row[b] = best;
                }
            }
        }
    }
}
