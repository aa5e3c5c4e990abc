package dev.bellman.join.measure;

import dev.bellman.align.Text;

/** A distance of at most {@code max}. */
public record Distance(Metric metric, int max) implements Measure {
    @Override
    public boolean isPair(Text x, Text y) {
        return metric.isWithin(x, y, max);
    }

    @Override
    public boolean isPairWithItself(int length) {
        return max >= 0;
    }

    @Override
    public int deletions(int longer) {
        return max;
    }

    @Override
    public int edits(int longer) {
        return metric.edits(max);
    }

    @Override
    public boolean isPositional() {
        return metric.isPositional();
    }

    @Override
    public boolean needsEqualLengths() {
        return metric == Metric.HAMMING_DISTANCE;
    }

    @Override
    public boolean isEditDistance() {
        return metric == Metric.EDIT_DISTANCE;
    }

    @Override
    public boolean isForGpu() {
        return isEditDistance();
    }

    @Override
    public String toString() {
        return metric.function() + " <= " + max;
    }
}
