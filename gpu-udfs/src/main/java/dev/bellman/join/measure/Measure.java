package dev.bellman.join.measure;

import dev.bellman.align.Text;
import java.io.Serializable;

/**
 * The condition under which two strings are a pair. The bounds depend on the longer of the two; one character more
 * raises a bound by at most one.
 */
public interface Measure extends Serializable {
    /** Whether two strings are a pair, in either order. */
    boolean isPair(Text x, Text y);

    /** Whether a string of this many characters is a pair with itself. */
    boolean isPairWithItself(int length);

    /** The maximum number of characters of a pair's longer string outside a common subsequence of both. */
    int deletions(int longer);

    /** The maximum {@code edit_distance} between the strings of a pair. */
    int edits(int longer);

    /** Whether the strings of a pair have the same length and differ only by substitutions. */
    default boolean isPositional() {
        return false;
    }

    /** Whether it is an error if two strings have different lengths. */
    default boolean needsEqualLengths() {
        return false;
    }

    /** Whether {@link #edits} is not only necessary but sufficient for a pair. */
    default boolean isEditDistance() {
        return false;
    }

    /** Whether the kernels can decide whether two strings are a pair. */
    default boolean isForGpu() {
        return false;
    }

    /** The condition, in SQL. */
    @Override
    String toString();
}
