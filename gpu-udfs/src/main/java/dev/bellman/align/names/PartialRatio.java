package dev.bellman.align.names;

import dev.bellman.align.SymbolPair;
import dev.bellman.align.bits.BitRecurrence;
import dev.bellman.align.bits.LcsBits;
import dev.bellman.columns.Cancellation;
import java.util.Arrays;

/**
 * Computes the largest ratio between the shorter string, which has {@code n} characters, and a window of the longer
 * string. A window is {@code n} consecutive characters, or fewer at the beginning or end. If both strings have the same
 * length, each is tried as the shorter one.
 *
 * <p><b>Short strings</b>: if the shorter string has at most 256 characters, a bit-parallel algorithm computes its
 * longest common subsequence with a window. From one window of {@code n} characters to the next, the length of this
 * subsequence changes by at most one. Therefore, if this length is {@code x} and {@code y} for two windows that are
 * {@code d} characters apart, it is at most {@code (x + y + d) / 2} for every window between them, and most windows are
 * skipped. In repetitive strings, this bound is too weak, because {@code x} and {@code y} are close to the maximum
 * everywhere. There, the common subsequence with the characters of all these windows together is a better bound.
 *
 * <p><b>Long strings</b>: otherwise, {@link Braid} computes the longest common subsequences for all windows at once,
 * unless the longer string contains the shorter one.
 */
final class PartialRatio {
    private static final int STEPS_OF_A_WINDOW = 2;
    private static final int MIN_STEP = 4;

    /** The minimum number of characters between two windows for which the bound for repetitive strings pays off. */
    private static final int MIN_REPETITIVE = 8;

    /** The number of times that the bound for repetitive strings may fail before it is no longer tried. */
    private static final int TRIALS = 2;

    /**
     * The bound for repetitive strings is tried only if the common subsequences of both windows are almost as long as
     * that of the best window: shorter by at most one character for this many characters of the shorter string.
     */
    private static final int CHARACTERS_OF_A_LOSS = 16;

    /**
     * The index, among a symbol's words in the table of matches, of the word for the reversed shorter string. This word
     * is used only if the string fits in one word.
     */
    private static final int BACKWARD = 1;

    private final int[] shorter;
    private final int[] longer;
    private final Cancellation cancellation = new Cancellation();

    /**
     * The maximum number of characters that the shorter string has in common with any window of n characters that ends
     * before the longer string does.
     */
    private int within;

    /**
     * The number of characters that the shorter string has in common with the best window at either end of the longer
     * string.
     */
    private int atEnd;

    /** The length of the best window at either end of the longer string. */
    private int atEndLength;

    private PartialRatio(int[] shorter, int[] longer) {
        this.shorter = shorter;
        this.longer = longer;
    }

    /** Returns the ratio, or 0 if it is less than the cutoff. */
    static double of(int[] a, int[] b, double cutoff, Ratios.Strategy strategy) {
        if (a.length > b.length) {
            return of(b, a, cutoff, strategy);
        }
        if (a.length == 0) {
            return b.length == 0 && cutoff <= 100 ? 100 : 0;
        }
        if (cutoff > 100) {
            return 0;
        }
        double ratio = new PartialRatio(a, b).solve(cutoff, strategy);
        return a.length < b.length
                ? ratio
                : Math.max(ratio, new PartialRatio(b, a).solve(Math.max(cutoff, ratio), strategy));
    }

    private double solve(double cutoff, Ratios.Strategy strategy) {
        if (strategy == Ratios.Strategy.SERIAL) {
            windowByWindow(strategy);
        } else if (shorter.length <= Long.SIZE * BitRecurrence.MAX_WORDS_ALONE) {
            byWords();
        } else if (isWindow()) {
            within = shorter.length;
        } else {
            byBraid();
        }
        int n = shorter.length;
        double ratio = within == 0 ? 0 : Ratios.similarity(2L * n, 2L * n - 2L * within) * 100;
        ratio = ratio >= cutoff ? ratio : 0;
        if (atEnd == 0) {
            return ratio;
        }
        long both = (long) n + atEndLength;
        double end = Ratios.similarity(both, both - 2L * atEnd);
        return Math.max(ratio, Ratios.atLeast(Math.max(cutoff, ratio), end));
    }

    /** Stores a window at either end of the longer string if its ratio is larger than that of the stored window. */
    private void end(int common, int length) {
        long n = shorter.length;
        if (common * (n + atEndLength) > atEnd * (n + length)) {
            atEnd = common;
            atEndLength = length;
        }
    }

    private void windowByWindow(Ratios.Strategy strategy) {
        int n = shorter.length;
        int m = longer.length;
        for (int length = 1; length <= n; length++) {
            if (length < n) {
                end(strategy.common(shorter, part(0, length)), length);
            }
            end(strategy.common(shorter, part(m - length, m)), length);
        }
        for (int from = 0; from < m - n; from++) {
            within = Math.max(within, strategy.common(shorter, part(from, from + n)));
        }
    }

    private int[] part(int from, int to) {
        cancellation.count((long) shorter.length + to - from);
        int[] part = new int[to - from];
        System.arraycopy(longer, from, part, 0, part.length);
        return part;
    }

