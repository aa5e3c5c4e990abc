package dev.bellman.schedule;

import static dev.bellman.proof.Values.invalid;
import static dev.bellman.proof.Values.overflow;

import dev.bellman.proof.Values;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Defines the scheduling functions by recursion or by trying all possibilities. */
final class ScheduleTextbook {
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private ScheduleTextbook() {}

    private static long[] longs(ArrayData array) {
        if (Values.hasNull(array)) {
            throw invalid();
        }
        return array.toLongArray();
    }

    private static double[] reals(ArrayData array) {
        if (Values.hasNull(array)) {
            throw invalid();
        }
        double[] values = array.toDoubleArray();
        for (int i = 0; i < values.length; i++) {
            if (!Double.isFinite(values[i])) {
                throw invalid();
            }
            values[i] = values[i] == 0 ? 0 : values[i];
        }
        return values;
    }

    private static long fitting(BigInteger number) {
        if (number.compareTo(LARGEST) > 0) {
            throw overflow();
        }
        return number.longValue();
    }

    private static double fitting(double number) {
        if (!Double.isFinite(number)) {
            throw invalid();
        }
        return number;
    }

    static Object longestIncreasing(InternalRow row, boolean real) {
        double[] reals = real ? reals(row.getArray(0)) : null;
        long[] longs = real ? null : longs(row.getArray(0));
        int count = row.getArray(0).numElements();
        // for each value, the positions of the longest subsequence that ends with this value
        List<List<Integer>> best = new ArrayList<>();
        List<Integer> longest = List.of();
        for (int i = 0; i < count; i++) {
            List<Integer> before = List.of();
            for (int j = 0; j < i; j++) {
                boolean isLess = real ? reals[j] < reals[i] : longs[j] < longs[i];
                if (isLess && best.get(j).size() >= before.size()) {
                    before = best.get(j);
                }
            }
            List<Integer> with = new ArrayList<>(before);
            with.add(i);
            best.add(with);
            longest = with.size() >= longest.size() ? with : longest;
        }
        return Values.array(longest.stream().mapToInt(Integer::intValue).toArray());
    }

    static Object maximumSubarray(InternalRow row) {
        long[] values = longs(row.getArray(0));
        BigInteger best = null;
        int begin = 0;
        int end = 0;
        for (int to = 1; to <= values.length; to++) {
            BigInteger sum = BigInteger.ZERO;
            for (int from = to - 1; from >= 0; from--) {
                sum = sum.add(BigInteger.valueOf(values[from]));
                if (best == null || sum.compareTo(best) > 0) {
                    best = sum;
                    begin = from;
                    end = to;
                }
            }
        }
        if (best == null) {
            throw invalid();
        }
        return Values.row(fitting(best), begin, end);
    }

    /** Adds values from the first to the last, but restarts when the sum of the previous values is not positive. */
    static Object maximumSubarrayReal(InternalRow row) {
        double[] values = reals(row.getArray(0));
        double[] sums = values.clone();
        int[] begins = IntStream.range(0, values.length).toArray();
        int best = -1;
        for (int i = 0; i < values.length; i++) {
            if (i > 0 && sums[i - 1] > 0) {
                sums[i] = sums[i - 1] + values[i];
                begins[i] = begins[i - 1];
            }
            best = best < 0 || sums[i] > sums[best] ? i : best;
        }
        if (best < 0) {
            throw invalid();
        }
        return Values.row(fitting(sums[best]), begins[best], best + 1);
    }

    /** Checks that the three arrays have the same number of entries. */
    private static void checkLengths(InternalRow row) {
        int count = row.getArray(0).numElements();
        if (row.getArray(1).numElements() != count || row.getArray(2).numElements() != count) {
            throw invalid();
        }
    }

    static Object weightedSchedule(InternalRow row) {
        long[] starts = longs(row.getArray(0));
        long[] ends = longs(row.getArray(1));
        long[] weights = longs(row.getArray(2));
        checkLengths(row);
        int[] order = byEnd(
                starts.length,
                i -> weights[i] >= 0 && starts[i] < ends[i],
                Comparator.<Integer>comparingLong(i -> ends[i]).thenComparingLong(i -> starts[i]));
        BigInteger[] best = new BigInteger[order.length + 1];
        List<List<Integer>> items = new ArrayList<>(List.of(List.of()));
        best[0] = BigInteger.ZERO;
        for (int i = 0; i < order.length; i++) {
            int before = 0;
            while (ends[order[before]] <= starts[order[i]]) {
                before++;
            }
            BigInteger sum = best[before].add(BigInteger.valueOf(weights[order[i]]));
            if (sum.compareTo(best[i]) > 0) {
                best[i + 1] = sum;
                items.add(new ArrayList<>(items.get(before)));
                items.get(i + 1).add(order[i]);
            } else {
                best[i + 1] = best[i];
                items.add(items.get(i));
            }
        }
        return Values.row(fitting(best[order.length]), places(items.get(order.length)));
    }

