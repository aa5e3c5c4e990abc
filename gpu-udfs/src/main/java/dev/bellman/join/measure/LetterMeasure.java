package dev.bellman.join.measure;

/**
 * A measure that requires the strings of a pair to have enough characters in common, in any order. The required number
 * may depend on the length of the strings' common prefix, of which at most {@link #prefixes} characters count.
 */
public interface LetterMeasure extends Measure {
    /** Returns the maximum number of common prefix characters that count. */
    int prefixes();

    /**
     * Returns the minimum number of characters that the strings of a pair must have in common, or more than {@code
     * shorter} if such strings cannot be a pair.
     *
     * @param prefix the length of the common prefix, at most {@link #prefixes}; the result includes it
     */
    int common(int shorter, int longer, int prefix);

    @Override
    default int deletions(int longer) {
        int none = -1;
        int shorter = longer;
        while (shorter - none > 1) {
            int middle = none + shorter >>> 1;
            if (common(middle, longer, prefixes()) <= middle) {
                shorter = middle;
            } else {
                none = middle;
            }
        }
        return longer - shorter;
    }

    /** Returns the length of the longer string, because pairs need not have a common subsequence. */
    @Override
    default int edits(int longer) {
        return longer;
    }
}
