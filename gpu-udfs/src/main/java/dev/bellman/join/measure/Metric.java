package dev.bellman.join.measure;

import dev.bellman.align.Text;
import dev.bellman.align.distance.DamerauLevenshtein;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.align.distance.HammingDistance;
import dev.bellman.align.distance.OsaDistance;
import java.util.Locale;

/**
 * A distance that counts edits.
 *
 * <p>If two strings are at most {@code k} edits apart, the longer string has at most {@code k} characters outside a
 * common subsequence. An insertion, a deletion or a substitution removes at most one character of either string from
 * this subsequence. So does a transposition: {@code ab} and {@code ba} share {@code b}. Damerau's transposition of
 * {@code aXb} to {@code bYa} costs {@code 1 + |X| + |Y|} and keeps only {@code b} of the {@code 2 + |X|} and {@code 2 +
 * |Y|} characters.
 *
 * <p>A transposition equals two substitutions. Damerau's transposition equals at most {@code 2 + max(|X|, |Y|)}
 * insertions, deletions and substitutions, which is at most twice its cost.
 */
public enum Metric {
    EDIT_DISTANCE(1),
    OSA_DISTANCE(2),
    DAMERAU_LEVENSHTEIN(2),
    /** The Hamming distance; strings of different lengths are an error. */
    HAMMING_DISTANCE(1),
    /** The Hamming distance; strings of different lengths are not a pair. */
    TRY_HAMMING_DISTANCE(1);

    /** The number of insertions, deletions and substitutions that one edit of this distance may require. */
    private final int edits;

    Metric(int edits) {
        this.edits = edits;
    }

    /** Returns the maximum number of insertions, deletions and substitutions within a distance. */
    int edits(int distance) {
        return (int) Math.min(Integer.MAX_VALUE, (long) edits * distance);
    }

    boolean isPositional() {
        return this == HAMMING_DISTANCE || this == TRY_HAMMING_DISTANCE;
    }

    /** Whether the distance between two strings is at most {@code max}. */
    boolean isWithin(Text x, Text y, int max) {
        return switch (this) {
            case EDIT_DISTANCE -> EditDistance.distance(x, y, max, EditDistance.Strategy.AUTO) >= 0;
            case OSA_DISTANCE -> OsaDistance.distance(x, y, max, OsaDistance.Strategy.AUTO) >= 0;
            case DAMERAU_LEVENSHTEIN -> DamerauLevenshtein.distance(x, y, max, DamerauLevenshtein.Strategy.AUTO) >= 0;
            case HAMMING_DISTANCE -> HammingDistance.distance(x, y, HammingDistance.Strategy.AUTO) <= max;
            case TRY_HAMMING_DISTANCE -> x.length() == y.length() && HAMMING_DISTANCE.isWithin(x, y, max);
        };
    }

    /** Returns the name of the function. */
    public String function() {
        return name().toLowerCase(Locale.ROOT);
    }
}
