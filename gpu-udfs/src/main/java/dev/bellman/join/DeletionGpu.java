package dev.bellman.join;

/** The part of the GPU side that finds pairs of strings by deletion. */
public interface DeletionGpu {
    /** Whether the GPU can find the pairs of these strings: ASCII, not too long, few edits. */
    boolean serves(StringTotals strings, int k);

    /** Whether this many strings fit next to the table and the lists. */
    boolean fits(Strings strings);

    /** Whether the pairs of this many strings with one key fit. */
    boolean fits(double strings);

    /** How many keys a slice may have to be searched at once. */
    double maxKeys();

    /** The maximum number of first characters of a key that determine its slice. */
    int longestBeginning();

    /**
     * Searches a slice.
     *
     * @param begins how many first characters of a key determine its slice; 0 if all do
     * @param keysExpected the expected number of keys in the slice
     */
    PairSearch search(Strings strings, int k, int begins, HashSlice slice, double keysExpected, Runnable checkpoint);
}
