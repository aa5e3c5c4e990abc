package dev.bellman.series;

/**
 * Computes lower bounds on the last cell of a time-warping table, in time proportional to the lengths of the series.
 *
 * <p>Each path begins with the first points of both series and ends with their last points (Kim, Park and Chu, 2001).
 * In each row, the path has a cell in the band, so the row's point of {@code a} contributes at least its distance to
 * the envelope. The envelope is the range of the points of {@code b} in the band of that row (Keogh, 2002).
 *
 * <p>The bounds hold for the rounded cells, bit for bit. Rounded differences, sums and fused multiply-adds are
 * monotonic, and adding a non-negative number never makes a sum smaller. Therefore, if all cells of a row are at least
 * {@code x}, the cells of the next row are at least {@code x} plus that row's smallest differences, added in the order
 * of the table. The reason is that a cell is computed from a cell in the row above, or from a cell to its left, for
 * which this bound already holds.
 */
final class WarpingBounds {
    /** A band is narrow if it covers at most {@code 1 / NARROW} of a row. */
    private static final int NARROW = 8;

    private final Series a;
    private final Series b;
    private final CellRule rule;
    private final double limit;

    private WarpingBounds(SeriesTable table, double limit) {
        a = table.a;
        b = table.b;
        rule = table.rule;
        this.limit = limit;
    }

    /** Whether a bound shows that the last cell of a table is larger than a limit. */
    static boolean exceed(SeriesTable table, double limit) {
        WarpingBounds bounds = new WarpingBounds(table, limit);
        // in a wide band, the envelope is so wide that computing it costs more time than it saves
        boolean isNarrow = NARROW * ((long) table.highest - table.lowest) <= table.columns();
        return bounds.exceedAtEnds() || isNarrow && bounds.exceedInEnvelope(table.lowest, table.highest);
    }

    private double plus(double sum, double difference) {
        if (rule.isFloat()) {
            return CellRule.plusInFloat(rule.isSquared(), sum, (float) difference);
        }
        return rule.isSquared() ? Math.fma(difference, difference, sum) : sum + Math.abs(difference);
    }

    /** Adds the differences between two points, which are counted from 0, to a sum. */
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

    /**
     * Whether the bound that is computed from envelopes exceeds the limit. The band's columns in row {@code i} are
     * {@code i + lowest} to {@code i + highest}.
     */
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

    /** Finds the minimum and the maximum of a sliding window, using queues of candidates (Lemire, 2009). */
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

        /** Moves the window to the points {@code from} to {@code to}; neither bound may decrease. */
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

        /** Returns the distance from a value to the range between minimum and maximum. */
        double difference(double value) {
            double greatest = series.at(dimension, falling[fallingFrom]);
            double least = series.at(dimension, rising[risingFrom]);
            return value > greatest ? value - greatest : value < least ? least - value : 0;
        }
    }
}
