package dev.bellman.segment;

/**
 * Computes the cost {@code 2 * sum * log(count / sum)}, which is minus twice the log-likelihood of a Poisson
 * distribution whose mean is that of the segment, apart from terms that do not depend on the segmentation.
 */
final class PoissonCost extends SegmentCost {
    /**
     * Segments whose sum is at most this bound cost 0, because the quotient of a count and a smaller sum may exceed the
     * range of DOUBLE.
     */
    static final double SMALLEST = 1e-290;

    private final PrefixSums sums;

    PoissonCost(double... values) {
        this(PrefixSums.of(values));
    }

    private PoissonCost(PrefixSums sums) {
        super(sums.high, sums.low);
        this.sums = sums;
    }

    @Override
    void set(Candidates starts, int column, int end, double[] costs) {
        for (int i = 0; i < starts.count; i++) {
            double sum = sums.between(starts.starts[i], end);
            costs[i] = sum > SMALLEST ? 2 * sum * Logarithm.of((end - starts.starts[i]) / sum) : 0;
        }
    }

    @Override
    double smallest() {
        return Double.NEGATIVE_INFINITY;
    }

    @Override
    double largest() {
        int count = sums.high.length - 1;
        double all = sums.high[count];
        return 2 * (all * (Math.log(count) + Math.log(all + 1)) + count);
    }
}
