package dev.bellman.join;

/** The part of the GPU side that finds pairs of strings by deletion. */
public interface DeletionGpu {
    /** Whether the GPU can find the pairs of these strings: ASCII, not too long, few edits. */
    boolean serves(StringTotals strings, int k);

    /** Whether so many strings fit beside the table and the lists. */
    boolean fits(Strings strings);

    /** Whether the pairs of so many strings with one key fit. */
    boolean fits(double strings);

    /** How many keys a slice may have to be searched at once. */
    double maxKeys();

    /** The most first characters of a key that decide on its slice. */
    int longestBeginning();

    /**
     * Searches a slice.
     *
     * @param begins how many first characters of a key decide on its slice; 0 if they do not
     * @param keysExpected in the slice
     */
    PairSearch search(Strings strings, int k, int begins, HashSlice slice, double keysExpected, Runnable checkpoint);
}
