package dev.bellman.series;

import static dev.bellman.series.SeriesTable.NONE;

import dev.bellman.columns.Cancellation;

/**
 * Computes a {@link SeriesTable} along its anti-diagonals. Within the band, a diagonal begins and ends at most one row
 * away from where the previous diagonal begins and ends. Therefore, the next two diagonals read at most one additional
 * cell on either side, which is a border cell or infinite.
 */
final class SeriesDiagonals {
    /** The number of diagonals between two checks of the limit. */
    static final int LOOK = 16;

    final SeriesTable table;
    final Wave wave;
    private final DiagonalSteps steps;
    private final int rows;
    private final int columns;
    private final Cancellation cancellation = new Cancellation();
    private int done;

    SeriesDiagonals(SeriesTable table) {
        this.table = table;
        rows = table.rows();
        columns = table.columns();
        steps = table.rule.isFloat() ? new PlainSteps() : DiagonalSteps.VECTORS.orElseGet(PlainSteps::new);
        wave = new Wave(table, steps.padding());
        wave.beforeThat[0] = 0;
        wave.before[0] = table.top(1);
        wave.before[1] = table.side(1);
        done = 1;
    }

    int end() {
        return rows + columns;
    }

    /** Computes the next diagonal, which becomes {@code wave.before}, and returns its number. */
    int next() {
        int d = ++done;
        int first = table.firstRow(d);
        int last = table.lastRow(d);
        cancellation.count((long) steps.steps() * (last - first + 1));
        steps.step(wave, first, last, columns - d);
        wave.now[first - 1] = first == 1 && d <= columns ? table.top(d) : NONE;
        wave.now[last + 1] = last == d - 1 && d <= rows ? table.side(d) : NONE;
        wave.advance();
        return d;
    }

    /**
     * Prepares to continue after diagonal {@code d}; the caller provides this diagonal and the previous one in
     * {@code wave}.
     */
    void restart(int d) {
        done = d;
    }

    /** Returns the last cell, as {@link SeriesTable#last(SeriesTable.Strategy, double)} does. */
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

    /**
     * Returns the minimum of a diagonal and its border cells. Every path visits at least one of any two consecutive
     * diagonals.
     */
    private double least(double[] diagonal, int d) {
        double least = NONE;
        for (int i = table.firstRow(d) - 1; i <= table.lastRow(d) + 1; i++) {
            least = Math.min(least, diagonal[i]);
        }
        return least;
    }

    /** Returns the minimum of the last row and the first column that contains it, as {@link SeriesTable#end} does. */
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
