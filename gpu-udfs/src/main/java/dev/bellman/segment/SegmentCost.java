package dev.bellman.segment;

import dev.bellman.BellmanException;
import java.util.Arrays;

/**
 * Computes the cost of a segment: a sum over its values, minimized over the parameters of a model. Therefore, two parts
 * of a segment never cost more than the whole segment; {@link BoundedSearch} relies on this property.
 */
abstract class SegmentCost {
    /** The maximum rounding error of a sum that should be 0, relative to the sum of all squares or magnitudes. */
    static final double FLOOR = 0x1p-88;

    /** The maximum error of costs and of their sums, relative to the largest cost. */
    private static final double ROUNDED = 0x1p-46;

    private static final String NAMES = "l2, normal, poisson or l1";

    private final double[][] sources;

    /**
     * @param sources arrays with an entry for each position in the series; {@link Candidates} copies the entries of its
     *     starts
     */
    SegmentCost(double[]... sources) {
        this.sources = sources;
    }

    final Candidates candidates() {
        return new Candidates(sources);
    }

    /**
     * Sets {@code costs} to the cost of the segment from each start to an exclusive end, plus the cost of all segments
     * before it.
     */
    final void add(Candidates starts, int end, double[] costs) {
        set(starts, 0, end, costs);
        double[] before = starts.before;
        for (int i = 0; i < starts.count; i++) {
            costs[i] += before[i];
        }
    }

    /**
     * Sets {@code costs} to the cost of the segment from each start to an exclusive end.
     *
     * @param column the first of the columns of {@code starts} that contain this cost's sources
     */
    abstract void set(Candidates starts, int column, int end, double[] costs);

    /** Returns the arrays that {@link Candidates} copies. */
    final double[][] sources() {
        return sources;
    }

    /**
     * Computes the same results as {@link Partition#solve} if a faster search exists for this cost and these values.
     * Otherwise, returns false; {@code target} and {@code starts} then contain no results.
     */
    boolean solve(int minSize, double[] source, double[] target, double penalty, int... starts) {
        return false;
    }

    /** Returns a lower bound on the costs of all segments. */
    double smallest() {
        return 0;
    }

    /** Returns the largest magnitude that a sum of costs may have, apart from penalties. */
    abstract double largest();

    /**
     * Returns a bound on the total rounding error in a comparison of two sums of costs: if the cost of one start
     * exceeds that of another start by this margin, it is also larger in exact arithmetic.
     */
    final double margin(double penalty) {
        return ROUNDED * (largest() + penalty) + Double.MIN_NORMAL;
    }

    /** Returns the cost function with the given name for a series of points: the sum over the dimensions. */
    static SegmentCost ofPoints(String function, String name, double[]... dimensions) {
        return dimensions.length == 1
                ? of(function, name, dimensions[0])
                : new SumCost(Arrays.stream(dimensions)
                        .map(values -> of(function, name, values))
                        .toArray(SegmentCost[]::new));
    }

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
        return BellmanException.inSetting(function, "cost is '%s'; it must be %s".formatted(name, NAMES));
    }

    static void check(String function, String name) {
        if (!name.matches("l2|normal|poisson|l1")) {
            throw unknown(function, name);
        }
    }
}
