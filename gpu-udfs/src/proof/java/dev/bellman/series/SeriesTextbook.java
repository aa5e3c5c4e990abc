package dev.bellman.series;

import static dev.bellman.proof.Values.invalid;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Defines the functions on time series by complete tables. */
final class SeriesTextbook {
    private static final double NONE = Double.POSITIVE_INFINITY;

    /** Computes a cell for two points from the three previous cells. */
    private interface Cell {
        double of(double before, double above, double left, double[] p, double[] q);
    }

    /** Computes a cell of the border from the previous cell; {@code point} is not matched with any point. */
    private interface Border {
        double of(double before, double[] point);
    }

    private static final Border CLOSED = (before, point) -> NONE;

    private SeriesTextbook() {}

    private static double[][] points(ArrayData array, boolean points) {
        double[][] values = new double[array.numElements()][];
        for (int i = 0; i < values.length; i++) {
            if (array.isNullAt(i)) {
                throw invalid();
            }
            if (points) {
                ArrayData point = array.getArray(i);
                if (Values.hasNull(point) || point.numElements() == 0) {
                    throw invalid();
                }
                values[i] = point.toDoubleArray();
            } else {
                values[i] = new double[] {array.getDouble(i)};
            }
            if (values[i].length != values[0].length || Arrays.stream(values[i]).anyMatch(x -> !Double.isFinite(x))) {
                throw invalid();
            }
        }
        return values;
    }

    private static double[][][] pair(InternalRow row, boolean points, boolean empty) {
        double[][] a = points(row.getArray(0), points);
        double[][] b = points(row.getArray(1), points);
        if (!empty && (a.length == 0 || b.length == 0) || a.length > 0 && b.length > 0 && a[0].length != b[0].length) {
            throw invalid();
        }
        return new double[][][] {a, b};
    }

    private static int band(InternalRow row, int place) {
        int band = row.getInt(place);
        if (band < 0) {
            throw invalid();
        }
        return band;
    }

    private static boolean isSquared(InternalRow row, int place) {
        int power = row.getInt(place);
        if (power != 1 && power != 2) {
            throw invalid();
        }
        return power == 2;
    }

