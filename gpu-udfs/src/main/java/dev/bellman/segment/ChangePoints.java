package dev.bellman.segment;

import dev.bellman.columns.TaskMemory;

/**
 * Finds the change points of a series: the positions at which the second and later segments of a partition with minimum
 * cost begin.
 */
public final class ChangePoints {
    /** Both strategies find the same partition. */
    public enum Strategy {
        /**
         * Skips starts that cannot be part of the best partition of a prefix, as described in {@link BoundedSearch} and
         * {@link LevelSearch}.
         */
        AUTO,
        /** Tries every start. */
        SERIAL
    }

    private ChangePoints() {}

    /** Returns the change points that minimize the cost including a penalty for each segment. */
    static int[] of(SegmentCost cost, int count, int minSize, double penalty, Strategy strategy) {
        if (minSize > count / 2) {
            return new int[0];
        }
        Partition partition = new Partition(cost, count, minSize, strategy == Strategy.AUTO);
        double[] costs = partition.empty();
        int[] starts = new int[count + 1];
        partition.solve(costs, costs, penalty, starts);
        int[] reversed = new int[count];
        int found = 0;
        for (int start = starts[count]; start > 0; start = starts[start]) {
            reversed[found++] = start;
        }
        int[] points = new int[found];
        for (int i = 0; i < found; i++) {
            points[i] = reversed[found - 1 - i];
        }
        return points;
    }

    /** Returns the given number of change points that minimize the cost. */
    static int[] ofNumber(String function, SegmentCost cost, int count, int minSize, int number, Strategy strategy) {
        TaskMemory.take(
                function,
                (long) Integer.BYTES * (count + 1) * (number + 1),
                "",
                () -> "a table for %,d segments and %,d values".formatted(number + 1, count));
        Partition partition = new Partition(cost, count, minSize, strategy == Strategy.AUTO);
        double[] source = partition.empty();
        double[] target = new double[count + 1];
        int[][] starts = new int[number + 1][count + 1];
        for (int segments = 0; segments <= number; segments++) {
            partition.solve(source, target, 0, starts[segments]);
            double[] free = source;
            source = target;
            target = free;
        }
        int[] points = new int[number];
        int end = count;
        for (int i = number - 1; i >= 0; i--) {
            end = starts[i + 1][end];
            points[i] = end;
        }
        return points;
    }
}
