package dev.bellman.bench;

import java.util.Arrays;
import java.util.function.DoubleSupplier;

/** Repeats what measures itself and takes the median. */
final class Stopwatch {
    private Stopwatch() {}

    /** The seconds that an action takes. */
    static double seconds(Runnable action) {
        long start = System.nanoTime();
        action.run();
        return (System.nanoTime() - start) / 1e9;
    }

    /** The median of the repetitions after the warm-up. */
    static double median(int warmUp, int repetitions, DoubleSupplier seconds) {
        for (int i = 0; i < warmUp; i++) {
            seconds.getAsDouble();
        }
        double[] measured = new double[repetitions];
        for (int i = 0; i < repetitions; i++) {
            measured[i] = seconds.getAsDouble();
        }
        Arrays.sort(measured);
        int middle = repetitions / 2;
        return repetitions % 2 == 1 ? measured[middle] : (measured[middle - 1] + measured[middle]) / 2;
    }
}
