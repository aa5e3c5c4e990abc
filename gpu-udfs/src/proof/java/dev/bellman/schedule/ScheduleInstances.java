package dev.bellman.schedule;

import dev.bellman.proof.Values;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;

/**
 * Generates series, intervals, demands and distances with few or many distinct numbers, some of which are near the
 * limit of 64 bits. Some rows contain values that must be rejected.
 */
final class ScheduleInstances {
    private static final int REJECTED = 200;

    private ScheduleInstances() {}

    private static long[] integers(SplittableRandom random, int count, boolean negative) {
        long most = Values.oneOf(random, 2L, 10L, 1_000L);
        return Values.longs(random, count, negative ? -most : 0, most);
    }

    /** Returns an array of integers, occasionally with NULL or with numbers near the limit of 64 bits. */
    private static ArrayData array(SplittableRandom random, long... values) {
        if (values.length > 0 && random.nextInt(REJECTED / 4) == 0) {
            for (int i = 0; i < values.length; i++) {
                values[i] = values[i] < 0 ? values[i] : Long.MAX_VALUE - random.nextInt(3);
            }
        }
        return Values.sometimesNull(random, Values.array(values), DataTypes.LongType);
    }

    private static double[] reals(SplittableRandom random, int count, boolean negative) {
        int kind = random.nextInt(3);
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            double value =
                    kind == 0 ? random.nextInt(4) : kind == 1 ? random.nextInt(100) / 10.0 : 9 * random.nextDouble();
            values[i] = negative && random.nextBoolean() ? -value : value;
        }
        return values;
    }

    private static ArrayData array(SplittableRandom random, double... values) {
        if (values.length > 0 && random.nextInt(REJECTED) == 0) {
            values[random.nextInt(values.length)] =
                    Values.oneOf(random, Double.NaN, Double.POSITIVE_INFINITY, Double.MAX_VALUE, -0.0);
        }
        return Values.sometimesNull(random, Values.array(values), DataTypes.DoubleType);
    }

    static InternalRow series(SplittableRandom random, int size, boolean real) {
        int count = Values.size(random, size);
        return Values.row(
                real ? array(random, reals(random, count, true)) : array(random, integers(random, count, true)));
    }

    static InternalRow intervals(SplittableRandom random, int size, boolean real) {
        int count = Values.size(random, size);
        double[] starts = reals(random, count, true);
        double[] ends = reals(random, count, false);
        long[] whole = new long[count];
        long[] wholeEnds = new long[count];
        for (int i = 0; i < count; i++) {
            double length = random.nextInt(REJECTED * 10) == 0 ? 0 : ends[i] + 1;
            ends[i] = starts[i] + length;
            whole[i] = Math.round(starts[i]);
            wholeEnds[i] = whole[i] + (long) length;
        }
        int weights = random.nextInt(REJECTED) == 0 ? count + 1 : count;
        boolean negative = random.nextInt(REJECTED) == 0;
        return real
                ? Values.row(
                        Values.sometimesNull(random, Values.array(starts), DataTypes.DoubleType),
                        Values.sometimesNull(random, Values.array(ends), DataTypes.DoubleType),
                        array(random, reals(random, weights, negative)))
                : Values.row(
                        Values.sometimesNull(random, Values.array(whole), DataTypes.LongType),
                        Values.sometimesNull(random, Values.array(wholeEnds), DataTypes.LongType),
                        array(random, integers(random, weights, negative)));
    }

    static InternalRow lots(SplittableRandom random, int size) {
        long[] demand = integers(random, Values.size(random, size), random.nextInt(REJECTED) == 0);
        return Values.row(array(random, demand), cost(random, 200), cost(random, 4));
    }

    private static Object cost(SplittableRandom random, int most) {
        return Values.sometimesNull(
                random,
                random.nextInt(REJECTED) == 0
                        ? Values.oneOf(random, -1L, Long.MAX_VALUE, Long.MAX_VALUE / 2)
                        : (long) random.nextInt(most));
    }

    static InternalRow tour(SplittableRandom random, int size) {
        int count = Math.min(Values.size(random, size), ShortestTour.MAX_PLACES);
        int places = count == 0 && random.nextInt(4) > 0 ? 1 : count;
        Object[] rows = new Object[places];
        double[] x = reals(random, places, true);
        double[] y = reals(random, places, true);
        int kind = random.nextInt(3);
        for (int i = 0; i < places; i++) {
            double[] distances = reals(random, places, kind == 2 && random.nextInt(4) == 0);
            for (int j = 0; j < places && kind == 0; j++) {
                distances[j] = Math.sqrt((x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]));
            }
            rows[i] = array(random, distances);
        }
        if (places > 0 && random.nextInt(REJECTED) == 0) {
            rows[random.nextInt(places)] = Values.array(new double[places + 1]);
        }
        return Values.row(Values.sometimesNull(random, Values.arrayOf(rows)));
    }
}
