package dev.bellman.join;

import java.io.Serializable;

/**
 * How a join is done, and its expected result.
 *
 * @param k the most edits
 * @param method never {@link JoinMethod#AUTO}
 * @param deletionUpTo pairs whose longer string has at most this many characters are found by deletion, others by segments; -1 for none
 * @param beginning how many first characters of a key by deletion decide on its part; 0 if all do, on the GPU
 * @param hot keys that all parts share
 * @param onGpu whether a GPU does it
 * @param parts the number of independent parts; every process splits it the same way
 * @param mostKeys the most keys that a part makes in one pass; more need more passes
 * @param strings the distinct strings
 * @param keys the keys expected, 0 for {@link JoinMethod#PLAIN}
 * @param stringPairs the pairs of different strings expected
 * @param rowPairs the pairs of rows expected to come out, including those with equal strings
 */
public record JoinPlan(
        int k,
        JoinMethod method,
        int deletionUpTo,
        int beginning,
        HotKeys hot,
        boolean onGpu,
        int parts,
        int mostKeys,
        long strings,
        double keys,
        double stringPairs,
        double rowPairs)
        implements Serializable {
    /** Searches a part. {@code checkpoint} is called periodically. */
    public PairSearch search(Strings of, int part, Runnable checkpoint) {
        int bits = 31 - Integer.numberOfLeadingZeros(parts);
        if (onGpu) {
            return new DeletionSearchOnGpu(of, k, beginning, new HashSlice(bits, part), keys / parts, checkpoint);
        }
        return method == JoinMethod.PLAIN
                ? new PlainSearch(of, k, part, parts, checkpoint)
                : new SliceSearch(
                        of, k, deletionUpTo, beginning, new HashSlice(bits, part), hot, part, mostKeys, checkpoint);
    }
}