    /** Whether the shorter string is a window. Even if most letters are equal, this takes a small part of a braid. */
    private boolean isWindow() {
        int n = shorter.length;
        for (int from = 0; from <= longer.length - n; from++) {
            if (longer[from] == shorter[0]) {
                cancellation.count(n >> 4);
                if (Arrays.equals(shorter, 0, n, longer, from, from + n)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void byBraid() {
        int n = shorter.length;
        int m = longer.length;
        Braid braid = new Braid(shorter, longer);
        int[] firsts = braid.firsts(n - 1);
        int[] lasts = braid.lasts(n);
        for (int length = 1; length <= n; length++) {
            end(lasts[length], length);
            if (length < n) {
                end(firsts[length], length);
            }
        }
        int[] windows = braid.windows(n);
        for (int from = 0; from < m - n; from++) {
            within = Math.max(within, windows[from]);
        }
    }

    private void byWords() {
        try (SymbolPair pair = SymbolPair.whole(shorter, longer)) {
            int n = shorter.length;
            int[] a = pair.a();
            long[] matches = pair.matches();
            for (int i = 0; i < n; i++) {
                matches[a[i] + (i >>> 6)] |= 1L << i;
                if (n <= Long.SIZE) {
                    matches[a[i] + BACKWARD] |= 1L << n - 1 - i;
                }
            }
            Windows windows = new Windows(matches, pair.b());
            if (longer.length > n) {
                windows.within(longer.length - n - 1);
            }
            if (n <= Long.SIZE) {
                windows.atBothEnds();
            } else {
                windows.atEnd(true);
                windows.atEnd(false);
            }
            for (int i = 0; i < n; i++) {
                matches[a[i] + (i >>> 6)] = 0;
                matches[a[i] + BACKWARD] = 0;
            }
        }
    }

    /** Searches the windows of the longer text, whose symbols are {@code b}. */
    private final class Windows {
        private final int n = shorter.length;
        private final int words = n + 63 >>> 6;
        private final long[] matches;
        private final int[] b;
        private final int step = Math.max(MIN_STEP, n / STEPS_OF_A_WINDOW);
        private final int[] window = words == 1 ? null : new int[n + step];

        /** The number of times that the bound for repetitive strings may fail from now on. */
        private int trials = TRIALS;

        Windows(long[] matches, int[] b) {
            this.matches = matches;
            this.b = b;
        }

        private int common(int from, int length) {
            cancellation.count((long) words * length);
            if (words > 1) {
                System.arraycopy(b, from, window, 0, length);
                return LcsBits.INSTANCE.alone(words, matches, window, length, -1L >>> -n);
            }
            long rows = -1;
            for (int j = from; j < from + length; j++) {
                rows = column(rows, matches[b[j]]);
            }
            return Long.bitCount(~rows);
        }

        /**
         * Advances by one column, after Crochemore et al. (2001). Rows beyond the shorter string never match, so their
         * bits stay set.
         */
        private static long column(long rows, long matches) {
            long both = rows & matches;
            return rows + both | rows - both;
        }

        /** Tries the windows of n characters that begin at {@code last} or earlier. */
        void within(int last) {
            int[] common = new int[last / step + 2];
            int count = 0;
            for (int from = 0; from < last; from += step) {
                common[count++] = at(from);
                if (within == n) {
                    return;
                }
            }
            common[count] = at(last);
            for (int k = 0; k < count; k++) {
                between(k * step, common[k], Math.min(last, (k + 1) * step), common[k + 1]);
            }
        }

        private int at(int from) {
            int common = common(from, n);
            within = Math.max(within, common);
            return common;
        }

        private void between(int from, int atFrom, int to, int atTo) {
            if (to - from < 2
                    || Math.min(n, atFrom + atTo + to - from >> 1) <= within
                    || isRepetitive(from, to, Math.min(atFrom, atTo))) {
                return;
            }
            int middle = from + to >>> 1;
            int common = at(middle);
            between(from, atFrom, middle, common);
            between(middle, common, to, atTo);
        }

        /**
         * Whether the characters of all windows between two windows have no more in common with the shorter string than
         * the best window has. Returns false without trying if this is unlikely.
         */
        private boolean isRepetitive(int from, int to, int common) {
            if (to - from < MIN_REPETITIVE || trials == 0 || within - common > n / CHARACTERS_OF_A_LOSS) {
                return false;
            }
            boolean isRepetitive = common(from + 1, n + to - from - 2) <= within;
            trials += isRepetitive ? 1 : -1;
            return isRepetitive;
        }

        /** Tries the windows at the end (read backward) and at the beginning, from short to long. */
        void atBothEnds() {
            long forward = -1;
            long backward = -1;
            for (int length = 1; length <= n; length++) {
                forward = column(forward, matches[b[length - 1]]);
                backward = column(backward, matches[b[longer.length - length] + BACKWARD]);
                end(Long.bitCount(~backward), length);
                if (length < n) {
                    end(Long.bitCount(~forward), length);
                }
            }
        }

        /**
         * Tries the windows at the end or at the beginning, from long to short. A shorter window never has more
         * characters in common with the shorter string.
         */
        void atEnd(boolean last) {
            int most = n;
            for (int length = last ? n : n - 1; length > 0; length--) {
                long both = (long) n + length;
                long bound = Math.min(most, length);
                if (bound * (n + atEndLength) > atEnd * both && bound * 2 * n >= within * both) {
                    most = common(last ? longer.length - length : 0, length);
                    end(most, length);
                }
            }
        }
    }
}