    private static double[][] table(double[][] a, double[][] b, int band, Cell cell, Border side, Border top) {
        long lowest = Math.min(0, b.length - a.length) - (long) band;
        long highest = Math.max(0, b.length - a.length) + (long) band;
        double[][] table = new double[a.length + 1][b.length + 1];
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                if (i == 0 && j == 0) {
                    table[i][j] = 0;
                } else if (j - i < lowest || j - i > highest) {
                    table[i][j] = NONE;
                } else if (j == 0) {
                    table[i][j] = side.of(table[i - 1][0], a[i - 1]);
                } else if (i == 0) {
                    table[i][j] = top.of(table[0][j - 1], b[j - 1]);
                } else {
                    table[i][j] = cell.of(table[i - 1][j - 1], table[i - 1][j], table[i][j - 1], a[i - 1], b[j - 1]);
                }
            }
        }
        return table;
    }

    private static double least(double x, double y, double z) {
        return Math.min(x, Math.min(y, z));
    }

    private static double squares(double start, double[] p, double[] q) {
        double sum = start;
        for (int k = 0; k < p.length; k++) {
            sum = Math.fma(p[k] - q[k], p[k] - q[k], sum);
        }
        return sum;
    }

    private static double differences(double start, double[] p, double[] q) {
        double sum = start;
        for (int k = 0; k < p.length; k++) {
            sum += Math.abs(p[k] - q[k]);
        }
        return sum;
    }

    private static double[][] warping(double[][][] pair, int band, boolean squared, Border top) {
        return table(
                pair[0],
                pair[1],
                band,
                (before, above, left, p, q) -> squared
                        ? squares(least(before, above, left), p, q)
                        : differences(least(before, above, left), p, q),
                CLOSED,
                top);
    }

    static Object dtw(InternalRow row, boolean points) {
        double[][][] pair = pair(row, points, false);
        boolean squared = isSquared(row, 4);
        double max = row.getDouble(3);
        if (Double.isNaN(max)) {
            throw invalid();
        }
        double sum = last(warping(pair, band(row, 2), squared, CLOSED));
        double distance = squared ? Math.sqrt(sum) : sum;
        return distance > max ? NONE : distance;
    }

    /** Computes {@code dtw} with every cell in FLOAT. */
    static Object dtwOfFloats(InternalRow row) {
        double[][] a = points(widened(row.getArray(0)), false);
        double[][] b = points(widened(row.getArray(1)), false);
        boolean squared = isSquared(row, 4);
        double max = row.getDouble(3);
        if (a.length == 0 || b.length == 0 || Double.isNaN(max)) {
            throw invalid();
        }
        Cell cell = (before, above, left, p, q) -> {
            float least = (float) least(before, above, left);
            float d = (float) p[0] - (float) q[0];
            return squared ? Math.fma(d, d, least) : least + Math.abs(d);
        };
        double sum = last(table(a, b, band(row, 2), cell, CLOSED, CLOSED));
        double distance = squared ? Math.sqrt(sum) : sum;
        return distance > max ? NONE : distance;
    }

    private static ArrayData widened(ArrayData floats) {
        Object[] doubles = new Object[floats.numElements()];
        Arrays.setAll(doubles, i -> floats.isNullAt(i) ? null : Double.valueOf(floats.getFloat(i)));
        return Values.arrayOf(doubles);
    }

    private static double last(double[][] table) {
        double[] row = table[table.length - 1];
        return row[row.length - 1];
    }

    static Object dtwPath(InternalRow row, boolean points) {
        double[][][] pair = pair(row, points, false);
        boolean squared = isSquared(row, 3);
        double[][] table = warping(pair, band(row, 2), squared, CLOSED);
        double sum = finite(last(table));
        List<Object> path = new ArrayList<>();
        int i = pair[0].length;
        int j = pair[1].length;
        while (i > 0) {
            path.add(0, Values.row(i - 1, j - 1));
            int[] from = from(table, i, j);
            i = from[0];
            j = from[1];
        }
        return Values.row(squared ? Math.sqrt(sum) : sum, Values.arrayOf(path.toArray()));
    }

    private static double finite(double sum) {
        if (Double.isInfinite(sum)) {
            throw invalid();
        }
        return sum;
    }

    /**
     * Returns the predecessor of a cell: the neighbour with the smallest value. Ties: the diagonal neighbour, then the
     * cell above, then the cell to the left.
     */
    private static int[] from(double[][] table, int i, int j) {
        int[] from = {i - 1, j - 1};
        for (int[] other : new int[][] {{i - 1, j}, {i, j - 1}}) {
            from = table[other[0]][other[1]] < table[from[0]][from[1]] ? other : from;
        }
        return from;
    }

    static Object dtwSearch(InternalRow row, boolean points) {
        double[][][] pair = pair(row, points, false);
        boolean squared = isSquared(row, 2);
        double[][] table = warping(pair, Integer.MAX_VALUE, squared, (before, point) -> 0);
        int n = pair[0].length;
        int end = 1;
        for (int j = 1; j <= pair[1].length; j++) {
            end = table[n][j] < table[n][end] ? j : end;
        }
        double sum = finite(table[n][end]);
        int i = n;
        int j = end;
        while (i > 1) {
            int[] from = from(table, i, j);
            i = from[0];
            j = from[1];
        }
        return Values.row(squared ? Math.sqrt(sum) : sum, j - 1, end);
    }

    private static double tolerance(InternalRow row) {
        double tolerance = row.getDouble(2);
        if (!(tolerance >= 0 && tolerance < NONE)) {
            throw invalid();
        }
        return tolerance;
    }

    private static boolean matches(double[] p, double[] q, double tolerance) {
        for (int k = 0; k < p.length; k++) {
            if (!(Math.abs(p[k] - q[k]) <= tolerance)) {
                return false;
            }
        }
        return true;
    }

    static Object lcss(InternalRow row, boolean points) {
        double[][][] pair = pair(row, points, true);
        double tolerance = tolerance(row);
        Cell cell = (before, above, left, p, q) -> least(before - (matches(p, q, tolerance) ? 1 : 0), above, left);
        Border border = (before, point) -> before;
        return (int) -last(table(pair[0], pair[1], band(row, 3), cell, border, border));
    }

    static Object edr(InternalRow row, boolean points) {
        double[][][] pair = pair(row, points, true);
        double tolerance = tolerance(row);
        Cell cell =
                (before, above, left, p, q) -> least(before + (matches(p, q, tolerance) ? 0 : 1), above + 1, left + 1);
        Border border = (before, point) -> before + 1;
        return (int) last(table(pair[0], pair[1], band(row, 3), cell, border, border));
    }

    static Object erp(InternalRow row, boolean points) {
        double[][][] pair = pair(row, points, true);
        double value = row.getDouble(2);
        if (!Double.isFinite(value)) {
            throw invalid();
        }
        Cell cell = (before, above, left, p, q) -> least(
                before + differences(0, p, q),
                above + differences(0, p, gap(p, value)),
                left + differences(0, q, gap(q, value)));
        Border border = (before, point) -> before + differences(0, point, gap(point, value));
        return last(table(pair[0], pair[1], band(row, 3), cell, border, border));
    }

    private static double[] gap(double[] point, double value) {
        double[] gap = new double[point.length];
        Arrays.fill(gap, value);
        return gap;
    }

    static Object frechet(InternalRow row, boolean points) {
        double[][][] pair = pair(row, points, false);
        Cell cell = (before, above, left, p, q) -> Math.max(squares(0, p, q), least(before, above, left));
        return Math.sqrt(last(table(pair[0], pair[1], Integer.MAX_VALUE, cell, CLOSED, CLOSED)));
    }

    static Object softDtw(InternalRow row, boolean points) {
        double[][][] pair = pair(row, points, false);
        double gamma = row.getDouble(2);
        if (!(gamma > 0 && gamma < NONE)) {
            throw invalid();
        }
        Cell cell = (before, above, left, p, q) -> {
            double least = least(before, above, left);
            double soft = Double.isInfinite(least)
                    ? least
                    : least
                            - gamma
                                    * StrictMath.log(StrictMath.exp((least - before) / gamma)
                                            + StrictMath.exp((least - above) / gamma)
                                            + StrictMath.exp((least - left) / gamma));
            return squares(0, p, q) + soft;
        };
        return last(table(pair[0], pair[1], Integer.MAX_VALUE, cell, CLOSED, CLOSED));
    }

    static Object zNormalized(InternalRow row, boolean points) {
        double[][] values = points(row.getArray(0), points);
        int n = values.length;
        for (int k = 0; n > 0 && k < values[0].length; k++) {
            int dimension = k;
            double sum = 0;
            for (double[] point : values) {
                sum += point[k];
            }
            double mean = sum / n;
            double squares = 0;
            for (double[] point : values) {
                squares = Math.fma(point[k] - mean, point[k] - mean, squares);
            }
            double deviation = Math.sqrt(squares / n);
            double first = values[0][k];
            boolean equal = Arrays.stream(values).allMatch(point -> point[dimension] == first);
            if (!equal && !(deviation > 0 && Double.isFinite(deviation))) {
                throw invalid();
            }
            for (double[] point : values) {
                point[k] = equal ? 0 : (point[k] - mean) / deviation;
            }
        }
        Object[] answer = new Object[n];
        for (int i = 0; i < n; i++) {
            answer[i] = points ? Values.array(values[i]) : (Object) values[i][0];
        }
        return Values.arrayOf(answer);
    }
}
