package dev.bellman.check;

import dev.bellman.Strategies;
import dev.bellman.check.Lane.Engine;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The coverage of a check; it has one line per function, strategy and engine. */
final class Coverage {
    private static final String HEAD = "%-26s %-20s %-10s %15s %15s %12s %10s %12s  %s%n";
    private static final String LINE = "%-26s %-20s %-10s %,15d %,15d %,12d %,10.1f %,12.0f  %d%n";

    private record Line(String function, String strategy, Engine engine) {}

    /** The totals that a line shows. */
    private static final class Sum {
        private final Tally tally = new Tally();
        private double seconds;

        void add(Tally other, double took) {
            tally.add(other);
            seconds += took;
        }
    }

    private final Map<Line, Sum> lines = new LinkedHashMap<>();
    private final Sum all = new Sum();

    /** @param subjects the subjects; lines are grouped by function, in the order of the functions' first subjects */
    Coverage(List<Progress> subjects) {
        Map<String, List<Progress>> functions = new LinkedHashMap<>();
        for (Progress progress : subjects) {
            functions
                    .computeIfAbsent(progress.subject().function(), name -> new ArrayList<>())
                    .add(progress);
        }
        functions.values().stream().flatMap(List::stream).forEach(progress -> {
            Subject subject = progress.subject();
            int strategies = subject.strategies().size();
            for (int i = 0; i < strategies; i++) {
                Tally tally = progress.tallies().get(i);
                Line own = new Line(subject.function(), subject.strategies().get(i), subject.engine());
                lines.computeIfAbsent(own, line -> new Sum()).add(tally, progress.seconds() / strategies);
                all.add(tally, progress.seconds() / strategies);
            }
        });
    }

    /** Prints the lines and their totals. */
    void tell(PrintWriter out, double seconds, int findings) {
        out.printf(
                HEAD,
                "function",
                "strategy",
                "engine",
                "instances",
                "with textbook",
                "null",
                "seconds",
                "per second",
                "differences");
        lines.forEach((line, sum) -> out.printf(
                Locale.ROOT,
                LINE,
                line.function(),
                line.strategy(),
                Strategies.name(line.engine()),
                sum.tally.instances(),
                sum.tally.textbook(),
                sum.tally.nulls(),
                sum.seconds,
                sum.tally.instances() / Math.max(1e-9, sum.seconds),
                sum.tally.differences()));
        out.printf(
                Locale.ROOT,
                "check: %,d instances in %.0f s, %,.0f/s, %,d (%.1f %%) compared with the textbook, %d differences%n",
                all.tally.instances(),
                seconds,
                all.tally.instances() / seconds,
                all.tally.textbook(),
                100.0 * all.tally.textbook() / Math.max(1, all.tally.instances()),
                findings);
        out.flush();
    }
}
