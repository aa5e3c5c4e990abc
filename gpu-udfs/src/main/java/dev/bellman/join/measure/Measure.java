package dev.bellman.join.measure;

import dev.bellman.align.Text;
import java.io.Serializable;

/**
 * The condition under which two strings are a pair. All bounds depend on the length of the longer string. An additional
 * character raises {@link #deletions} by at most one.
 */
public interface Measure extends Serializable {
    /** Whether two strings are a pair, in either order. */
    boolean isPair(Text x, Text y);

    /** Whether a string of the given length forms a pair with itself. */
    boolean isPairWithItself(int length);

    /**
     * Returns the maximum number of characters of a pair's longer string that are outside the longest common
     * subsequence of both strings.
     */
    int deletions(int longer);

    /** Returns the maximum {@code edit_distance} between the strings of a pair. */
    int edits(int longer);

    /** Whether the strings of a pair have the same length and differ only by substitutions. */
    default boolean isPositional() {
        return false;
    }

    /** Whether it is an error if two strings have different lengths. */
    default boolean needsEqualLengths() {
        return false;
    }

    /** Whether an edit distance of at most {@link #edits} is not only necessary but also sufficient for a pair. */
    default boolean isEditDistance() {
        return false;
    }

    /** Whether a GPU can find the pairs by deletion. */
    default boolean isForGpu() {
        return false;
    }

    /** Returns the condition as SQL. */
    @Override
    String toString();
}
