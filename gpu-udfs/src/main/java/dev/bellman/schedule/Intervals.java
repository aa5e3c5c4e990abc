package dev.bellman.schedule;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Arrays;
import java.util.Comparator;

/** Weighted intervals sorted by ends, then starts, then positions in the input. */
final class Intervals {
    private final String function;
    private final int[] order;
    private final boolean isReal;
    private final long[] starts;
    private final long[] ends;
    private final long[] weights;
    private final double[] realStarts;
    private final double[] realEnds;
    private final double[] realWeights;

    private Intervals(String function, int[] order, long[][] integers, double[]... reals) {
        this.function = function;
        this.order = order;
        isReal = integers.length == 0;
        starts = isReal ? null : integers[0];
        ends = isReal ? null : integers[1];
        weights = isReal ? null : integers[2];
        realStarts = isReal ? reals[0] : null;
        realEnds = isReal ? reals[1] : null;
        realWeights = isReal ? reals[2] : null;
    }

    /** @param integers arrays of starts, ends and weights */
    static Intervals of(String function, long[]... integers) {
        Comparator<Integer> byEnd = Comparator.comparingLong(i -> integers[1][i]);
        return new Intervals(
                function, sorted(integers[0].length, byEnd.thenComparingLong(i -> integers[0][i])), integers);
    }

    static Intervals of(String function, double[]... reals) {
        Comparator<Integer> byEnd = Comparator.comparingDouble(i -> reals[1][i]);
        return new Intervals(
                function, sorted(reals[0].length, byEnd.thenComparingDouble(i -> reals[0][i])), new long[0][], reals);
    }

    private static int[] sorted(int count, Comparator<Integer> comparator) {
        Integer[] order = new Integer[count];
        Arrays.setAll(order, i -> i);
        // this sort is stable
        Arrays.sort(order, comparator);
        return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    }

    int count() {
        return order.length;
    }

    boolean isReal() {
        return isReal;
    }

    int place(int i) {
        return order[i];
    }

    long integer(int i) {
        return weights[order[i]];
    }

    double real(int i) {
        return realWeights[order[i]];
    }

    /** Whether an interval ends before another interval starts, or at the same point. */
    boolean endsBefore(int i, int other) {
        return isReal ? realEnds[order[i]] <= realStarts[order[other]] : ends[order[i]] <= starts[order[other]];
    }

    /** Returns the number of intervals that end at or before the start of a given interval. */
    int search(int of) {
        int low = 0;
        int high = of;
        while (low < high) {
            int middle = low + high >>> 1;
            if (endsBefore(middle, of)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    long add(long sum, long weight) {
        long result = sum + weight;
        if (result < sum) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OVERFLOW,
                    "%s: the sum of weights exceeds %d, the maximum BIGINT value; use smaller weights"
                            .formatted(function, Long.MAX_VALUE));
        }
        return result;
    }
}
