package dev.bellman.join.measure;

import dev.bellman.align.Text;

/** The condition that a distance is at most a limit, which may depend on the lengths of the strings. */
interface DistanceMeasure extends Measure {
    Metric metric();

    /**
     * Returns the maximum distance between strings of the given lengths, in either order; the limit never decreases as
     * either length grows.
     */
    int limit(int one, int other);

    @Override
    default boolean isPair(Text x, Text y) {
        return metric().isWithin(x, y, limit(x.length(), y.length()));
    }

    @Override
    default boolean isPairWithItself(int length) {
        return limit(length, length) >= 0;
    }

    @Override
    default int deletions(int longer) {
        return limit(longer, longer);
    }

    @Override
    default int edits(int longer) {
        return metric().edits(limit(longer, longer));
    }

    @Override
    default boolean isPositional() {
        return metric().isPositional();
    }

    @Override
    default boolean needsEqualLengths() {
        return metric() == Metric.HAMMING_DISTANCE;
    }
}
