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

    /** Whether a string of so many characters is a pair with itself. */
    boolean isPairWithItself(int length);

    /** The most characters that the longer string of a pair may have outside a common subsequence of both. */
    int deletions(int longer);

    /** The most edits, as of {@code edit_distance}, between the strings of a pair. */
    int edits(int longer);

    /** Whether the strings of a pair have as many characters, and differ by substitutions alone. */
    default boolean isPositional() {
        return false;
    }

    /** Whether it is an error if two strings have different lengths. */
    default boolean needsEqualLengths() {
        return false;
    }

    /** Whether a pair is exactly what {@link #edits} allows. */
    default boolean isEditDistance() {
        return false;
    }

    /** Whether the kernels can tell pairs. */
    default boolean isForGpu() {
        return false;
    }

    /** The condition, in SQL. */
    @Override
    String toString();
}
