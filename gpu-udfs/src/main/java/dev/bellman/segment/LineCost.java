package dev.bellman.segment;

import static dev.bellman.segment.PrefixSums.lost;

/** Computes the sum of squared deviations from the least-squares line through the positions and values of a segment. */
final class LineCost extends SegmentCost {
    private final PrefixSums sums;
    private final PrefixSums squares;
    /** Prefix sums of each value times its position. */
    private final PrefixSums moments;

    private final double floor;
    private final double momentFloor;

    LineCost(double... values) {
        sums = PrefixSums.of(values);
        squares = PrefixSums.ofSquares(values);
        double[] places = SquaresCost.places(values.length);
        moments = PrefixSums.ofProducts(values, places);
        floor = FLOOR * squares.high[values.length];
        double magnitudes = 0;
        for (double value : values) {
            magnitudes += Math.abs(value);
        }
        momentFloor = FLOOR * magnitudes * values.length;
    }

    /** A line through a segment: its value at the first position, and its slope. */
    record Line(double value, double slope) {}

    @Override
    void set(Candidates starts, int column, int end, double[] costs) {
        for (int i = 0; i < starts.count; i++) {
            costs[i] = cost(starts.starts[i], end);
        }
    }

    /**
     * Returns the covariance of positions and values, multiplied by the count and rounded. If {@code isLost} is true,
     * returns the rounding error instead. If the magnitude of the covariance is below {@link #momentFloor}, the
     * covariance and the error are 0.
     */
    private double covariance(int from, int to, boolean isLost) {
        double middle = (from + (double) to - 1) / 2;
        double sum = sums.between(from, to);
        double product = middle * sum;
        double productLow = Math.fma(middle, sum, -product) + middle * sums.lostBetween(from, to);
        double moment = moments.between(from, to);
        double difference = moment - product;
        double rest = lost(moment, -product, difference) + (moments.lostBetween(from, to) - productLow);
        double covariance = difference + rest;
        if (Math.abs(covariance) < momentFloor) {
            return 0;
        }
        return isLost ? lost(difference, rest, covariance) : covariance;
    }

    /** Returns the sum of the squared distances of the positions from their middle, times 12. */
    private static double spread(double count) {
        return count * (count * count - 1);
    }

    private double cost(int from, int to) {
        double count = to - from;
        if (count < 3) {
            return 0;
        }
        double sum = sums.between(from, to);
        double sumLow = sums.lostBetween(from, to);
        double square = sum * sum;
        double squareLow = Math.fma(sum, sum, -square) + 2 * sum * sumLow;
        double mean = square / count;
        double meanLow = (Math.fma(-mean, count, square) + squareLow) / count;
        double covariance = covariance(from, to, false);
        double product = covariance * covariance;
        double productLow = Math.fma(covariance, covariance, -product) + 2 * covariance * covariance(from, to, true);
        double spread = spread(count);
        double scaled = 12 * product;
        double scaledLow = Math.fma(12, product, -scaled) + 12 * productLow;
        double slope = scaled / spread;
        double slopeLow = (Math.fma(-slope, spread, scaled) + scaledLow) / spread;
        double all = squares.between(from, to);
        double around = all - mean;
        double aroundLow = lost(all, -mean, around) + (squares.lostBetween(from, to) - meanLow);
        double rest = around - slope;
        double cost = rest + (lost(around, -slope, rest) + (aroundLow - slopeLow));
        return cost < floor ? 0 : cost;
    }

    /**
     * Returns the line through a segment. Its slope is 12 times the rounded {@link #covariance}, divided by {@link
     * #spread}; for a single value, the slope is 0. Its value at the first position is the mean minus half of the
     * line's rise.
     */
    Line line(int from, int to) {
        double count = to - from;
        double slope = count < 2 ? 0 : 12 * covariance(from, to, false) / spread(count);
        double mean = sums.between(from, to) / count;
        return new Line(Math.fma(slope, (1 - count) / 2, mean), slope);
    }

    @Override
    double largest() {
        return squares.high[squares.high.length - 1];
    }
}
