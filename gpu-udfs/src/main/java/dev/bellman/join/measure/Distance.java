package dev.bellman.join.measure;

/** The condition that a distance is at most {@code max}. */
public record Distance(Metric metric, int max) implements DistanceMeasure {
    @Override
    public int limit(int one, int other) {
        return max;
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
