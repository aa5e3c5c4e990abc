package dev.bellman.join;

import dev.bellman.GpuSide;
import dev.bellman.join.measure.Limits;
import dev.bellman.join.measure.Measure;
import java.io.Serializable;

/**
 * The way to execute a join, and its expected result.
 *
 * @param measure makes two strings a pair
 * @param k the maximum number of edits between them
 * @param method never {@link JoinMethod#AUTO}
 * @param deletionUpTo pairs whose longer string has at most this many characters are found by deletion, others by
 *     segments; -1 for none
 * @param beginning how many first characters of a key by deletion determine its part; 0 if all do, as on the GPU
 * @param hot keys that all parts share
 * @param onGpu whether it runs on a GPU
 * @param passes the passes in which strings are joined that do not fit the memory of a process
 * @param parts the number of independent parts of a pass; every process splits it the same way
 * @param maxKeys the maximum number of keys that a part makes in one pass; more need more passes
 * @param strings the distinct strings
 * @param keys the keys expected in all passes, 0 for {@link JoinMethod#PLAIN}
 * @param stringPairs the pairs of different strings expected
 * @param rowPairs the pairs of rows expected to come out, including those with equal strings
 * @param seconds the time that the search is expected to take on one core; 0 on a GPU
 * @param why why this method, in words
 */
public record JoinPlan(
        Measure measure,
        int k,
        JoinMethod method,
        int deletionUpTo,
        int beginning,
        HotKeys hot,
        boolean onGpu,
        Passes passes,
        int parts,
        int maxKeys,
        long strings,
        double keys,
        double stringPairs,
        double rowPairs,
        double seconds,
        String why)
        implements Serializable {
    /** Searches a part of a pass. {@code checkpoint} is called periodically. */
    public PairSearch search(Strings of, int part, Runnable checkpoint) {
        int bits = 31 - Integer.numberOfLeadingZeros(parts);
        Limits limits = new Limits(measure, of.longest());
        if (onGpu) {
            double expected = keys / parts / passes.count();
            return GpuSide.get(DeletionGpu.class)
                    .search(of, limits.maxEdits(), beginning, new HashSlice(bits, part), expected, checkpoint);
        }
        return method == JoinMethod.PLAIN
                ? new PlainSearch(of, limits, part, parts, checkpoint)
                : new SliceSearch(
                        of, limits, deletionUpTo, beginning, new HashSlice(bits, part), hot, part, maxKeys, checkpoint);
    }
}
