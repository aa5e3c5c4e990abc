package dev.bellman.join;

import java.util.List;
import java.util.Optional;

/** The GPU component that finds pairs of similar strings by symmetric deletion. */
public interface DeletionGpu {
    /**
     * Whether the GPU can find the pairs of the given strings: the strings must be ASCII and not too long, and {@code
     * k} must be small.
     */
    boolean serves(StringTotals strings, int k);

    /** Whether numbering the given strings on the GPU is faster and possible; assumes that they fit in GPU memory. */
    boolean numbers(StringTotals strings);

    /** Numbers the strings of blocks like {@link Strings}; returns an empty result if the GPU cannot number them. */
    Optional<Strings> number(List<StringBlock> blocks);

    /** Whether the given strings fit in GPU memory in addition to the search's table and lists. */
    boolean fits(Strings strings);

    /** Whether the pairs of the given number of strings, all of which share a key, fit in GPU memory. */
    boolean fits(double strings);

    /** Returns the maximum number of keys in a slice. */
    double maxKeys();

    /** Returns the maximum number of initial characters that may determine a key's slice. */
    int longestBeginning();

    /**
     * Returns a search of a slice.
     *
     * @param begins the number of initial characters that determine a key's slice; 0 if all characters do
     * @param keysExpected the expected number of keys in the slice
     */
    PairSearch search(Strings strings, int k, int begins, HashSlice slice, double keysExpected, Runnable checkpoint);
}
