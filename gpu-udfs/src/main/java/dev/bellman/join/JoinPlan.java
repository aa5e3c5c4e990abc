package dev.bellman.join;

import java.io.Serializable;

/**
 * How a join is done, and its expected result.
 *
 * @param k the most edits
 * @param method never {@link JoinMethod#AUTO}
 * @param onGpu whether a GPU does it
 * @param parts the number of independent parts; every process splits it the same way
 * @param mostKeys the most keys that a part makes in one pass; more need more passes
 * @param strings the distinct strings
 * @param keys the keys expected, 0 for {@link JoinMethod#PLAIN}
 * @param stringPairs the pairs of different strings expected
 * @param rowPairs the pairs of rows expected, including those with equal strings
 */
public record JoinPlan(
        int k,
        JoinMethod method,
        boolean onGpu,
        int parts,
        int mostKeys,
        long strings,
        double keys,
        double stringPairs,
        double rowPairs)
        implements Serializable {
    /** The most keys that a string may have by deletion. */
    private static final double MOST_DELETION_KEYS = 1_500;

    /** Searches a part. {@code checkpoint} is called periodically. */
    public PairSearch search(Strings of, int part, Runnable checkpoint) {
        int bits = 31 - Integer.numberOfLeadingZeros(parts);
        if (onGpu) {
            return new DeletionSearchOnGpu(of, k, bits, part, keys / parts, checkpoint);
        }
        return method == JoinMethod.PLAIN
                ? new PlainSearch(of, k, part, parts, checkpoint)
                : new SliceSearch(of, k, deletionUpTo(method, k), bits, part, mostKeys, checkpoint);
    }

    /** The longest strings that have keys by deletion; -1 if none do. */
    static int deletionUpTo(JoinMethod method, int k) {
        if (method != JoinMethod.DELETION) {
            return -1;
        }
        int length = k;
        while (length < MOST_DELETION_KEYS && DeletionKeys.most(length + 1, k) <= MOST_DELETION_KEYS) {
            length++;
        }
        return length;
    }
}
