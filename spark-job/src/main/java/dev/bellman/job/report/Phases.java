package dev.bellman.job.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The wall time of each phase of a run, in seconds, in the order of the phases. */
public final class Phases {
    private final Map<String, Double> seconds = new LinkedHashMap<>();

    public <T> T time(String phase, Supplier<T> work) {
        long start = System.nanoTime();
        try {
            return work.get();
        } finally {
            seconds.merge(phase, (System.nanoTime() - start) / 1e9, Double::sum);
        }
    }

    /** Adds the time that an earlier run spent on a phase. */
    public void add(String phase, double more) {
        seconds.merge(phase, more, Double::sum);
    }

    public Map<String, Double> seconds() {
        return new LinkedHashMap<>(seconds);
    }

    public double of(String phase) {
        return seconds.getOrDefault(phase, 0.0);
    }
}
