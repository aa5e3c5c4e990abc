package dev.bellman.align.names;

import dev.bellman.align.subsequence.LongestCommonSubsequence;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * The smallest total cost of insertions, deletions and substitutions that turn one string into another, with a cost for
 * each kind of edit and, optionally, individual costs for some substitutions: Wagner and Fischer, "The string-to-string
 * correction problem" (1974).
 *
 * <p>The costs along an edit path are added in DOUBLE, starting at the path's beginning. If all costs are small
 * multiples of a power of two, all sums are exact, and the table is computed in integers, without the strings' common
 * prefix and suffix. If, in addition, all substitutions have the same cost, which is at least that of a deletion plus
 * an insertion, the distance is computed from the longest common subsequence instead of the table.
 */
public final class WeightedEditDistance {
    /** Both strategies return the same distance. */
    public enum Strategy {
        /** Computes in integers if all sums are exact and fit. */
        AUTO,
        /** Computes in DOUBLE. */
        SERIAL
    }

    /** The maximum sum of costs, in units, that is computed in an {@code int}. */
    private static final double MAX_SUM = 1 << 30;

    private final int[] a;
    private final int[] b;
    private final EditCosts costs;
    private final Cancellation cancellation = new Cancellation();

    private WeightedEditDistance(int[] a, int[] b, EditCosts costs) {
        this.a = a;
        this.b = b;
        this.costs = costs;
    }

    static double distance(int[] a, int[] b, EditCosts costs, Strategy strategy) {
        double unit = costs.unit();
        if (strategy == Strategy.SERIAL
                || unit == 0
                || costs.largest() / unit * ((double) a.length + b.length + 1) > MAX_SUM) {
            return new WeightedEditDistance(a, b, costs).inDoubles();
        }
        double apart = costs.insert() + costs.delete();
        if (costs.count() == 1 && costs.substitutions()[0] >= apart) {
            // if a substitution costs at least as much as a deletion plus an insertion, it is never better than these
            int common = LongestCommonSubsequence.length(a, b, LongestCommonSubsequence.Strategy.AUTO);
            return (a.length - common) * costs.delete() + (b.length - common) * costs.insert();
        }
        int shorter = Math.min(a.length, b.length);
        int prefix = Arrays.mismatch(a, 0, shorter, b, 0, shorter);
        prefix = prefix < 0 ? shorter : prefix;
        int suffix = 0;
        while (suffix < shorter - prefix && a[a.length - 1 - suffix] == b[b.length - 1 - suffix]) {
            suffix++;
        }
        return new WeightedEditDistance(
                                Arrays.copyOfRange(a, prefix, a.length - suffix),
                                Arrays.copyOfRange(b, prefix, b.length - suffix),
                                costs)
                        .inUnits(unit)
                * unit;
    }

    private void take(int each) {
        TaskMemory.take(
                Integer.BYTES * ((long) a.length + b.length) + (long) each * (b.length + 1L),
                () -> "a row of the table for %,d characters".formatted(b.length));
    }

    private double inDoubles() {
        take(Double.BYTES);
        int[] rows = costs.numbers(a);
        int[] columns = costs.numbers(b);
        double[] table = costs.substitutions();
        double[] row = new double[b.length + 1];
        for (int j = 1; j <= b.length; j++) {
            row[j] = row[j - 1] + costs.insert();
        }
        for (int i = 0; i < a.length; i++) {
            cancellation.count(b.length);
            int from = rows[i] * costs.count();
            double diagonal = row[0];
            row[0] += costs.delete();
            for (int j = 0; j < b.length; j++) {
                double substituted = diagonal + (a[i] == b[j] ? 0 : table[from + columns[j]]);
                diagonal = row[j + 1];
                row[j + 1] = Math.min(substituted, Math.min(diagonal + costs.delete(), row[j] + costs.insert()));
            }
        }
        return row[b.length];
    }

    private int inUnits(double unit) {
        take(Integer.BYTES);
        int[] rows = costs.numbers(a);
        int[] columns = costs.numbers(b);
        int[] table = costs.inUnits();
        int insert = (int) (costs.insert() / unit);
        int delete = (int) (costs.delete() / unit);
        int[] row = new int[b.length + 1];
        for (int j = 1; j <= b.length; j++) {
            row[j] = j * insert;
        }
        for (int i = 0; i < a.length; i++) {
            cancellation.count(b.length);
            int from = rows[i] * costs.count();
            int diagonal = row[0];
            int left = diagonal + delete;
            row[0] = left;
            int character = a[i];
            for (int j = 0; j < b.length; j++) {
                int substituted = diagonal + (character == b[j] ? 0 : table[from + columns[j]]);
                diagonal = row[j + 1];
                left = Math.min(Math.min(substituted, diagonal + delete), left + insert);
                row[j + 1] = left;
            }
        }
        return row[b.length];
    }
}
