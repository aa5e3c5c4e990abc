package dev.bellman.knapsack;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Computes the dynamic-programming table over classes and capacities.
 *
 * <pre>{@code
 * value(k, c) = max over the options o of class k with weight(o) <= c of value(k - 1, c - weight(o)) + value(o)
 * }</pre>
 *
 * <p>The traceback from the last class and the whole capacity chooses, for each class, the first option that yields the
 * value. If all rows fit in a small amount of memory, all of them are stored. Otherwise, the problem is halved, after
 * Hirschberg, "A linear space algorithm for computing maximal common subsequences" (1975): the rows after the middle
 * contain, for each cell, the capacity at which the cell's traceback crosses the middle. The classes before the middle
 * then have this capacity, and the classes after the middle have the remaining capacity; each half is solved
 * separately. The two tracebacks together are the traceback of the whole problem: if a half had a different traceback
 * with an equal value and an earlier option, so would the whole problem.
 */
final class CapacityTable {
    /** The maximum capacity for which a row fits in an array. */
    static final int MAX_CAPACITY = Integer.MAX_VALUE - 9;

    static final long MAX_KEPT_BYTES = 1 << 26;

    /** The number of bytes that a row takes in addition to its cells. */
    private static final int BYTES_OF_A_ROW = 64;

    private final String function;
    private final Options options;
    private final boolean small;
    private final long keptBytes;
    private final Cancellation cancellation = new Cancellation();

    /**
     * @param mostKeptBytes the maximum total size of stored rows, in bytes
     * @throws dev.bellman.BellmanException if the rows do not fit in memory
     */
    CapacityTable(String function, Options options, int capacity, long mostKeptBytes) {
        this.function = function;
        this.options = options;
        small = isSmall(options, capacity);
        TaskMemory.take(
                function,
                bytes(options, capacity),
                "a smaller capacity or ",
                () -> "the two-row table for %,d classes and %,d capacities".formatted(options.classes(), capacity));
        keptBytes = Math.min(mostKeptBytes, TaskMemory.left() / 2);
        TaskMemory.take(function, keptBytes, "", () -> "its rows");
    }

    /** Returns the minimum size of a table in bytes: two rows and their origins. */
    static long bytes(Options options, int capacity) {
        return 2 * (capacity + 1L) * (bytesOfACell(isSmall(options, capacity)) + Integer.BYTES);
    }

    private static boolean isSmall(Options options, int capacity) {
        return options.areWorthAtMost(Integer.MAX_VALUE, capacity);
    }

    private static int bytesOfACell(boolean small) {
        return small ? Integer.BYTES : Long.BYTES;
    }

    /** Sets the index of the chosen option of each class from {@code first} (inclusive) to {@code end} (exclusive). */
    void choose(int first, int end, int capacity, int[] chosen) {
        if ((end - first + 1) * (BYTES_OF_A_ROW + (capacity + 1L) * bytesOfACell(small)) <= keptBytes) {
            chooseFromRows(first, end, capacity, chosen);
        } else if (end - first == 1) {
            chooseBest(first, capacity, chosen);
        } else {
            int middle = (first + end) >>> 1;
            int before = capacityAt(first, middle, end, capacity);
            choose(first, middle, before, chosen);
            choose(middle, end, capacity - before, chosen);
        }
    }

    private void chooseBest(int one, int capacity, int[] chosen) {
        long best = -1;
        for (int o = options.starts()[one]; o < options.starts()[one + 1]; o++) {
            if (options.weights()[o] <= capacity && options.values()[o] > best) {
                best = options.values()[o];
                chosen[one] = o - options.starts()[one];
            }
        }
    }

    private void chooseFromRows(int first, int end, int capacity, int[] chosen) {
        TableRow[] rows = new TableRow[end - first + 1];
        rows[0] = zeros(capacity);
        for (int k = first; k < end; k++) {
            rows[k - first + 1] = zeros(capacity);
            fill(k, capacity, rows[k - first], rows[k - first + 1]);
        }
        int c = capacity;
        for (int k = end - 1; k >= first; k--) {
            long value = rows[k - first + 1].at(c);
            int o = options.starts()[k];
            while (options.weights()[o] > c
                    || rows[k - first].at(c - (int) options.weights()[o]) + options.values()[o] != value) {
                o++;
            }
            chosen[k] = o - options.starts()[k];
            c -= (int) options.weights()[o];
        }
    }

    /** Returns the capacity at which the traceback from the end crosses the middle. */
    private int capacityAt(int first, int middle, int end, int capacity) {
        TableRow row = zeros(capacity);
        TableRow next = zeros(capacity);
        int[] origins = new int[capacity + 1];
        int[] nextOrigins = new int[capacity + 1];
        Arrays.setAll(origins, c -> c);
        for (int k = first; k < end; k++) {
            fill(k, capacity, row, next);
            if (k >= middle) {
                trace(k, capacity, row, next, origins, nextOrigins);
                int[] free = origins;
                origins = nextOrigins;
                nextOrigins = free;
            }
            TableRow free = row;
            row = next;
            next = free;
        }
        return origins[capacity];
    }

    private TableRow zeros(int capacity) {
        return TableRow.zeros(function, small, capacity + 1);
    }

    private void fill(int k, int capacity, TableRow before, TableRow row) {
        boolean laid = false;
        for (int o = options.starts()[k]; o < options.starts()[k + 1]; o++) {
            if (options.weights()[o] <= capacity) {
                int weight = (int) options.weights()[o];
                cancellation.count(capacity - weight + 1);
                if (laid) {
                    row.raise(before, weight, options.values()[o]);
                } else {
                    row.lay(before, weight, options.values()[o]);
                    laid = true;
                }
            }
        }
    }

    /**
     * Copies the origins of the options that yield the row's values. Handles the first option last, so that the first
     * option wins ties.
     */
    private void trace(int k, int capacity, TableRow before, TableRow row, int[] origins, int[] rowOrigins) {
        for (int o = options.starts()[k + 1] - 1; o >= options.starts()[k]; o--) {
            if (options.weights()[o] <= capacity) {
                int weight = (int) options.weights()[o];
                cancellation.count(capacity - weight + 1);
                row.trace(before, weight, options.values()[o], rowOrigins, origins);
            }
        }
    }
}
