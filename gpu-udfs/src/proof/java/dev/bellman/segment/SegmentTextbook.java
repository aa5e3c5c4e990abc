package dev.bellman.segment;

import static dev.bellman.proof.Values.invalid;
import static dev.bellman.segment.CostTextbook.absolute;
import static dev.bellman.segment.CostTextbook.covariance;
import static dev.bellman.segment.CostTextbook.deviations;
import static dev.bellman.segment.CostTextbook.differences;
import static dev.bellman.segment.CostTextbook.line;
import static dev.bellman.segment.CostTextbook.magnitudes;
import static dev.bellman.segment.CostTextbook.normal;
import static dev.bellman.segment.CostTextbook.notTiny;
import static dev.bellman.segment.CostTextbook.places;
import static dev.bellman.segment.CostTextbook.poisson;
import static dev.bellman.segment.CostTextbook.spread;
import static dev.bellman.segment.CostTextbook.squares;
import static dev.bellman.segment.CostTextbook.sum;

import dev.bellman.proof.Values;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Defines the segmentation functions by the costs of all segments, which {@link CostTextbook} computes. */
final class SegmentTextbook {
    private static final MathContext DIGITS = new MathContext(80);
    private static final double NONE = Double.POSITIVE_INFINITY;

    private interface Cost {
        double of(int begin, int end);
    }

    private SegmentTextbook() {}

    private static double[] numbers(ArrayData array, double least, double most) {
        double[] numbers = new double[array.numElements()];
        for (int i = 0; i < numbers.length; i++) {
            if (array.isNullAt(i) || !(array.getDouble(i) >= least && array.getDouble(i) <= most)) {
                throw invalid();
            }
            numbers[i] = array.getDouble(i) == 0 ? 0 : array.getDouble(i);
        }
        return numbers;
    }

    private static double[] values(InternalRow row) {
        return numbers(row.getArray(0), -1e100, 1e100);
    }

    /** Returns the values of each dimension of a series of points, or one dimension for a series of numbers. */
    private static double[][] dimensions(InternalRow row, boolean hasPoints) {
        ArrayData points = row.getArray(0);
        if (!hasPoints || points.numElements() == 0) {
            return new double[][] {hasPoints ? new double[0] : values(row)};
        }
        List<double[]> rows = new ArrayList<>();
        for (int i = 0; i < points.numElements(); i++) {
            if (points.isNullAt(i)) {
                throw invalid();
            }
            rows.add(numbers(points.getArray(i), -1e100, 1e100));
        }
        int size = rows.get(0).length;
        if (size == 0 || rows.stream().anyMatch(each -> each.length != size)) {
            throw invalid();
        }
        double[][] dimensions = new double[size][];
        Arrays.setAll(
                dimensions, k -> rows.stream().mapToDouble(each -> each[k]).toArray());
        return dimensions;
    }

    private static double penalty(InternalRow row) {
        double penalty = row.getDouble(1);
        if (!(penalty >= 0 && penalty <= 1e100)) {
            throw invalid();
        }
        return penalty;
    }

    /** Returns the sum of the costs in the dimensions. */
    private static Cost cost(InternalRow row, double[]... dimensions) {
        List<Cost> costs =
                Arrays.stream(dimensions).map(values -> cost(row, values)).toList();
        return (begin, end) ->
                costs.stream().mapToDouble(cost -> cost.of(begin, end)).reduce(0, Double::sum);
    }

    private static Cost cost(InternalRow row, double... values) {
        String name = row.getString(2);
        if (!List.of("l2", "normal", "l1", "poisson").contains(name)
                || name.equals("poisson") && Arrays.stream(values).anyMatch(value -> value < 0)) {
            throw invalid();
        }
        return (begin, end) -> {
            double[] segment = Arrays.copyOfRange(values, begin, end);
            return switch (name) {
                case "l2" -> deviations(segment, differences(values));
                case "normal" -> normal(segment, differences(values));
                case "l1" -> absolute(segment, values);
                default -> poisson(segment);
            };
        };
    }

    private static double[][] table(int count, int minSize, Cost cost) {
        double[][] table = new double[count + 1][count + 1];
        for (int begin = 0; begin < count; begin++) {
            for (int end = begin + 1; end <= count; end++) {
                table[begin][end] = end - begin < minSize ? NONE : cost.of(begin, end);
            }
        }
        return table;
    }

