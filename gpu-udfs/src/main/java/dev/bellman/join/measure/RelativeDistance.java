package dev.bellman.join.measure;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The condition that a distance is at most a limit: {@code ofLonger} times the length of the longer string, plus {@code
 * ofShorter} times the length of the shorter string, plus {@code constant}. The limit itself is raised to at least
 * {@code least} and lowered to at most {@code most}.
 */
public record RelativeDistance(
        Metric metric, double ofLonger, double ofShorter, double constant, double least, double most)
        implements DistanceMeasure {
    /**
     * The smallest sum of the factors at which strings of any length that have no character in common may be a pair.
     */
    public static final double MAX_FACTOR = 1;

    /** A tolerance that exceeds all rounding errors; the caller checks the exact condition of each pair. */
    private static final double SLACK = 1e-6;

    private static final int MAX_DISTANCE = Integer.MAX_VALUE / 4;

    @Override
    public int limit(int one, int other) {
        double limit = ofLonger * Math.max(one, other) + ofShorter * Math.min(one, other) + constant;
        double within = Math.min(most, Math.max(least, limit));
        return (int) Math.max(-1, Math.min(Math.floor(within + SLACK), MAX_DISTANCE));
    }

    @Override
    public boolean isEditDistance() {
        return metric == Metric.EDIT_DISTANCE && ofShorter == 0;
    }

    @Override
    public String toString() {
        StringBuilder limit = new StringBuilder(metric.function()).append(" <= ");
        if (ofLonger > 0) {
            limit.append(number(ofLonger)).append(" * longer length");
        }
        if (ofShorter > 0) {
            limit.append(ofLonger > 0 ? " + " : "").append(number(ofShorter)).append(" * shorter length");
        }
        if (constant != 0) {
            limit.append(constant > 0 ? " + " : " - ").append(number(Math.abs(constant)));
        }
        if (least > 0) {
            limit.append(", at least ").append(number(least));
        }
        return most < Double.POSITIVE_INFINITY
                ? limit.append(", at most ").append(number(most)).toString()
                : limit.toString();
    }

    private static String number(double number) {
        return BigDecimal.valueOf(number)
                .round(new MathContext(6))
                .stripTrailingZeros()
                .toPlainString();
    }
}
