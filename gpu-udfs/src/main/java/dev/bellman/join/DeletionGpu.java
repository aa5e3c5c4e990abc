package dev.bellman.join;

/** The part of the GPU side that finds pairs of strings by deletion. */
public interface DeletionGpu {
    /** Whether the GPU can find the pairs of these strings: ASCII, not too long, few edits. */
    boolean serves(StringTotals strings, int k);

    /** Whether this many strings fit next to the table and the lists. */
    boolean fits(Strings strings);

    /** Whether the pairs of this many strings with one key fit. */
    boolean fits(double strings);

    /** Returns the maximum number of keys of a slice that is searched at once. */
    double maxKeys();

    /** Returns the maximum length of the prefix of a key that determines its slice. */
    int longestBeginning();

    /**
     * Searches a slice.
     *
     * @param begins the length of the prefix of a key that determines its slice; 0 if all characters do
     * @param keysExpected the expected number of keys in the slice
     */
    PairSearch search(Strings strings, int k, int begins, HashSlice slice, double keysExpected, Runnable checkpoint);
}
