package dev.bellman.segment;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;

/**
 * The cost of a segment: the minimum over the parameters of a model of a sum over its values. So two parts of a segment
 * never cost more than the whole, which {@link Partition} relies on.
 */
abstract class SegmentCost {
    /** By its share of all squares or magnitudes, what rounding may leave of a sum that is 0. */
    static final double FLOOR = 0x1p-88;

    /** Errors of costs and of their sums, by their share of the largest cost. */
    private static final double ROUNDED = 0x1p-46;

    private static final String NAMES = "l2, normal, poisson or l1";

    private final double[][] sources;

    /** @param sources arrays with an entry for each place in the series, which {@link Candidates} copies */
    SegmentCost(double[]... sources) {
        this.sources = sources;
    }

    final Candidates candidates() {
        return new Candidates(sources);
    }

    /** Sets {@code costs} to those of the segments from each start to an end, exclusive, and of all before them. */
    abstract void add(Candidates starts, int end, double[] costs);

    /** The largest magnitude that a sum of costs may have, apart from penalties. */
    abstract double largest();

    /** Whether a value is allowed. */
    boolean allows(double value) {
        return Math.abs(value) <= SegmentArguments.LARGEST;
    }

    /**
     * More than the sum of all that rounding adds to a comparison of two sums of costs: a start that costs so much
     * more than a different start also does if all is computed exactly.
     */
    final double margin(double penalty) {
        return ROUNDED * (largest() + penalty) + Double.MIN_NORMAL;
    }

    /** The costs by name. */
    static SegmentCost of(String function, String name, double... values) {
        return switch (name) {
            case "l2" -> new SquaresCost(SquaresCost.Model.L2, values);
            case "normal" -> new SquaresCost(SquaresCost.Model.NORMAL, values);
            case "poisson" -> new PoissonCost(values);
            case "l1" -> new MedianCost(values);
            default -> throw unknown(function, name);
        };
    }

    private static BellmanException unknown(String function, String name) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE, "%s: cost is '%s'; it must be %s".formatted(function, name, NAMES));
    }

    static void check(String function, String name) {
        if (!name.matches("l2|normal|poisson|l1")) {
            throw unknown(function, name);
        }
    }
}
