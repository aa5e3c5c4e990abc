package dev.bellman.segment;

import static dev.bellman.proof.Values.invalid;

import dev.bellman.proof.Values;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * Defines the functions by the costs of all segments. Each cost is computed in exact arithmetic and rounded once. A
 * cost or a covariance counts as 0 if it is tiny compared to that of the whole series.
 */
final class SegmentTextbook {
    private static final MathContext DIGITS = new MathContext(80);
    private static final double NONE = Double.POSITIVE_INFINITY;
    private static final double TINY = 0x1p-88;

    /** Computes the cost of a segment. */
    private interface Cost {
        double of(double[] segment, int begin);
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

    private static double penalty(InternalRow row) {
        double penalty = row.getDouble(1);
        if (!(penalty >= 0 && penalty <= 1e100)) {
            throw invalid();
        }
        return penalty;
    }

    private static BigDecimal sum(double... values) {
        return Arrays.stream(values).mapToObj(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static BigDecimal scalar(double[] a, double... b) {
        BigDecimal product = BigDecimal.ZERO;
        for (int i = 0; i < a.length; i++) {
            product = product.add(new BigDecimal(a[i]).multiply(new BigDecimal(b[i])));
        }
        return product;
    }

    private static BigDecimal squares(double... segment) {
        BigDecimal sum = sum(segment);
        BigDecimal count = BigDecimal.valueOf(segment.length);
        return scalar(segment, segment)
                .multiply(count)
                .subtract(sum.multiply(sum))
                .divide(count, DIGITS);
    }

    /** Returns a number, or 0 if the number is tiny compared to a sum over the whole series. */
    private static double notTiny(BigDecimal number, double whole) {
        return Math.abs(number.doubleValue()) < TINY * whole ? 0 : number.doubleValue();
    }

    /** Returns the cost of a segment, which is the sum of squared deviations from its mean. */
    private static double deviations(double[] segment, double... values) {
        return notTiny(squares(segment), scalar(values, values).doubleValue());
    }

    private static double magnitudes(double... values) {
        return Arrays.stream(values).map(Math::abs).sum();
    }

    private static double normal(double[] segment, double... values) {
        double count = segment.length;
        return count * StrictMath.log(deviations(segment, values) / count + 1e-6);
    }

    private static double poisson(double... segment) {
        double sum = sum(segment).doubleValue();
        return sum > 1e-290 ? 2 * sum * StrictMath.log(segment.length / sum) : 0;
    }

    private static double absolute(double[] segment, double... values) {
        double[] sorted = segment.clone();
        Arrays.sort(sorted);
        BigDecimal median = new BigDecimal(sorted[(sorted.length - 1) / 2]);
        BigDecimal cost = Arrays.stream(sorted)
                .mapToObj(value -> new BigDecimal(value).subtract(median).abs())
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return notTiny(cost, magnitudes(values));
    }

    /** Returns consecutive numbers, starting at {@code begin}. */
    private static double[] places(int begin, int count) {
        double[] places = new double[count];
        Arrays.setAll(places, i -> begin + i);
        return places;
    }

    /** Returns the count times the covariance of values and positions. */
    private static BigDecimal covariance(double[] segment, double... places) {
        BigDecimal middle = new BigDecimal((places[0] + places[places.length - 1]) / 2);
        return scalar(segment, places).subtract(middle.multiply(sum(segment)));
    }

    private static double spread(double count) {
        return count * (count * count - 1);
    }

    private static double line(double[] segment, int begin, double... values) {
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

    private static Cost cost(InternalRow row, double... values) {
        return switch (row.getString(2)) {
            case "l2" -> (segment, begin) -> deviations(segment, values);
            case "normal" -> (segment, begin) -> normal(segment, values);
            case "l1" -> (segment, begin) -> absolute(segment, values);
            case "poisson" -> {
                if (Arrays.stream(values).anyMatch(value -> value < 0)) {
                    throw invalid();
                }
                yield (segment, begin) -> poisson(segment);
            }
            default -> throw invalid();
        };
    }

    private static double[][] table(double[] values, int minSize, Cost cost) {
        double[][] table = new double[values.length + 1][values.length + 1];
        for (int begin = 0; begin < values.length; begin++) {
            for (int end = begin + 1; end <= values.length; end++) {
                table[begin][end] =
                        end - begin < minSize ? NONE : cost.of(Arrays.copyOfRange(values, begin, end), begin);
            }
        }
        return table;
    }

    /** Returns the positions at which the segments of the best partition begin, without the first segment. */
    private static int[] optimal(double[] values, double penalty, int minSize, Cost cost) {
        if (values.length < 2L * minSize) {
            return new int[0];
        }
        double[][] table = table(values, minSize, cost);
        double[] best = new double[values.length + 1];
        int[] from = new int[values.length + 1];
        for (int end = 1; end <= values.length; end++) {
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
        for (int end = from[values.length]; end > 0; end = from[end]) {
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

    static Object changePoints(InternalRow row) {
        double[] values = values(row);
        return Values.array(optimal(values, penalty(row), minSize(row), cost(row, values)));
    }

    static Object changePointsByCriterion(InternalRow row) {
        double[] values = values(row);
        String cost = row.getUTF8String(2).toString();
        if (!row.getUTF8String(1).toString().equals("bic") || cost.equals("l1")) {
            throw invalid();
        }
        double parameter = values.length == 0 ? 0 : StrictMath.log(values.length);
        double penalty = (cost.equals("normal") ? 3 : 2) * parameter * (cost.equals("l2") ? variance(values) : 1);
        return Values.array(optimal(values, penalty, minSize(row), cost(row, values)));
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

    static Object changePointsOf(InternalRow row) {
        double[] values = values(row);
        int count = row.getInt(1);
        int minSize = minSize(row);
        Cost cost = cost(row, values);
        if (count < 0 || count > 0 && (count + 1L) * minSize > values.length) {
            throw invalid();
        }
        double[][] table = table(values, minSize, cost);
        double[][] best = new double[count + 1][values.length + 1];
        int[][] from = new int[count + 1][values.length + 1];
        for (int k = 0; k <= count; k++) {
            Arrays.fill(best[k], NONE);
            for (int end = 1; end <= values.length; end++) {
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
        for (int k = count, end = values.length; k > 0; k--) {
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
        int[] points = optimal(values, penalty, 2, (segment, begin) -> line(segment, begin, values));
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