    /** Checks the intervals and sorts their indices. */
    private static int[] byEnd(int count, IntPredicate isValid, Comparator<Integer> order) {
        if (!IntStream.range(0, count).allMatch(isValid)) {
            throw invalid();
        }
        return IntStream.range(0, count)
                .boxed()
                .sorted(order)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static ArrayData places(List<Integer> places) {
        return Values.array(places.stream().mapToInt(Integer::intValue).toArray());
    }

    static Object weightedScheduleReal(InternalRow row) {
        double[] starts = reals(row.getArray(0));
        double[] ends = reals(row.getArray(1));
        double[] weights = reals(row.getArray(2));
        checkLengths(row);
        int[] order = byEnd(
                starts.length,
                i -> !(weights[i] < 0) && !(ends[i] <= starts[i]),
                Comparator.<Integer>comparingDouble(i -> ends[i]).thenComparingDouble(i -> starts[i]));
        double[] best = new double[order.length + 1];
        List<List<Integer>> items = new ArrayList<>(List.of(List.of()));
        for (int i = 0; i < order.length; i++) {
            int before = 0;
            while (ends[order[before]] <= starts[order[i]]) {
                before++;
            }
            double sum = best[before] + weights[order[i]];
            best[i + 1] = Math.max(best[i], sum);
            items.add(sum > best[i] ? new ArrayList<>(items.get(before)) : items.get(i));
            if (sum > best[i]) {
                items.get(i + 1).add(order[i]);
            }
        }
        return Values.row(fitting(best[order.length]), places(items.get(order.length)));
    }

    static Object lotSizes(InternalRow row) {
        long[] demand = longs(row.getArray(0));
        BigInteger setup = BigInteger.valueOf(row.getLong(1));
        BigInteger holding = BigInteger.valueOf(row.getLong(2));
        if (setup.signum() < 0
                || holding.signum() < 0
                || IntStream.range(0, demand.length).anyMatch(i -> demand[i] < 0)) {
            throw invalid();
        }
        BigInteger all = BigInteger.ZERO;
        for (long units : demand) {
            all = all.add(BigInteger.valueOf(units));
        }
        fitting(all);
        fitting(lot(demand, 0, demand.length, setup, holding).shiftLeft(1).add(BigInteger.ONE));
        BigInteger[] best = new BigInteger[demand.length + 1];
        int[] from = new int[demand.length + 1];
        best[0] = BigInteger.ZERO;
        for (int end = 1; end <= demand.length; end++) {
            for (int start = 0; start < end; start++) {
                BigInteger cost = best[start].add(lot(demand, start, end, setup, holding));
                if (best[end] == null || cost.compareTo(best[end]) < 0) {
                    best[end] = cost;
                    from[end] = start;
                }
            }
            if (demand[end - 1] == 0) {
                best[end] = best[end - 1];
                from[end] = end - 1;
            }
        }
        long[] lots = new long[demand.length];
        for (int end = demand.length; end > 0; end = from[end]) {
            for (int i = from[end]; i < end; i++) {
                lots[from[end]] += demand[i];
            }
        }
        return Values.row(fitting(best[demand.length]), Values.array(lots));
    }

    /** Returns the cost of a lot that covers the demand from a start (inclusive) to an end (exclusive). */
    private static BigInteger lot(long[] demand, int start, int end, BigInteger setup, BigInteger holding) {
        BigInteger cost = setup;
        for (int i = start; i < end; i++) {
            cost = cost.add(BigInteger.valueOf(demand[i])
                    .multiply(BigInteger.valueOf(i - start))
                    .multiply(holding));
        }
        return cost;
    }

    static Object shortestTour(InternalRow row) {
        ArrayData rows = row.getArray(0);
        int count = rows.numElements();
        if (count == 0 || Values.hasNull(rows)) {
            throw invalid();
        }
        double[][] distances = new double[count][];
        for (int i = 0; i < count; i++) {
            distances[i] = reals(rows.getArray(i));
            if (distances[i].length != count) {
                throw invalid();
            }
        }
        if (count == 1) {
            return Values.row(0.0, Values.array(0));
        }
        Map<Integer, Way[]> ways = new HashMap<>();
        int all = (1 << count) - 2;
        Way best = null;
        for (int last = 1; last < count; last++) {
            Way way = way(ways, distances, all, last);
            double length = way.length() + distances[last][0];
            if (best == null || length < best.length()) {
                best = new Way(length, way.places());
            }
        }
        return Values.row(fitting(best.length()), places(best.places()));
    }

    private record Way(double length, List<Integer> places) {}

    /**
     * Returns the shortest path that starts at place 0, visits all places in a set, and ends at the place {@code last}
     * of the set.
     */
    private static Way way(Map<Integer, Way[]> ways, double[][] distances, int set, int last) {
        Way[] found = ways.computeIfAbsent(set, any -> new Way[distances.length]);
        if (found[last] == null) {
            int before = set & ~(1 << last);
            Way best = before == 0 ? new Way(distances[0][last], List.of(0)) : null;
            for (int i = 1; i < distances.length; i++) {
                if ((before >> i & 1) == 1) {
                    Way way = way(ways, distances, before, i);
                    double length = way.length() + distances[i][last];
                    if (best == null || length < best.length()) {
                        best = new Way(length, way.places());
                    }
                }
            }
            List<Integer> places = new ArrayList<>(best.places());
            places.add(last);
            found[last] = new Way(best.length(), places);
        }
        return found[last];
    }
}
