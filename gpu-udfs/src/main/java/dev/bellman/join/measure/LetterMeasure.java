package dev.bellman.join.measure;

/**
 * A measure whose pairs have enough characters in common, in any order. How many may depend on the characters at the
 * beginning that both have in common, of which the first {@link #prefixes} count.
 */
public interface LetterMeasure extends Measure {
    /** The most first characters that count. */
    int prefixes();

    /**
     * The fewest characters that a pair has in common; more than {@code shorter} if there is no such pair.
     *
     * @param prefix the first characters in common, those included, at most {@link #prefixes}
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

    /** Nothing follows from the order of the characters. */
    @Override
    default int edits(int longer) {
        return longer;
    }
}
