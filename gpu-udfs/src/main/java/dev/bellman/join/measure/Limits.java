package dev.bellman.join.measure;

/** The bounds of a measure, for strings up to a maximum length. */
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

    /** Returns {@link Measure#deletions}, capped at the length of the longest string. */
    public int deletions(int longer) {
        return Math.min(measure.deletions(longer), longest);
    }

    /** Returns {@link Measure#edits}, capped at the length of the longest string. */
    public int edits(int longer) {
        return Math.min(measure.edits(longer), longest);
    }

    /** Returns the maximum of {@link #deletions} over all lengths. */
    public int maxDeletions() {
        return maxDeletions;
    }

    /** Returns the maximum of {@link #edits} over all lengths. */
    public int maxEdits() {
        return maxEdits;
    }

    /** Returns the minimum length of a string that may form a pair with a string of the given length. */
    public int shortestPartner(int length) {
        return shortestPartner[length];
    }

    /** Returns the maximum length of a string that may form a pair with a string of the given length. */
    public int longestPartner(int length) {
        return longestPartner[length];
    }

    /**
     * Returns the maximum number of characters that occur in only one of the two strings of a pair, counted over both
     * strings, or -1 if strings of the given lengths cannot be a pair.
     */
    public int apart(int one, int other) {
        return apart(one, other, measure instanceof LetterMeasure letters ? letters.prefixes() : 0);
    }

    /**
     * Returns {@link #apart(int, int)} for strings with a common prefix of {@code prefix} characters, at most {@link
     * LetterMeasure#prefixes}.
     */
    public int apart(int one, int other, int prefix) {
        int shorter = Math.min(one, other);
        int longer = Math.max(one, other);
        if (shorter < shortestPartner[longer]) {
            return -1;
        }
        int common =
                measure instanceof LetterMeasure letters ? letters.common(shorter, longer, prefix) : common(longer);
        return common > shorter ? -1 : shorter + longer - 2 * common;
    }

    /**
     * Returns the minimum length of a longest common subsequence of two strings that are a pair, if the longer string
     * has the given number of characters.
     */
    public int common(int longer) {
        return Math.max(0, longer - deletions(longer));
    }
}
