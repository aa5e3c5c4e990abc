package dev.bellman.align.subsequence;

import dev.bellman.align.Text;
import dev.bellman.columns.Cancellation;
import java.util.List;

/** Performs the merge steps that involve two strings, for many pairs at once. */
interface PairSteps {
    PairSteps ON_CPU = new PairSteps() {
        @Override
        public List<Integer> common(List<Pair> pairs) {
            return pairs.stream()
                    .map(pair -> {
                        Cancellation.check();
                        return LongestCommonSubsequence.length(
                                pair.a(), pair.b(), LongestCommonSubsequence.Strategy.AUTO);
                    })
                    .toList();
        }

        @Override
        public List<Text> merged(List<Pair> pairs) {
            return pairs.stream()
                    .map(pair -> {
                        Cancellation.check();
                        return ShortestCommonSupersequence.supersequence(
                                pair.a(), pair.b(), ShortestCommonSupersequence.Strategy.AUTO, 1);
                    })
                    .toList();
        }
    };

    record Pair(Text a, Text b) {}

    /** Returns the length of the longest common subsequence of each pair. */
    List<Integer> common(List<Pair> pairs);

    /** Returns the canonical shortest common supersequence of each pair. */
    List<Text> merged(List<Pair> pairs);
}
