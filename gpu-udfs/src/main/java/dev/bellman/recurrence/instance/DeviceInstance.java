package dev.bellman.recurrence.instance;

/**
 * A row in the kernels' layout: {@code Instance} in {@code recurrence/operators.cuh}. Arrays are device addresses.
 *
 * @param kind {@link Operator.Kind#ordinal}, or another value of the kernels' {@code Kind}
 * @param overflow the first index whose value does not fit, or the largest int if all values fit
 * @param farthest the first offset
 * @param nearest the last offset
 */
public record DeviceInstance(
        long initial,
        long offsets,
        long weights,
        long table,
        long modulus,
        int length,
        int start,
        int stages,
        int kind,
        int overflow,
        int farthest,
        int nearest) {
    /** Returns the number of elements to compute. */
    public int missing() {
        return length - start;
    }

    public boolean is(Operator.Kind other) {
        return kind == other.ordinal();
    }
}
