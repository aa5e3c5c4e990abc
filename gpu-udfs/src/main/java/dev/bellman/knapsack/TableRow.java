package dev.bellman.knapsack;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Arrays;

/** A row of the table: for each capacity the greatest value, for classes up to one. */
interface TableRow {
    /** The first option of a class: cells from its weight on, by the row before; the others have no value. */
    void lay(TableRow before, int weight, long value);

    /** A further option. */
    void raise(TableRow before, int weight, long value);

    /** Where the option gives the cell's value, the origin of the cell that it came from. */
    void trace(TableRow before, int weight, long value, int[] origins, int[] originsBefore);

    long at(int capacity);

    /** A new row of zeros: no class yet. */
    static TableRow zeros(String function, boolean small, int cells) {
        return small ? new Ints(new int[cells]) : new Longs(function, new long[cells]);
    }

    /** Where no value exceeds 31 bits. Its loops are such as the compiler turns into vector instructions. */
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

    /** In 64 bits. A cell beyond them is an error: a greater capacity and more classes have no smaller value. */
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

    /** A sum of two numbers that are not negative, or several by their common sign. */
    static long checked(String function, long sum) {
        if (sum < 0) {
            throw overflow(function);
        }
        return sum;
    }

    static BellmanException overflow(String function) {
        return new BellmanException(
                ErrorCode.BELLMAN_OVERFLOW,
                ("%s: the value exceeds %d, the most that a BIGINT holds; use smaller values, or try_%s, which "
                                + "returns NULL")
                        .formatted(function, Long.MAX_VALUE, function));
    }
}
