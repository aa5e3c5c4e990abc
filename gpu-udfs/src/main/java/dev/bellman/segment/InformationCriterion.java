package dev.bellman.segment;

import dev.bellman.BellmanException;
import java.util.Arrays;

/**
 * The penalty of the Bayesian information criterion (G. Schwarz, 1978): {@code ln(n)} for each parameter that a change
 * point adds, multiplied by the scale of the cost; {@code n} is the length of the series. The parameters are the
 * position of the change point and, in each dimension, a mean and, for the cost {@code normal}, a variance.
 *
 * <p>The scale of the costs {@code normal} and {@code poisson} is 1. The scale of the cost {@code l2} is the variance
 * of the noise. The standard deviation of the noise is estimated from the differences between neighbouring values, most
 * of which contain no change. The estimate is the median absolute deviation of the differences from their median,
 * divided by the corresponding median for a standard normal distribution, and by the square root of 2, because each
 * difference involves two values. For several dimensions, the scale is the mean of the variances in the dimensions.
 */
final class InformationCriterion {
    static final String NAME = "bic";

    /** The median of the absolute value of a standard normal variable. */
    private static final double NORMAL_MEDIAN = 0.6744897501960817;

    private InformationCriterion() {}

    /** Throws an exception unless the name of the penalty is known. */
    static void check(String function, String name) {
        if (!name.equals(NAME)) {
            throw BellmanException.inSetting(
                    function, "penalty is the string '%s'; it must be a number or '%s'".formatted(name, NAME));
        }
    }

    /** Throws an exception unless the criterion defines a penalty for the named cost. */
    static void checkCost(String function, String cost) {
        SegmentCost.check(function, cost);
        if (cost.equals("l1")) {
            throw BellmanException.inSetting(function, noPenalty(cost));
        }
    }

    private static String noPenalty(String cost) {
        return "penalty is '%s', which requires the cost l2, normal or poisson; for the cost '%s', use a number"
                .formatted(NAME, cost);
    }

    /** Returns the penalty of a change point in a series with the given values in each dimension. */
    static double penalty(String function, String cost, double[]... dimensions) {
        double perParameter = StrictMath.log(Math.max(1, dimensions[0].length));
        int means = dimensions.length;
        return switch (cost) {
            case "l2" -> (1 + means) * perParameter * variance(dimensions);
            case "normal" -> (1 + 2 * means) * perParameter;
            case "poisson" -> (1 + means) * perParameter;
            default -> throw BellmanException.inRow(function, noPenalty(cost));
        };
    }

    /** Returns the mean, over the dimensions, of the estimated variance of the noise. */
    private static double variance(double[]... dimensions) {
        double sum = 0;
        for (double[] values : dimensions) {
            sum += variance(values);
        }
        return sum / dimensions.length;
    }

    private static double variance(double... values) {
        if (values.length < 2) {
            return 0;
        }
        double[] differences = new double[values.length - 1];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = values[i + 1] - values[i];
        }
        double middle = median(differences);
        for (int i = 0; i < differences.length; i++) {
            differences[i] = Math.abs(differences[i] - middle);
        }
        double deviation = median(differences) / NORMAL_MEDIAN;
        return deviation * deviation / 2;
    }

    /** Sorts the numbers, and returns their median. */
    private static double median(double... numbers) {
        Arrays.sort(numbers);
        return (numbers[(numbers.length - 1) / 2] + numbers[numbers.length / 2]) / 2;
    }
}
