package dev.bellman.align.subsequence;

import dev.bellman.align.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Performs the progressive merge of {@link SupersequenceOfAll} for many lists at once. */
final class ProgressiveMerge {
    /** A step on two strings of a list, which either merges or compares them. */
    private record Step(ProgressiveMerge of, int first, int second) {
        PairSteps.Pair pair() {
            return new PairSteps.Pair(of.strings.get(first), of.strings.get(second));
        }
    }

    /** The strings; null for strings that have been merged into earlier ones. */
    private final List<Text> strings;

    private int[][] common;
    private int left;

    private ProgressiveMerge(List<Text> strings) {
        this.strings = new ArrayList<>(strings);
        left = strings.size();
    }

    /** Returns a supersequence for each list, which must have at least one string. Independent steps are batched. */
    static List<Text> ofEach(List<List<Text>> lists, PairSteps steps) {
        List<ProgressiveMerge> merges =
                lists.stream().map(ProgressiveMerge::new).toList();
        while (merge(steps(merges, ProgressiveMerge::neighbours), steps)) {
            merges.forEach(ProgressiveMerge::closeUp);
        }
        compare(steps(merges, ProgressiveMerge::everyTwo), steps);
        List<Step> nearest = steps(merges, ProgressiveMerge::nearest);
        while (merge(nearest, steps)) {
            compare(steps(nearest, step -> step.of.withEachOther(step.first)), steps);
            nearest = steps(merges, ProgressiveMerge::nearest);
        }
        return merges.stream().map(merge -> merge.strings.get(0)).toList();
    }

    private static <T> List<Step> steps(List<T> from, Function<T, Stream<Step>> each) {
        return from.stream().flatMap(each).toList();
    }

    /** Performs merge steps. Returns whether there are any. */
    private static boolean merge(List<Step> wanted, PairSteps steps) {
        List<Text> merged = steps.merged(wanted.stream().map(Step::pair).toList());
        for (int i = 0; i < wanted.size(); i++) {
            Step step = wanted.get(i);
            step.of.strings.set(step.first, merged.get(i));
            step.of.strings.set(step.second, null);
            step.of.left--;
        }
        return !wanted.isEmpty();
    }

    private static void compare(List<Step> wanted, PairSteps steps) {
        List<Integer> common = steps.common(wanted.stream().map(Step::pair).toList());
        for (int i = 0; i < wanted.size(); i++) {
            Step step = wanted.get(i);
            step.of.common[step.first][step.second] = common.get(i);
        }
    }

    private Stream<Step> neighbours() {
        return left <= SupersequenceOfAll.MAX_COMPARED
                ? Stream.empty()
                : IntStream.range(0, left / 2).mapToObj(i -> new Step(this, 2 * i, 2 * i + 1));
    }

    private void closeUp() {
        strings.removeIf(Objects::isNull);
    }

    private Stream<Step> everyTwo() {
        common = new int[left][left];
        // with only two strings, there is no choice to make
        return left == 2
                ? Stream.empty()
                : IntStream.range(0, left).boxed().flatMap(i -> IntStream.range(i + 1, left)
                        .mapToObj(j -> new Step(this, i, j)));
    }

    private Stream<Step> withEachOther(int changed) {
        return left == 2
                ? Stream.empty()
                : IntStream.range(0, common.length)
                        .filter(i -> i != changed && strings.get(i) != null)
                        .mapToObj(i -> new Step(this, Math.min(i, changed), Math.max(i, changed)));
    }

    /**
     * Returns the step that merges the two strings with the longest common subsequence; returns none if only one string
     * is left.
     */
    private Stream<Step> nearest() {
        Step nearest = null;
        for (int i = 0; i < common.length; i++) {
            for (int j = i + 1; j < common.length; j++) {
                if (strings.get(i) != null
                        && strings.get(j) != null
                        && (nearest == null || common[i][j] > common[nearest.first][nearest.second])) {
                    nearest = new Step(this, i, j);
                }
            }
        }
        return Stream.ofNullable(nearest);
    }
}