    /** Returns the positions at which the segments of the best partition begin, without the first segment. */
    private static int[] optimal(int count, double penalty, int minSize, Cost cost) {
        if (count < 2L * minSize) {
            return new int[0];
        }
        double[][] table = table(count, minSize, cost);
        double[] best = new double[count + 1];
        int[] from = new int[count + 1];
        for (int end = 1; end <= count; end++) {
            double least = NONE;
            for (int begin = 0; begin < end; begin++) {
                if (best[begin] + table[begin][end] < least) {
                    least = best[begin] + table[begin][end];
                    from[end] = begin;
                }
            }
            best[end] = least + penalty;
        }
        List<Integer> points = new ArrayList<>();
        for (int end = from[count]; end > 0; end = from[end]) {
            points.add(0, end);
        }
        return points.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int minSize(InternalRow row) {
        if (row.getInt(3) < 1) {
            throw invalid();
        }
        return row.getInt(3);
    }

    static Object changePoints(InternalRow row, boolean hasPoints) {
        double[][] values = dimensions(row, hasPoints);
        return Values.array(optimal(values[0].length, penalty(row), minSize(row), cost(row, values)));
    }

    static Object changePointsByCriterion(InternalRow row, boolean hasPoints) {
        double[][] values = dimensions(row, hasPoints);
        String cost = row.getUTF8String(2).toString();
        if (!row.getUTF8String(1).toString().equals("bic") || cost.equals("l1")) {
            throw invalid();
        }
        int count = values[0].length;
        double parameters = 1 + (cost.equals("normal") ? 2 : 1) * values.length;
        double variance =
                Arrays.stream(values).mapToDouble(SegmentTextbook::variance).reduce(0, Double::sum) / values.length;
        double penalty = parameters * (count == 0 ? 0 : StrictMath.log(count)) * (cost.equals("l2") ? variance : 1);
        return Values.array(optimal(count, penalty, minSize(row), cost(row, values)));
    }

    private static double variance(double... values) {
        List<Double> differences = new ArrayList<>();
        for (int i = 1; i < values.length; i++) {
            differences.add(values[i] - values[i - 1]);
        }
        double middle = median(differences);
        double deviation = median(differences.stream()
                        .map(difference -> Math.abs(difference - middle))
                        .toList())
                / 0.6744897501960817;
        return deviation * deviation / 2;
    }

    private static double median(List<Double> numbers) {
        List<Double> sorted = numbers.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.isEmpty()
                ? 0
                : sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    static Object changePointsOf(InternalRow row, boolean hasPoints) {
        double[][] values = dimensions(row, hasPoints);
        int length = values[0].length;
        int count = row.getInt(1);
        int minSize = minSize(row);
        Cost cost = cost(row, values);
        if (count < 0 || count > 0 && (count + 1L) * minSize > length) {
            throw invalid();
        }
        double[][] table = table(length, minSize, cost);
        double[][] best = new double[count + 1][length + 1];
        int[][] from = new int[count + 1][length + 1];
        for (int k = 0; k <= count; k++) {
            Arrays.fill(best[k], NONE);
            for (int end = 1; end <= length; end++) {
                for (int begin = 0; begin < end; begin++) {
                    double before = k > 0 ? best[k - 1][begin] : begin == 0 ? 0 : NONE;
                    if (before + table[begin][end] < best[k][end]) {
                        best[k][end] = before + table[begin][end];
                        from[k][end] = begin;
                    }
                }
            }
        }
        int[] points = new int[count];
        for (int k = count, end = length; k > 0; k--) {
            end = from[k][end];
            points[k - 1] = end;
        }
        return Values.array(points);
    }

    static Object piecewiseLinear(InternalRow row) {
        double[] values = values(row);
        double penalty = penalty(row);
        if (values.length == 0) {
            return Values.arrayOf();
        }
        int[] points = optimal(
                values.length, penalty, 2, (begin, end) -> line(Arrays.copyOfRange(values, begin, end), begin, values));
        Object[] lines = new Object[points.length + 1];
        for (int i = 0; i < lines.length; i++) {
            int begin = i == 0 ? 0 : points[i - 1];
            int end = i == points.length ? values.length : points[i];
            double[] segment = Arrays.copyOfRange(values, begin, end);
            double count = segment.length;
            double covariance =
                    notTiny(covariance(segment, places(begin, segment.length)), magnitudes(values) * values.length);
            double slope = count < 2 ? 0 : 12 * covariance / spread(count);
            double mean = sum(segment).doubleValue() / count;
            lines[i] = Values.row(begin, end, Math.fma(slope, (1 - count) / 2, mean), slope);
        }
        return Values.arrayOf(lines);
    }

    /**
     * Computes each value by a minimax formula. A block that contains the value has a first and a last position: the
     * result is the maximum, over all first positions, of the minimum, over all last positions, of the block's mean.
     */
    static Object isotonic(InternalRow row, boolean weighted) {
        double[] values = values(row);
        double[] weights = new double[values.length];
        Arrays.fill(weights, 1);
        if (weighted) {
            weights = numbers(row.getArray(1), 1e-100, 1e100);
            if (weights.length != values.length) {
                throw invalid();
            }
        }
        Object[] fitted = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            BigDecimal[] largest = null;
            for (int a = 0; a <= i; a++) {
                BigDecimal[] smallest = null;
                BigDecimal[] mean = {BigDecimal.ZERO, BigDecimal.ZERO};
                for (int b = a; b < values.length; b++) {
                    BigDecimal weight = new BigDecimal(weights[b]);
                    mean = new BigDecimal[] {
                        mean[0].add(weight.multiply(new BigDecimal(values[b]))), mean[1].add(weight)
                    };
                    if (b >= i && (smallest == null || compare(mean, smallest) < 0)) {
                        smallest = mean;
                    }
                }
                if (largest == null || compare(smallest, largest) > 0) {
                    largest = smallest;
                }
            }
            fitted[i] = largest[0].divide(largest[1], DIGITS).doubleValue();
        }
        return Values.arrayOf(fitted);
    }

    /** Compares two means, each given by a sum and a weight. */
    private static int compare(BigDecimal[] a, BigDecimal... b) {
        return a[0].multiply(b[1]).compareTo(b[0].multiply(a[1]));
    }

    static Object optimalBins(InternalRow row) {
        double[] values = values(row);
        if (row.getInt(1) < 1 || values.length == 0) {
            throw invalid();
        }
        TreeMap<Double, Integer> counts = new TreeMap<>();
        for (double value : values) {
            counts.merge(value, 1, Integer::sum);
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int distinct = counts.size();
        int bins = Math.min(row.getInt(1), distinct);
        int[] ends = new int[distinct + 1];
        int at = 0;
        for (int count : counts.values()) {
            ends[at + 1] = ends[at] + count;
            at++;
        }
        double[][] cost = new double[distinct + 1][distinct + 1];
        for (int begin = 0; begin < distinct; begin++) {
            for (int end = begin + 1; end <= distinct; end++) {
                cost[begin][end] = deviations(Arrays.copyOfRange(sorted, ends[begin], ends[end]), values);
            }
        }
        double[][] best = new double[bins + 1][distinct + 1];
        Arrays.fill(best[0], 1, distinct + 1, NONE);
        for (int k = 1; k <= bins; k++) {
            Arrays.fill(best[k], NONE);
            for (int end = 1; end <= distinct; end++) {
                for (int begin = 0; begin < end; begin++) {
                    best[k][end] = Math.min(best[k][end], best[k - 1][begin] + cost[begin][end]);
                }
            }
        }
        double[] centers = new double[bins];
        double[] bounds = new double[bins + 1];
        double[] costs = new double[bins];
        bounds[0] = sorted[0];
        for (int k = bins, end = distinct; k > 0; k--) {
            int begin = 0;
            while (best[k - 1][begin] + cost[begin][end] > best[k][end] * (1 + 0x1p-36)) {
                begin++;
            }
            double[] bin = Arrays.copyOfRange(sorted, ends[begin], ends[end]);
            centers[k - 1] =
                    sum(bin).divide(BigDecimal.valueOf(bin.length), DIGITS).doubleValue();
            bounds[k] = bin[bin.length - 1];
            costs[k - 1] = squares(bin).doubleValue();
            end = begin;
        }
        return Values.row(
                Values.array(centers),
                Values.array(bounds),
                Arrays.stream(costs).reduce(0, Double::sum));
    }
}
