package dev.bellman.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The wall time of each part of a run, in seconds, in order of execution. */
final class Phases {
    private final Map<String, Double> seconds = new LinkedHashMap<>();

    <T> T time(String phase, Supplier<T> work) {
        long start = System.nanoTime();
        try {
            return work.get();
        } finally {
            seconds.merge(phase, (System.nanoTime() - start) / 1e9, Double::sum);
        }
    }

    /** Adds the time that an earlier run took for a part. */
    void add(String phase, double more) {
        seconds.merge(phase, more, Double::sum);
    }

    Map<String, Double> seconds() {
        return Collections.unmodifiableMap(seconds);
    }

    double of(String phase) {
        return seconds.getOrDefault(phase, 0.0);
    }
}
