package dev.bellman.series;

import static dev.bellman.series.SeriesTable.NONE;

import dev.bellman.columns.Cancellation;

/**
 * A {@link SeriesTable} along its anti-diagonals. Those in the band begin and end at most one row beside the ends of
 * the diagonal before, so a border or an infinite cell on either side is all that the next two read beside them.
 */
final class SeriesDiagonals {
    /** So many diagonals after each other, a limit is looked at. */
    private static final int LOOK = 16;

    final SeriesTable table;
    final Wave wave;
    private final DiagonalSteps steps;
    private final int rows;
    private final int columns;
    private final Cancellation cancellation = new Cancellation();
    /** The diagonal before the next. */
    private int done;

    SeriesDiagonals(SeriesTable table) {
        this.table = table;
        rows = table.rows();
        columns = table.columns();
        steps = DiagonalSteps.VECTORS.orElseGet(PlainSteps::new);
        wave = new Wave(table, steps.padding());
        wave.beforeThat[0] = 0;
        wave.before[0] = table.top(1);
        wave.before[1] = table.side(1);
        done = 1;
    }

    /** The first row of a diagonal that is inside the table and the band. */
    int first(int d) {
        // half of it, rounded up
        int ofBand = d - table.highest + 1 >> 1;
        return Math.max(Math.max(1, d - columns), ofBand);
    }

    /** The last row; one less than the first if there is none. */
    int last(int d) {
        int ofBand = (int) ((long) d - table.lowest >> 1);
        return Math.min(Math.min(rows, d - 1), ofBand);
    }

    /** The last diagonal. */
    int end() {
        return rows + columns;
    }

    /** Computes the next diagonal, which is then {@code wave.before}. */
    int next() {
        int d = ++done;
        int first = first(d);
        int last = last(d);
        cancellation.count((long) steps.steps() * (last - first + 1));
        steps.step(wave, first, last, columns - d);
        wave.now[first - 1] = first == 1 && d <= columns ? table.top(d) : NONE;
        wave.now[last + 1] = last == d - 1 && d <= rows ? table.side(d) : NONE;
        wave.advance();
        return d;
    }

    /** Goes on from two diagonals. */
    void restart(int d) {
        done = d;
    }

    /** See {@link SeriesTable#last(SeriesTable.Strategy, double)}. */
    double last(double limit) {
        while (done < end()) {
            int d = next();
            if (limit < NONE
                    && d % LOOK == 0
                    && Math.min(least(wave.before, d), least(wave.beforeThat, d - 1)) > limit) {
                return NONE;
            }
        }
        return wave.before[table.rows()];
    }

    /** The least cell of a diagonal and its borders: each way steps on one of any two diagonals after each other. */
    private double least(double[] diagonal, int d) {
        double least = NONE;
        for (int i = first(d) - 1; i <= last(d) + 1; i++) {
            least = Math.min(least, diagonal[i]);
        }
        return least;
    }

    /** See {@link SeriesTable#end}. */
    SeriesTable.End endOfLastRow() {
        double least = NONE;
        int column = 1;
        while (done < end()) {
            int d = next();
            if (d > table.rows() && wave.before[table.rows()] < least) {
                least = wave.before[table.rows()];
                column = d - table.rows();
            }
        }
        return new SeriesTable.End(least, column);
    }
}
