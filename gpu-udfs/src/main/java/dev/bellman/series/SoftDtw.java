package dev.bellman.series;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Computes soft-DTW, after Cuturi and Blondel, "Soft-DTW: a differentiable loss function for time series" (2017): time
 * warping with a smooth minimum.
 *
 * <pre>{@code
 * R(i, j) = the sum of d_k * d_k, each added by a fused multiply-add
 *           + (min - gamma * log(e(i - 1, j - 1) + e(i - 1, j) + e(i, j - 1)))
 * e(i, j) = exp((min - R(i, j)) / gamma)        where min is the minimum of the three cells
 * }</pre>
 *
 * <p>{@code exp} and {@code log} are fdlibm's functions, so results do not depend on the machine. If {@code min} is
 * infinite, so is the cell.
 */
public final class SoftDtw {
    /** Both strategies return bit-for-bit the same results. */
    public enum Strategy {
        /** Skips exponentials whose values are known. */
        AUTO,
        /** Computes each cell exactly as in the definition. */
        SERIAL
    }

    /** The exponentials of this argument and of all smaller ones are 0. */
    private static final double VANISHES = -746;

    private SoftDtw() {}

    /** @param gamma positive and finite */
    static double distance(Series a, Series b, double gamma, Strategy strategy) {
        TaskMemory.take(2L * Double.BYTES * (b.length() + 1), () -> "two rows of the table for %,d by %,d points"
                .formatted(a.length(), b.length()));
        boolean plain = strategy == Strategy.SERIAL;
        double[] row = new double[b.length() + 1];
        double[] cost = new double[b.length()];
        Arrays.fill(row, Double.POSITIVE_INFINITY);
        row[0] = 0;
        Cancellation cancellation = new Cancellation();
        for (int i = 0; i < a.length(); i++) {
            cancellation.count(32L * b.length());
            costs(a, b, i, cost);
            double before = row[0];
            row[0] = Double.POSITIVE_INFINITY;
            for (int j = 1; j < row.length; j++) {
                double above = row[j];
                row[j] = cost[j - 1]
                        + (plain
                                ? softMinimum(before, above, row[j - 1], gamma)
                                : fastSoftMinimum(before, above, row[j - 1], gamma));
                before = above;
            }
        }
        return row[b.length()];
    }

    private static void costs(Series a, Series b, int i, double[] cost) {
        Arrays.fill(cost, 0);
        for (int k = 0; k < a.dimensions(); k++) {
            double x = a.at(k, i);
            for (int j = 0; j < cost.length; j++) {
                double d = x - b.at(k, j);
                cost[j] = Math.fma(d, d, cost[j]);
            }
        }
    }

    private static double softMinimum(double before, double above, double left, double gamma) {
        double least = Math.min(Math.min(before, above), left);
        if (Double.isInfinite(least)) {
            return least;
        }
        double sum = StrictMath.exp((least - before) / gamma)
                + StrictMath.exp((least - above) / gamma)
                + StrictMath.exp((least - left) / gamma);
        return least - gamma * StrictMath.log(sum);
    }

    private static double fastSoftMinimum(double before, double above, double left, double gamma) {
        double least = Math.min(Math.min(before, above), left);
        if (Double.isInfinite(least)) {
            return least;
        }
        double sum = exp((least - before) / gamma) + exp((least - above) / gamma) + exp((least - left) / gamma);
        return sum == 1 ? least : least - gamma * StrictMath.log(sum);
    }

    private static double exp(double value) {
        return value == 0 ? 1 : value < VANISHES ? 0 : StrictMath.exp(value);
    }
}
