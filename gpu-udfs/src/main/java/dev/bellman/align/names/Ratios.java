package dev.bellman.align.names;

import dev.bellman.align.Text;
import dev.bellman.align.subsequence.LongestCommonSubsequence;

/**
 * Computes the ratios of rapidfuzz's {@code fuzz} module, from 0 to 100, with bit-for-bit identical values. Strings are
 * arrays of character numbers, as defined by {@link dev.bellman.align.Text}.
 *
 * <p>The ratio of two strings is the percentage of their characters that are in a longest common subsequence:
 *
 * <pre>{@code
 * (1 - (|a| + |b| - 2 lcs) / (|a| + |b|)) * 100
 * }</pre>
 *
 * <p>The other functions apply this ratio to parts of the strings: to windows ({@link PartialRatio}) or to {@link
 * Words}. If a result is the maximum of several ratios, ratios below a cutoff count as 0, as in rapidfuzz. rapidfuzz
 * rounds these cutoffs, so the rounding is part of the definition.
 */
public final class Ratios {
    /** Both strategies return the same ratios. */
    public enum Strategy {
        /**
         * Computes common subsequences with bit-parallel algorithms; for windows of long strings, computes all windows
         * at once.
         */
        AUTO,
        /** Computes common subsequences cell by cell, window by window. */
        SERIAL;

        int common(int[] a, int[] b) {
            return LongestCommonSubsequence.length(a, b, ofSubsequence());
        }

        int common(Text a, Text b) {
            return LongestCommonSubsequence.length(a, b, ofSubsequence());
        }

        private LongestCommonSubsequence.Strategy ofSubsequence() {
            return this == AUTO ? LongestCommonSubsequence.Strategy.AUTO : LongestCommonSubsequence.Strategy.SERIAL;
        }
    }

    private static final double MAX = 100;

    /** The factor by which word ratios are multiplied. */
    private static final double WORDS = 0.95;

    /** The factor by which partial ratios are multiplied if neither string is much longer than the other. */
    private static final double PART = 0.9;

    /** The factor by which partial ratios are multiplied if one string is much longer. */
    private static final double SMALL_PART = 0.6;

    /** The minimum quotient of the two lengths for which partial ratios are used. */
    private static final double LONGER = 1.5;

    /** The quotient of the lengths above which one string counts as much longer. */
    private static final double MUCH_LONGER = 8;

    private Ratios() {}

    public static double ratio(int[] a, int[] b, Strategy strategy) {
        return ratio(a, b, 0, strategy);
    }

    /** Returns the ratio of two texts; does not decode ASCII texts. */
    static double ratio(Text a, Text b, Strategy strategy) {
        int common = strategy.common(a, b);
        long both = (long) a.length() + b.length();
        return atLeast(0, similarity(both, both - 2L * common));
    }

    public static double partialRatio(int[] a, int[] b, Strategy strategy) {
        return PartialRatio.of(a, b, 0, strategy);
    }

    public static double tokenSortRatio(int[] a, int[] b, Strategy strategy) {
        return ratio(Words.of(a).joined(), Words.of(b).joined(), strategy);
    }

    public static double partialTokenSortRatio(int[] a, int[] b, Strategy strategy) {
        return partialRatio(Words.of(a).joined(), Words.of(b).joined(), strategy);
    }

    public static double tokenSetRatio(int[] a, int[] b, Strategy strategy) {
        Words aWords = Words.of(a);
        Words bWords = Words.of(b);
        return aWords.isEmpty() || bWords.isEmpty() ? 0 : ofSets(Words.compare(aWords, bWords), 0, strategy);
    }

