package dev.bellman.join;

import dev.bellman.GpuSide;
import dev.bellman.join.measure.Limits;
import dev.bellman.join.measure.Measure;
import java.io.Serializable;
import java.util.Locale;

/**
 * Describes how to execute a join, and its expected cost and result.
 *
 * @param measure the condition under which two strings are a pair
 * @param k the maximum number of edits between the strings of a pair
 * @param method never {@link JoinMethod#AUTO}
 * @param deletionUpTo the maximum length of the longer string in pairs that are found by deletion, or -1 for no
 *     deletion; all other pairs are found by segments
 * @param beginning the number of initial characters that determine to which part a deletion key belongs; 0 if all
 *     characters do, which is possible only on the GPU
 * @param hot keys whose pairs are divided among several parts
 * @param onGpu whether the join runs on a GPU
 * @param passes the passes of the join; several if the strings do not fit in the memory of a process
 * @param parts the number of independent parts into which a pass is split, in the same way by every process
 * @param maxKeys the maximum number of keys that a part generates at a time; if there are more, the part's slice is
 *     halved
 * @param strings the number of distinct strings
 * @param keys the expected number of keys in all passes; 0 for {@link JoinMethod#PLAIN}
 * @param stringPairs the expected number of pairs of different strings
 * @param rowPairs the expected number of row pairs in the result, including pairs with equal strings
 * @param seconds the expected search time on one core, in seconds; 0 on a GPU
 * @param why the reason for choosing this method, as text
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
    /** Returns a search of a part of a pass, which calls {@code checkpoint} periodically. */
    public PairSearch search(Strings of, int part, Runnable checkpoint) {
        int bits = 31 - Integer.numberOfLeadingZeros(parts);
        Limits limits = new Limits(measure, of.longest());
        if (onGpu && method == JoinMethod.PLAIN) {
            return GpuSide.get(PlainGpu.class).search(of, limits, part, parts, checkpoint);
        }
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

    /** Returns this plan, changed to compare all strings on the GPU. */
    JoinPlan plainOnGpu(int newParts, double secondsOnGpu) {
        return new JoinPlan(
                measure,
                k,
                JoinMethod.PLAIN,
                -1,
                0,
                HotKeys.NONE,
                true,
                passes,
                newParts,
                maxKeys,
                strings,
                0,
                stringPairs,
                rowPairs,
                0,
                String.format(Locale.ROOT, "about %.2g s on the GPU; on the CPU, %s", secondsOnGpu, why));
    }
}
