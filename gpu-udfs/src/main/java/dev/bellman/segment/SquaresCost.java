package dev.bellman.segment;

import static dev.bellman.segment.PrefixSums.lost;

import java.util.Arrays;

/**
 * Computes costs from the sum of squared deviations from the mean of a segment: {@code l2} is this sum, and {@code
 * normal} is {@code count * log(sum / count + 1e-6)}, which is minus twice the log-likelihood of a normal distribution,
 * apart from constants. The small constant, which is the same as in the ruptures library, keeps the cost of segments
 * with equal values finite.
 */
final class SquaresCost extends SegmentCost {
    /** The formulas that compute a cost from the sum of squared deviations. */
    enum Model {
        L2,
        NORMAL
    }

    static final double SMALL = 1e-6;

    private final Model model;
    private final PrefixSums sums;
    private final PrefixSums squares;
    private final double[] places;
    /** The values of which the sums consist. */
    private final double[] values;

    private final double floor;

    private double[] sum = {};
    private double[] sumLow = {};
    private double[] all = {};
    private double[] allLow = {};

    SquaresCost(Model model, double... values) {
        this(places(values.length), model, reduced(values));
    }

    private SquaresCost(double[] places, Model model, double... values) {
        this(model, PrefixSums.of(values), PrefixSums.ofSquares(values), places, values);
    }

    /**
     * Subtracts the first value from all values if each value is between half and twice the first. The differences are
     * then exact (Sterbenz, "Floating-point computation", 1974) and not larger than the values, so deviations that are
     * small compared to the values are not lost.
     */
    private static double[] reduced(double... values) {
        double first = values.length == 0 ? 0 : values[0];
        double half = first / 2;
        double twice = 2 * first;
        double least = Math.min(half, twice);
        double greatest = Math.max(half, twice);
        for (double value : values) {
            if (value < least || value > greatest) {
                return values;
            }
        }
        return Arrays.stream(values).map(value -> value - first).toArray();
    }

    private SquaresCost(Model model, PrefixSums sums, PrefixSums squares, double[] places, double... values) {
        super(sums.high, sums.low, squares.high, squares.low, places);
        this.model = model;
        this.sums = sums;
        this.squares = squares;
        this.places = places;
        this.values = values;
        floor = FLOOR * squares.high[places.length - 1];
    }

    /** Returns the numbers from 0 to {@code count}. */
    static double[] places(int count) {
        double[] places = new double[count + 1];
        for (int i = 0; i <= count; i++) {
            places[i] = i;
        }
        return places;
    }

    @Override
    void set(Candidates starts, int column, int end, double[] costs) {
        deviations(starts, column, end, costs);
        double[] begins = starts.columns[column + 4];
        for (int i = 0; model == Model.NORMAL && i < starts.count; i++) {
            double count = end - begins[i];
            costs[i] = count * Logarithm.of(costs[i] / count + SMALL);
        }
    }

    /**
     * Computes {@link Pairs#deviation} for each start. The compiler vectorizes only loops with few operations, so each
     * loop computes a part for all starts.
     */
    private void deviations(Candidates starts, int column, int end, double[] costs) {
        int count = starts.count;
        if (sum.length < count) {
            sum = new double[starts.starts.length];
            sumLow = new double[sum.length];
            all = new double[sum.length];
            allLow = new double[sum.length];
        }
        differences(sums, end, starts.columns[column], starts.columns[column + 1], count, sum, sumLow);
        differences(squares, end, starts.columns[column + 2], starts.columns[column + 3], count, all, allLow);
        round(count, sum, sumLow);
        deviations(starts.columns[column + 4], places[end], count, costs);
        for (int i = 0; i < count; i++) {
            costs[i] = costs[i] < floor ? 0 : costs[i];
        }
    }

    /** Computes the sum of the terms from each start to the end, as a pair. */
    private static void differences(
            PrefixSums prefix, int end, double[] from, double[] lowFrom, int count, double[] high, double[] low) {
        double to = prefix.high[end];
        double lowTo = prefix.low[end];
        for (int i = 0; i < count; i++) {
            double near = to - from[i];
            high[i] = near;
            low[i] = lost(to, -from[i], near) + (lowTo - lowFrom[i]);
        }
    }

    /** Adds as much as possible of the low part of each pair to its high part. */
    private static void round(int count, double[] high, double[] low) {
        for (int i = 0; i < count; i++) {
            double near = high[i];
            double rounded = near + low[i];
            low[i] = lost(near, low[i], rounded);
            high[i] = rounded;
        }
    }

    private void deviations(double[] begins, double to, int count, double[] costs) {
        for (int i = 0; i < count; i++) {
            costs[i] = Pairs.deviation(sum[i], sumLow[i], all[i], allLow[i], to - begins[i]);
        }
    }

    /** Returns the sum of squared deviations of a segment. */
    double deviation(int from, int to) {
        return Pairs.deviation(
                sums.between(from, to),
                sums.lostBetween(from, to),
                squares.high[to] - squares.high[from],
                squares.restBetween(from, to),
                to - from,
                floor);
    }

    @Override
    boolean solve(int minSize, double[] source, double[] target, double penalty, int... starts) {
        return model == Model.L2
                && new LevelSearch(this, minSize, sums, squares, values).solve(source, target, penalty, starts);
    }

    @Override
    double smallest() {
        return model == Model.L2 ? 0 : Double.NEGATIVE_INFINITY;
    }

    @Override
    double largest() {
        int count = places.length - 1;
        double all = squares.high[count];
        return model == Model.L2 ? all : count * (2 + Math.max(-Math.log(SMALL), Math.log(all + 1))) + all * 0x1p-30;
    }
}
