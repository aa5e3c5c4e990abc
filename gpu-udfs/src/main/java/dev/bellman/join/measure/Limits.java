package dev.bellman.join.measure;

/** The bounds of a measure, for strings up to some length. */
public final class Limits {
    private final Measure measure;
    private final int longest;
    private final int[] shortestPartner;
    private final int[] longestPartner;
    private final int maxDeletions;
    private final int maxEdits;

    /** @param longest the length of the longest string */
    public Limits(Measure measure, int longest) {
        this.measure = measure;
        this.longest = longest;
        shortestPartner = new int[longest + 1];
        longestPartner = new int[longest + 1];
        int deletions = Integer.MIN_VALUE;
        int edits = Integer.MIN_VALUE;
        int next = 0;
        for (int length = 0; length <= longest; length++) {
            deletions = Math.max(deletions, deletions(length));
            edits = Math.max(edits, edits(length));
            shortestPartner[length] = measure.isPositional() ? length : Math.min(length, common(length));
            for (; next < shortestPartner[length]; next++) {
                longestPartner[next] = length - 1;
            }
        }
        for (; next <= longest; next++) {
            longestPartner[next] = longest;
        }
        maxDeletions = deletions;
        maxEdits = edits;
    }

    public Measure measure() {
        return measure;
    }

    /** Whether the order of characters matters. */
    public boolean isOrdered() {
        return !(measure instanceof LetterMeasure);
    }

    /** See {@link Measure#deletions}; at most the length of the longest string. */
    public int deletions(int longer) {
        return Math.min(measure.deletions(longer), longest);
    }

    /** See {@link Measure#edits}; at most the length of the longest string. */
    public int edits(int longer) {
        return Math.min(measure.edits(longer), longest);
    }

    /** The most of any length. */
    public int maxDeletions() {
        return maxDeletions;
    }

    /** The most of any length. */
    public int maxEdits() {
        return maxEdits;
    }

    /** The minimum length of strings that may form a pair with a string of this length. */
    public int shortestPartner(int length) {
        return shortestPartner[length];
    }

    /** The maximum length of such strings. */
    public int longestPartner(int length) {
        return longestPartner[length];
    }

    /**
     * The maximum number of characters of both strings of a pair, in total, that the other string lacks; -1 if strings
     * of these lengths cannot be a pair.
     */
    public int apart(int one, int other) {
        int shorter = Math.min(one, other);
        int longer = Math.max(one, other);
        if (shorter < shortestPartner[longer]) {
            return -1;
        }
        int common = measure instanceof LetterMeasure letters
                ? letters.common(shorter, longer, letters.prefixes())
                : common(longer);
        return shorter + longer - 2 * Math.min(shorter, common);
    }

    /** The minimum length of a common subsequence of pairs whose longer string has this many characters. */
    public int common(int longer) {
        return Math.max(0, longer - deletions(longer));
    }
}