    public static double weightedRatio(int[] a, int[] b, Strategy strategy) {
        if (a.length == 0 || b.length == 0) {
            return 0;
        }
        double longer = (double) Math.max(a.length, b.length) / Math.min(a.length, b.length);
        double whole = ratio(a, b, strategy);
        if (longer < LONGER) {
            return Math.max(whole, tokenRatio(a, b, whole / WORDS, strategy) * WORDS);
        }
        double weight = longer <= MUCH_LONGER ? PART : SMALL_PART;
        double best = Math.max(whole, PartialRatio.of(a, b, whole / weight, strategy) * weight);
        return Math.max(best, partialTokenRatio(a, b, best / WORDS, strategy) * WORDS * weight);
    }

    private static double ratio(int[] a, int[] b, double cutoff, Strategy strategy) {
        long both = (long) a.length + b.length;
        return atLeast(cutoff, similarity(both, both - 2L * strategy.common(a, b)));
    }

    /** Returns the similarity, from 0 to 1, for a distance and the total length of both strings. */
    static double similarity(long both, long distance) {
        return both == 0 ? 1 : 1 - (double) distance / both;
    }

    /** Converts a similarity from 0 to 1 to a ratio from 0 to 100; returns 0 if the ratio is below the cutoff. */
    static double atLeast(double cutoff, double similarity) {
        return similarity >= cutoff / MAX ? similarity * MAX : 0;
    }

    /** Returns the larger of two word ratios: the ratio of the sorted words, and the ratio of the word sets. */
    private static double tokenRatio(int[] a, int[] b, double cutoff, Strategy strategy) {
        if (cutoff > MAX) {
            return 0;
        }
        Words aWords = Words.of(a);
        Words bWords = Words.of(b);
        double sorted = ratio(aWords.joined(), bWords.joined(), cutoff, strategy);
        return Math.max(sorted, ofSets(Words.compare(aWords, bWords), cutoff, strategy));
    }

    /**
     * Returns the larger of two partial word ratios: the ratio of all words, and the ratio of the words that the other
     * string lacks. Returns 100 if the strings have a word in common.
     */
    private static double partialTokenRatio(int[] a, int[] b, double cutoff, Strategy strategy) {
        if (cutoff > MAX) {
            return 0;
        }
        Words aWords = Words.of(a);
        Words bWords = Words.of(b);
        Words.Comparison words = Words.compare(aWords, bWords);
        if (!words.common().isEmpty()) {
            return MAX;
        }
        double all = PartialRatio.of(aWords.joined(), bWords.joined(), cutoff, strategy);
        if (words.onlyA().count() == aWords.count() && words.onlyB().count() == bWords.count()) {
            return all;
        }
        double least = Math.max(cutoff, all);
        return Math.max(
                all, PartialRatio.of(words.onlyA().joined(), words.onlyB().joined(), least, strategy));
    }

    /**
     * Returns the largest ratio between any two of three strings: the common words, the common words followed by the
     * other words of {@code a}, and the common words followed by the other words of {@code b}. If there are no common
     * words, only the last two strings are compared. Only the common subsequence of the other words needs a table.
     */
    private static double ofSets(Words.Comparison words, double cutoff, Strategy strategy) {
        Words common = words.common();
        if (!common.isEmpty() && (words.onlyA().isEmpty() || words.onlyB().isEmpty())) {
            return MAX;
        }
        int[] onlyA = words.onlyA().joined();
        int[] onlyB = words.onlyB().joined();
        long distance = (long) onlyA.length + onlyB.length - 2L * strategy.common(onlyA, onlyB);
        int before = common.isEmpty() ? 0 : 1;
        long withA = (long) common.length() + before + onlyA.length;
        long withB = (long) common.length() + before + onlyB.length;
        double ratio = ofDistance(distance, withA + withB, cutoff);
        if (common.isEmpty()) {
            return ratio;
        }
        return Math.max(
                ratio,
                Math.max(
                        ofDistance(before + onlyA.length, common.length() + withA, cutoff),
                        ofDistance(before + onlyB.length, common.length() + withB, cutoff)));
    }

    private static double ofDistance(long distance, long both, double cutoff) {
        double ratio = both == 0 ? MAX : MAX - MAX * distance / both;
        return ratio >= cutoff ? ratio : 0;
    }
}
