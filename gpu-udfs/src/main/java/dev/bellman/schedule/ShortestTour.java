package dev.bellman.schedule;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Finds the shortest tour from place 0 through all other places and back, after Held and Karp, "A dynamic programming
 * approach to sequencing problems" (1962).
 *
 * <pre>{@code
 * length(S, j) = min over i in S - {j} of length(S - {j}, i) + distance(i, j)
 * }</pre>
 *
 * <p>Here, {@code length(S, j)} is the length of the shortest path from place 0 through all places of {@code S} that
 * ends in {@code j}. If {@code S} contains only {@code j}, this is the distance from place 0. Distances are added in
 * the order of the tour, and each addition is rounded.
 */
public final class ShortestTour {
    /** Both strategies find the same tour. */
    public enum Strategy {
        /** Fills the table for all sets, in ascending order of the numbers that represent the sets. */
        AUTO,
        /** Recurses from the whole set and computes each entry on demand. */
        SERIAL
    }

    static final int MAX_PLACES = 20;

    private final int others;
    /**
     * The distances between places. The distance from place {@code i + 1} to place {@code j + 1} is at {@code j *
     * others + i}, where {@code others} is the number of places minus 1.
     */
    private final double[] distances;

    private final double[] first;
    private final double[] back;
    /** The table. The length for set {@code S} and last place {@code j + 1} is at {@code S * others + j}. */
    private final double[] lengths;

    private final Cancellation cancellation = new Cancellation();

    private ShortestTour(String function, double[]... matrix) {
        others = matrix.length - 1;
        TaskMemory.take(
                function, (long) Double.BYTES * others << others, "", () -> "the table for the subsets of %d places"
                        .formatted(matrix.length));
        distances = new double[others * others];
        first = new double[others];
        back = new double[others];
        for (int j = 0; j < others; j++) {
            first[j] = matrix[0][j + 1];
            back[j] = matrix[j + 1][0];
            for (int i = 0; i < others; i++) {
                distances[j * others + i] = matrix[i + 1][j + 1];
            }
        }
        lengths = new double[others << others];
    }

    /** The length of a tour and its places in order, starting with 0. */
    record Tour(double length, int[] places) {}

    /**
     * Returns the shortest tour. Ties: the tour with the smallest last place wins, then the tour with the smallest
     * place before it, and so on.
     */
    static Tour of(String function, Strategy strategy, double[]... matrix) {
        if (matrix.length == 1) {
            return new Tour(0, new int[] {0});
        }
        ShortestTour tour = new ShortestTour(function, matrix);
        int all = (1 << tour.others) - 1;
        if (strategy == Strategy.SERIAL) {
            Arrays.fill(tour.lengths, Double.NaN);
            for (int last = 0; last < tour.others; last++) {
                tour.recurse(all, last);
            }
        } else {
            for (int set = 1; set <= all; set++) {
                tour.solve(set);
            }
        }
        return tour.trace(all);
    }

    private void solve(int set) {
        cancellation.count((long) others * others);
        for (int rest = set; rest != 0; rest &= rest - 1) {
            int last = Integer.numberOfTrailingZeros(rest);
            int before = set & ~(1 << last);
            lengths[set * others + last] = before == 0 ? first[last] : shortest(before, last);
        }
    }

    private double shortest(int set, int to) {
        double least = Double.POSITIVE_INFINITY;
        for (int rest = set; rest != 0; rest &= rest - 1) {
            int i = Integer.numberOfTrailingZeros(rest);
            least = Math.min(least, lengths[set * others + i] + distances[to * others + i]);
        }
        return least;
    }

    private double recurse(int set, int last) {
        int at = set * others + last;
        if (Double.isNaN(lengths[at])) {
            cancellation.count(others);
            int before = set & ~(1 << last);
            double least = before == 0 ? first[last] : Double.POSITIVE_INFINITY;
            for (int rest = before; rest != 0; rest &= rest - 1) {
                int i = Integer.numberOfTrailingZeros(rest);
                least = Math.min(least, recurse(before, i) + distances[last * others + i]);
            }
            lengths[at] = least;
        }
        return lengths[at];
    }

    private Tour trace(int all) {
        int[] places = new int[others + 1];
        double length = Double.POSITIVE_INFINITY;
        int last = 0;
        for (int j = 0; j < others; j++) {
            double sum = lengths[all * others + j] + back[j];
            if (sum < length) {
                length = sum;
                last = j;
            }
        }
        int set = all;
        for (int place = others; place > 0; place--) {
            places[place] = last + 1;
            double left = lengths[set * others + last];
            set &= ~(1 << last);
            int to = last;
            for (int rest = set; rest != 0; rest &= rest - 1) {
                int i = Integer.numberOfTrailingZeros(rest);
                if (lengths[set * others + i] + distances[to * others + i] == left) {
                    last = i;
                    break;
                }
            }
        }
        return new Tour(length, places);
    }
}
