package dev.bellman.knapsack;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Arrays;

/** A row of the table: the maximum value of the classes so far, for each capacity. */
interface TableRow {
    /**
     * Applies the first option of a class: cells at or above the option's weight get a value from the previous row; the
     * other cells have no value.
     */
    void lay(TableRow before, int weight, long value);

    /** Applies another option of the class. */
    void raise(TableRow before, int weight, long value);

    /** For each cell whose value the option yields, copies the origin of the corresponding cell in the previous row. */
    void trace(TableRow before, int weight, long value, int[] origins, int[] originsBefore);

    long at(int capacity);

    /** Creates a row of zeros, which is the table's row for no classes. */
    static TableRow zeros(String function, boolean small, int cells) {
        return small ? new Ints(new int[cells]) : new Longs(function, new long[cells]);
    }

    /** A row whose values fit in 31 bits. Its loops compile to vector instructions. */
    record Ints(int[] cells) implements TableRow {
        @Override
        public void lay(TableRow before, int weight, long value) {
            int[] source = ((Ints) before).cells;
            Arrays.fill(cells, 0, weight, -1);
            int add = (int) value;
            for (int c = weight; c < cells.length; c++) {
                cells[c] = source[c - weight] + add;
            }
        }

        @Override
        public void raise(TableRow before, int weight, long value) {
            int[] source = ((Ints) before).cells;
            int add = (int) value;
            for (int c = weight; c < cells.length; c++) {
                cells[c] = Math.max(cells[c], source[c - weight] + add);
            }
        }

        @Override
        public void trace(TableRow before, int weight, long value, int[] origins, int[] originsBefore) {
            int[] source = ((Ints) before).cells;
            int add = (int) value;
            for (int c = weight; c < cells.length; c++) {
                origins[c] = source[c - weight] + add == cells[c] ? originsBefore[c - weight] : origins[c];
            }
        }

        @Override
        public long at(int capacity) {
            return cells[capacity];
        }
    }

    /**
     * A row of 64-bit values. Overflow of any cell is an error, because values never decrease as the capacity and the
     * number of classes grow.
     */
    record Longs(String function, long[] cells) implements TableRow {
        @Override
        public void lay(TableRow before, int weight, long value) {
            long[] source = ((Longs) before).cells;
            Arrays.fill(cells, 0, weight, -1);
            long signs = 0;
            for (int c = weight; c < cells.length; c++) {
                cells[c] = source[c - weight] + value;
                signs |= cells[c];
            }
            checked(function, signs);
        }

        @Override
        public void raise(TableRow before, int weight, long value) {
            long[] source = ((Longs) before).cells;
            long signs = 0;
            for (int c = weight; c < cells.length; c++) {
                long raised = source[c - weight] + value;
                signs |= raised;
                cells[c] = Math.max(cells[c], raised);
            }
            checked(function, signs);
        }

        @Override
        public void trace(TableRow before, int weight, long value, int[] origins, int[] originsBefore) {
            long[] source = ((Longs) before).cells;
            for (int c = weight; c < cells.length; c++) {
                origins[c] = source[c - weight] + value == cells[c] ? originsBefore[c - weight] : origins[c];
            }
        }

        @Override
        public long at(int capacity) {
            return cells[capacity];
        }
    }

    /** Checks a sum of two non-negative numbers, or the bitwise OR of several such sums, for overflow. */
    static long checked(String function, long sum) {
        if (sum < 0) {
            throw overflow(function);
        }
        return sum;
    }

    static BellmanException overflow(String function) {
        return new BellmanException(
                ErrorCode.BELLMAN_OVERFLOW,
                ("%s: the value exceeds %d, the maximum BIGINT value; use smaller values, or try_%s, which returns "
                                + "NULL")
                        .formatted(function, Long.MAX_VALUE, function));
    }
}
