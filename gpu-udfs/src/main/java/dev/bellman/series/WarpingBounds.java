package dev.bellman.series;

/**
 * Lower bounds of the last cell of a table of time warping, in time proportional to the lengths of the series.
 *
 * <p>Each way begins with the first points of both series and ends with the last ones (S. Kim, S. Park and W. Chu,
 * 2001), and has a cell in each row, whose point of {@code b} is in the band: it differs by no less than the nearest
 * number of the envelope, from the least to the greatest point of {@code b} there (E. Keogh, 2002).
 *
 * <p>The bounds hold for the rounded cells, bit for bit. A rounded difference, sum or fused multiply-add never falls
 * when an operand of it rises, and adding what is not negative gives no less than before. So if all cells of a row are
 * at least {@code x}, the cells of the next are at least {@code x} plus the row's least differences, added in the order
 * of the table: a cell follows from one of the row above, or from one to its left of which this is known.
 */
final class WarpingBounds {
    /** A band is narrow if it has at most this part of a row. */
    private static final int NARROW = 8;

    private final Series a;
    private final Series b;
    private final boolean squared;
    private final double limit;

    private WarpingBounds(Series a, Series b, boolean squared, double limit) {
        this.a = a;
        this.b = b;
        this.squared = squared;
        this.limit = limit;
    }

    /** Whether the last cell of a table is larger than a limit, if a bound shows it. */
    static boolean exceed(SeriesTable table, double limit) {
        WarpingBounds bounds = new WarpingBounds(table.a, table.b, table.rule == CellRule.SQUARED, limit);
        // in a wide band an envelope is wide, and takes longer than it spares
        boolean isNarrow = NARROW * ((long) table.highest - table.lowest) <= table.columns();
        return bounds.exceedAtEnds() || isNarrow && bounds.exceedInEnvelope(table.lowest, table.highest);
    }

    private double plus(double sum, double difference) {
        return squared ? Math.fma(difference, difference, sum) : sum + Math.abs(difference);
    }

    /** A sum and the differences of two points, counted from 0. */
    private double plus(double sum, int i, int j) {
        double to = sum;
        for (int k = 0; k < a.dimensions(); k++) {
            to = plus(to, a.at(k, i) - b.at(k, j));
        }
        return to;
    }

    private boolean exceedAtEnds() {
        double first = plus(0, 0, 0);
        boolean isOneCell = a.length() == 1 && b.length() == 1;
        return first > limit || !isOneCell && plus(first, a.length() - 1, b.length() - 1) > limit;
    }

    /** The columns of row {@code i} of the band are {@code i + lowest} to {@code i + highest}. */
    private boolean exceedInEnvelope(int lowest, int highest) {
        Envelope[] envelopes = new Envelope[a.dimensions()];
        for (int k = 0; k < envelopes.length; k++) {
            envelopes[k] = new Envelope(b, k);
        }
        int last = a.length() - 1;
        double bound = plus(0, 0, 0);
        for (int i = 1; i < last; i++) {
            int to = (int) Math.min(b.length() - 1, (long) i + highest);
            for (Envelope envelope : envelopes) {
                envelope.move(Math.max(0, i + lowest), to);
                bound = plus(bound, envelope.difference(a.at(envelope.dimension, i)));
            }
            if (bound > limit) {
                return true;
            }
        }
        return last > 0 && plus(bound, last, b.length() - 1) > limit;
    }

    /** The least and the greatest of a window that moves on, by queues of those that may be next (D. Lemire, 2009). */
    private static final class Envelope {
        final int dimension;
        private final Series series;
        private final int[] falling;
        private final int[] rising;
        private int fallingFrom;
        private int fallingTo;
        private int risingFrom;
        private int risingTo;
        private int next;

        Envelope(Series series, int dimension) {
            this.series = series;
            this.dimension = dimension;
            falling = new int[series.length()];
            rising = new int[series.length()];
        }

        /** The window becomes the points {@code from} to {@code to}; neither is less than before. */
        void move(int from, int to) {
            for (; next <= to; next++) {
                double value = series.at(dimension, next);
                while (fallingTo > fallingFrom && series.at(dimension, falling[fallingTo - 1]) <= value) {
                    fallingTo--;
                }
                falling[fallingTo++] = next;
                while (risingTo > risingFrom && series.at(dimension, rising[risingTo - 1]) >= value) {
                    risingTo--;
                }
                rising[risingTo++] = next;
            }
            while (falling[fallingFrom] < from) {
                fallingFrom++;
            }
            while (rising[risingFrom] < from) {
                risingFrom++;
            }
        }

        /** From a value to the nearest one between the least and the greatest. */
        double difference(double value) {
            double greatest = series.at(dimension, falling[fallingFrom]);
            double least = series.at(dimension, rising[risingFrom]);
            return value > greatest ? value - greatest : value < least ? least - value : 0;
        }
    }
}
