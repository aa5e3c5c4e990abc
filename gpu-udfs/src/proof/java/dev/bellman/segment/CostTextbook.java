package dev.bellman.segment;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;

/**
 * Computes the costs of segments in exact arithmetic and rounds each cost once. Most costs count as 0 if they are tiny
 * compared to a sum over the whole series.
 */
final class CostTextbook {
    private static final MathContext DIGITS = new MathContext(80);
    private static final double TINY = 0x1p-88;

    private CostTextbook() {}

    static BigDecimal sum(double... values) {
        return Arrays.stream(values).mapToObj(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static BigDecimal scalar(double[] a, double... b) {
        BigDecimal product = BigDecimal.ZERO;
        for (int i = 0; i < a.length; i++) {
            product = product.add(new BigDecimal(a[i]).multiply(new BigDecimal(b[i])));
        }
        return product;
    }

    static BigDecimal squares(double... segment) {
        BigDecimal sum = sum(segment);
        BigDecimal count = BigDecimal.valueOf(segment.length);
        return scalar(segment, segment)
                .multiply(count)
                .subtract(sum.multiply(sum))
                .divide(count, DIGITS);
    }

    /** Returns a number, or 0 if the number is tiny compared to a sum over the whole series. */
    static double notTiny(BigDecimal number, double whole) {
        return Math.abs(number.doubleValue()) < TINY * whole ? 0 : number.doubleValue();
    }

    /**
     * Returns the cost of a segment, which is the sum of squared deviations from its mean, or 0 if this sum is tiny
     * compared to the sum of squares of the whole series.
     */
    static double deviations(double[] segment, double... values) {
        return notTiny(squares(segment), scalar(values, values).doubleValue());
    }

    static double magnitudes(double... values) {
        return Arrays.stream(values).map(Math::abs).sum();
    }

    /**
     * Returns the series that determines which sums of squares are tiny: the differences from the first value if no
     * value is more than twice or less than half of it, or otherwise the series itself.
     */
    static double[] differences(double... values) {
        boolean isNarrow = Arrays.stream(values)
                .mapToObj(value -> new BigDecimal(value).multiply(BigDecimal.valueOf(2)))
                .allMatch(twice -> {
                    BigDecimal first = new BigDecimal(values[0]);
                    return twice.signum() == first.signum()
                            && twice.abs().compareTo(first.abs()) >= 0
                            && twice.abs().compareTo(first.abs().multiply(BigDecimal.valueOf(4))) <= 0;
                });
        return isNarrow ? Arrays.stream(values).map(value -> value - values[0]).toArray() : values;
    }

    static double normal(double[] segment, double... values) {
        double count = segment.length;
        return count * StrictMath.log(deviations(segment, values) / count + 1e-6);
    }

    static double poisson(double... segment) {
        double sum = sum(segment).doubleValue();
        return sum > 1e-290 ? 2 * sum * StrictMath.log(segment.length / sum) : 0;
    }

    static double absolute(double[] segment, double... values) {
        double[] sorted = segment.clone();
        Arrays.sort(sorted);
        BigDecimal median = new BigDecimal(sorted[(sorted.length - 1) / 2]);
        BigDecimal cost = Arrays.stream(sorted)
                .mapToObj(value -> new BigDecimal(value).subtract(median).abs())
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return notTiny(cost, magnitudes(values));
    }

    /** Returns consecutive numbers, starting at {@code begin}. */
    static double[] places(int begin, int count) {
        double[] places = new double[count];
        Arrays.setAll(places, i -> begin + i);
        return places;
    }

    /** Returns the count times the covariance of values and positions. */
    static BigDecimal covariance(double[] segment, double... places) {
        BigDecimal middle = new BigDecimal((places[0] + places[places.length - 1]) / 2);
        return scalar(segment, places).subtract(middle.multiply(sum(segment)));
    }

    static double spread(double count) {
        return count * (count * count - 1);
    }

    static double line(double[] segment, int begin, double... values) {
        if (segment.length < 3) {
            return 0;
        }
        BigDecimal covariance = covariance(segment, places(begin, segment.length));
        BigDecimal spread = new BigDecimal(spread(segment.length));
        BigDecimal cost = squares(segment)
                .subtract(covariance
                        .multiply(covariance)
                        .multiply(BigDecimal.valueOf(12))
                        .divide(spread, DIGITS));
        return notTiny(cost.max(BigDecimal.ZERO), scalar(values, values).doubleValue());
    }
}
