package dev.bellman.bench.measure;

import java.util.Arrays;
import java.util.function.DoubleSupplier;

/** Repeats a measurement and returns the median. */
public final class Stopwatch {
    /** The total time, in seconds, after which an action is not repeated. */
    private static final double ENOUGH_SECONDS = 5;

    private Stopwatch() {}

    /** Returns how many seconds an action takes. */
    public static double seconds(Runnable action) {
        long start = System.nanoTime();
        action.run();
        return secondsSince(start);
    }

    /**
     * Returns the median time of the repetitions after the warm-up. The action runs at least once after the warm-up;
     * after five seconds in total, it is not repeated.
     */
    public static double median(int warmUp, int repetitions, DoubleSupplier seconds) {
        long start = System.nanoTime();
        for (int i = 0; i < warmUp && (i == 0 || secondsSince(start) < ENOUGH_SECONDS / 2); i++) {
            seconds.getAsDouble();
        }
        double[] measured = new double[repetitions];
        int count = 0;
        while (count < repetitions && (count == 0 || secondsSince(start) < ENOUGH_SECONDS)) {
            measured[count++] = seconds.getAsDouble();
        }
        Arrays.sort(measured, 0, count);
        int middle = count / 2;
        return count % 2 == 1 ? measured[middle] : (measured[middle - 1] + measured[middle]) / 2;
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
