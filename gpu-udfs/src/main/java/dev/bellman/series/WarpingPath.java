package dev.bellman.series;

import dev.bellman.columns.TaskMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Traces the path through a solved {@link SeriesTable} that ends at a given cell, from this cell backwards. The
 * predecessor of a cell is the minimum of the three cells from which it is computed. Ties: the diagonal cell wins, then
 * the cell above. The path begins anywhere in row 1 if {@code a} may be aligned with any part of {@code b}, and
 * otherwise in the first cell.
 *
 * <p>{@link #to} solves a table of more than {@value #MAX_KEPT} cells twice. The first pass stores two consecutive
 * diagonals at regular intervals. The second pass recomputes and stores all diagonals between two such pairs, from the
 * last interval to the first.
 */
final class WarpingPath {
    private static final int MAX_KEPT = 1 << 20;

    /** Stored consecutive diagonals, each with one additional cell on either side. */
    private record Kept(int from, List<double[]> diagonals, int[] begins) {
        double at(int d, int i) {
            double[] cells = diagonals.get(d - from);
            int place = i - begins[d - from];
            return place < 0 || place >= cells.length ? SeriesTable.NONE : cells[place];
        }
    }

    private final SeriesTable table;
    private final int lastRow;
    private final int lastColumn;
    private final int block;
    private final List<int[]> cells = new ArrayList<>();

    private WarpingPath(SeriesTable table, int lastRow, int lastColumn) {
        this.table = table;
        this.lastRow = lastRow;
        this.lastColumn = lastColumn;
        int diagonals = lastRow + lastColumn;
        block = table.cells() <= MAX_KEPT ? diagonals + 1 : (int) Math.ceil(Math.sqrt(2.0 * diagonals));
    }

    /** Returns the cells of the path to a cell, counted from 1, as pairs {@code {i, j}}. */
    static List<int[]> to(SeriesTable table, int lastRow, int lastColumn) {
        return new WarpingPath(table, lastRow, lastColumn).find();
    }

    /** Like {@link #to} for a cell of the last row, but computes and stores all rows of the table. */
    static List<int[]> ofRows(SeriesTable table, int lastColumn) {
        TaskMemory.take(
                (long) Double.BYTES * (table.rows() + 1) * (table.columns() + 1),
                () -> "a table for %,d by %,d points".formatted(table.rows(), table.columns()));
        double[][] rows = table.allRows();
        WarpingPath path = new WarpingPath(table, table.rows(), lastColumn);
        int i = table.rows();
        int j = lastColumn;
        path.cells.add(new int[] {i, j});
        while (!path.begins(i, j)) {
            int step = step(rows[i - 1][j - 1], rows[i - 1][j], rows[i][j - 1]);
            i -= step & 1;
            j -= step >> 1;
            path.cells.add(new int[] {i, j});
        }
        return path.reversed();
    }

    private boolean begins(int i, int j) {
        return i == 1 && (table.beginsAnywhere || j == 1);
    }

    /**
     * Returns the step to a cell: 1 if it consumes a point of {@code a}, plus 2 if it consumes a point of {@code b}.
     */
    private static int step(double before, double above, double left) {
        return before <= above && before <= left ? 3 : above <= left ? 1 : 2;
    }

    private List<int[]> find() {
        SeriesDiagonals diagonals = new SeriesDiagonals(table);
        int end = lastRow + lastColumn;
        takeMemory(end);
        // pair p consists of the diagonals p * block and p * block + 1
        List<Kept> pairs = new ArrayList<>();
        pairs.add(keep(diagonals, 0, 1));
        for (int d = 1; d < end - end % block + 1 && d < end; ) {
            d = diagonals.next();
            if (d % block == 1) {
                pairs.add(keep(diagonals, d - 1, d));
            }
        }
        int i = lastRow;
        int j = lastColumn;
        for (int p = pairs.size() - 1; p >= 0; p--) {
            Kept kept = between(diagonals, pairs.remove(p), Math.min(end, (p + 1) * block + 1));
            // a step needs two diagonals before it
            while (i + j >= kept.from() + 2) {
                cells.add(new int[] {i, j});
                if (begins(i, j)) {
                    return reversed();
                }
                int d = i + j;
                int step = step(kept.at(d - 2, i - 1), kept.at(d - 1, i - 1), kept.at(d - 1, i));
                i -= step & 1;
                j -= step >> 1;
            }
        }
        throw new IllegalStateException("the path has no beginning");
    }

    private List<int[]> reversed() {
        Collections.reverse(cells);
        return cells;
    }

    private void takeMemory(int end) {
        long width =
                Math.min(Math.min(table.rows(), table.columns()), ((long) table.highest - table.lowest) / 2 + 1) + 2;
        long diagonals = Math.min(end + 1L, block + 2L + 2L * end / block);
        TaskMemory.take(
                Double.BYTES * Math.min(diagonals * width, table.cells() + 4L * end),
                () -> "the stored part of a table for %,d by %,d points".formatted(table.rows(), table.columns()));
    }

    /** Copies the last two diagonals. */
    private static Kept keep(SeriesDiagonals diagonals, int first, int second) {
        Kept kept = new Kept(first, new ArrayList<>(), new int[2]);
        add(kept, diagonals, first, diagonals.wave.beforeThat);
        add(kept, diagonals, second, diagonals.wave.before);
        return kept;
    }

    private static void add(Kept kept, SeriesDiagonals diagonals, int d, double[] cells) {
        int begin = d < 2 ? 0 : diagonals.table.firstRow(d) - 1;
        int end = d < 2 ? d : diagonals.table.lastRow(d) + 1;
        kept.begins()[d - kept.from()] = begin;
        kept.diagonals().add(Arrays.copyOfRange(cells, begin, end + 1));
    }

    /** Recomputes the diagonals from one stored pair to the next. */
    private static Kept between(SeriesDiagonals diagonals, Kept pair, int to) {
        restore(diagonals.wave.beforeThat, pair, 0);
        restore(diagonals.wave.before, pair, 1);
        diagonals.restart(pair.from() + 1);
        Kept kept = new Kept(
                pair.from(),
                new ArrayList<>(pair.diagonals()),
                Arrays.copyOf(pair.begins(), Math.max(2, to - pair.from() + 1)));
        for (int d = pair.from() + 1; d < to; ) {
            d = diagonals.next();
            add(kept, diagonals, d, diagonals.wave.before);
        }
        return kept;
    }

    private static void restore(double[] cells, Kept pair, int which) {
        double[] kept = pair.diagonals().get(which);
        System.arraycopy(kept, 0, cells, pair.begins()[which], kept.length);
    }
}
