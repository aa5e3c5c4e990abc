package dev.bellman.job.progress;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The times at which a process starts, reaches its phases and ends, for {@code run --verbose}. Any thread may add a
 * milestone.
 */
public final class Milestones {
    /** The environment variable in which the launcher stores its start time, in seconds with six decimals. */
    private static final String LAUNCHED = "BELLMAN_LAUNCHED";

    /**
     * The times in milliseconds, keyed by name, in the order in which they were reached. A run in parts repeats its
     * phases; only the last repetition is listed.
     */
    private static final Map<String, Long> REACHED = new LinkedHashMap<>();

    private Milestones() {}

    public static void reach(String name) {
        reach(name, System.currentTimeMillis());
    }

    /** @param millis the time at which the milestone was reached, in milliseconds since 1970 */
    public static void reach(String name, long millis) {
        synchronized (REACHED) {
            REACHED.remove(name);
            REACHED.put(name, millis);
        }
    }

    /** Prints the milestones in milliseconds since the start of the launcher or, without a launcher, of Java. */
    public static void print(PrintWriter out) {
        long java = ManagementFactory.getRuntimeMXBean().getStartTime();
        String launched =
                Optional.ofNullable(System.getenv(LAUNCHED)).orElse("").replaceAll("\\D", "");
        long origin = launched.matches("\\d{16}") ? Long.parseLong(launched) / 1000 : java;
        out.println("milliseconds since the start:");
        out.printf("  %6d  Java%n", java - origin);
        synchronized (REACHED) {
            REACHED.entrySet().stream()
                    .sorted(Map.Entry.comparingByValue())
                    .forEach(each -> out.printf("  %6d  %s%n", each.getValue() - origin, each.getKey()));
        }
        out.flush();
    }

    /** Clears the milestones for the next run in this process. */
    public static void clear() {
        synchronized (REACHED) {
            REACHED.clear();
        }
    }
}
