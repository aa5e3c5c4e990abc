package dev.bellman.job.cli;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The moments of a process's start and end, which {@code run --verbose} prints. Any thread may add one. */
public final class Milestones {
    /** The variable in which the launcher stores the time of its start, in seconds with six decimals. */
    private static final String LAUNCHED = "BELLMAN_LAUNCHED";

    private static final List<Milestone> REACHED = new ArrayList<>();

    private record Milestone(String name, long millis) {}

    private Milestones() {}

    public static void reach(String name) {
        synchronized (REACHED) {
            REACHED.add(new Milestone(name, System.currentTimeMillis()));
        }
    }

    /** Prints the milestones in milliseconds since the launcher or, without it, Java started. */
    static void print(PrintWriter out) {
        long java = ManagementFactory.getRuntimeMXBean().getStartTime();
        String launched =
                Optional.ofNullable(System.getenv(LAUNCHED)).orElse("").replaceAll("\\D", "");
        long origin = launched.matches("\\d{16}") ? Long.parseLong(launched) / 1000 : java;
        out.println("milliseconds since the start:");
        out.printf("  %6d  Java%n", java - origin);
        synchronized (REACHED) {
            REACHED.forEach(each -> out.printf("  %6d  %s%n", each.millis - origin, each.name));
        }
        out.flush();
    }

    /** Forgets the milestones, for the next run in this process. */
    static void clear() {
        synchronized (REACHED) {
            REACHED.clear();
        }
    }
}
