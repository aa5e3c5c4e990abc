package dev.bellman.segment;

import static dev.bellman.segment.PrefixSums.lost;

/** Computes the cost {@code l1}: the sum of absolute deviations from the median of a segment. */
final class MedianCost extends SegmentCost {
    private final PrefixSums sums;
    private final RankTree ranks;
    private final double all;

    MedianCost(double... values) {
        sums = PrefixSums.of(values);
        ranks = new RankTree(values);
        double magnitudes = 0;
        for (double value : values) {
            magnitudes += Math.abs(value);
        }
        all = magnitudes;
    }

    @Override
    void set(Candidates starts, int column, int end, double[] costs) {
        for (int i = 0; i < starts.count; i++) {
            costs[i] = cost(starts.starts[i], end);
        }
    }

    /**
     * Returns the sum of the absolute deviations from the lower median: the sum of the values above it, minus the sum
     * of the values below it, minus the median if one more value is above it than below.
     */
    private double cost(int from, int to) {
        int count = to - from;
        int below = (count - 1) / 2;
        ranks.select(from, to, below);
        double high = sums.between(from, to);
        double low = sums.lostBetween(from, to) - 2 * ranks.sumLow;
        double upper = high - 2 * ranks.sum;
        low += lost(high, -2 * ranks.sum, upper);
        // the sum includes the median itself; for an even count, one more value is above the median than below
        double medians = (count & 1) == 0 ? 2 * ranks.value : ranks.value;
        double cost = upper - medians;
        cost += lost(upper, -medians, cost) + low;
        return cost < FLOOR * all ? 0 : cost;
    }

    @Override
    double largest() {
        return 2 * all;
    }
}
