package dev.bellman.segment;

import static dev.bellman.segment.PrefixSums.lost;

/** Computes quotients and deviations of sums stored as pairs of doubles. */
final class Pairs {
    private Pairs() {}

    /** Returns the quotient of two pairs, rounded once. */
    static double quotient(double high, double low, double divisor, double divisorLow) {
        double quotient = high / divisor;
        return quotient + (Math.fma(-quotient, divisor, high) + (low - quotient * divisorLow)) / divisor;
    }

    /**
     * Returns the sum of squared deviations from the mean, {@code squares - sum * sum / count}, rounded once.
     *
     * @param floor the smallest positive result; smaller values are rounding errors and become 0
     */
    static double deviation(double sum, double sumLow, double squares, double squaresLow, double count, double floor) {
        double result = deviation(sum, sumLow, squares, squaresLow, count);
        return result < floor ? 0 : result;
    }

    /** Returns the sum of squared deviations without replacing small values. */
    static double deviation(double sum, double sumLow, double squares, double squaresLow, double count) {
        double inverse = 1 / count;
        double product = sum * sum;
        double productLow = Math.fma(sum, sum, -product) + 2 * sum * sumLow;
        double part = product * inverse;
        double partLow = (Math.fma(-part, count, product) + productLow) * inverse;
        double difference = squares - part;
        return difference + (lost(squares, -part, difference) + (squaresLow - partLow));
    }
}
