package dev.bellman.job.progress;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/**
 * Shows the progress of a run: on a terminal, as one line that is updated; elsewhere, as a new line every 30 seconds.
 * The estimate is based on the number of rows that have reached the functions or, if the total is unknown, on the
 * number of tasks.
 */
public final class Progress implements AutoCloseable {
    private static final String ROWS = "rows";

    /** The ways in which progress can be shown. */
    public enum Style {
        /** Overwrites a single line. */
        TERMINAL(Duration.ofMillis(500)),
        /** Prints a line every 30 seconds. */
        LINES(Duration.ofSeconds(30)),
        NONE(Duration.ZERO);

        private final Duration interval;

        Style(Duration interval) {
            this.interval = interval;
        }

        /**
         * Returns the style that this process should use. The launcher sets {@code BELLMAN_PROGRESS} to show whether it
         * runs on a terminal.
         */
        public static Style ofProcess() {
            return "terminal".equals(System.getenv("BELLMAN_PROGRESS")) ? TERMINAL : LINES;
        }
    }

    private final SparkContext context;
    private final Style style;
    private final PrintWriter out;
    private final RowCounter counter = new RowCounter();
    private final ScheduledExecutorService clock;

    private String name = "";
    private OptionalLong rows = OptionalLong.empty();
    private String unit = ROWS;
    private boolean active;
    private int shown;

    public Progress(SparkContext context, Style style, PrintWriter out) {
        this(context, style, out, style.interval);
    }

    Progress(SparkContext context, Style style, PrintWriter out, Duration interval) {
        this.context = context;
        this.style = style;
        this.out = out;
        context.addSparkListener(counter);
        clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "bellman-progress");
            thread.setDaemon(true);
            return thread;
        });
        if (style != Style.NONE) {
            clock.scheduleAtFixedRate(this::show, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Begins a phase.
     *
     * @param what its name
     * @param ofRows the total number of rows in the phase, if known
     */
    public synchronized void begin(String what, OptionalLong ofRows) {
        counter.reset();
        begin(what, ROWS, ofRows);
    }

    /**
     * Begins a phase whose tasks count their progress themselves.
     *
     * @param what its name
     * @param counted the accumulator to which the tasks add; its name is the unit
     * @param all the total
     */
    public synchronized void begin(String what, LongAccumulator counted, long all) {
        counter.count(counted.id());
        begin(what, counted.name().get(), OptionalLong.of(all));
    }

    private void begin(String what, String counted, OptionalLong all) {
        name = what;
        unit = counted;
        rows = all;
        active = true;
    }

    /** Ends the phase, whether it succeeded or failed, and removes the line. */
    public synchronized void end() {
        active = false;
        clear();
    }

    /** Whether the progress is shown. */
    public boolean isShown() {
        return style != Style.NONE;
    }

    private synchronized void show() {
        if (!active) {
            return;
        }
        String line = line(name, counter.state(), unit, rows);
        if (style == Style.LINES) {
            out.println(line);
        } else {
            out.print("\r" + line + " ".repeat(Math.max(0, shown - line.length())));
            shown = line.length();
        }
        out.flush();
    }

    private void clear() {
        if (style == Style.TERMINAL && shown > 0) {
            out.print("\r ".repeat(shown) + "\r");
            out.flush();
            shown = 0;
        }
    }

    /**
     * Returns a line such as {@code name: 1,200 of 4,800 rows (25%), 1,200 rows/s, 3 s left}. The rate covers the time
     * from the first task's start to the last count, which may have been many seconds ago.
     */
    static String line(String name, RowCounter.State state, String unit, OptionalLong rows) {
        boolean known = rows.isPresent() && rows.getAsLong() > 0;
        double share = known
                ? Math.min(1, state.rows() / (double) rows.getAsLong())
                : state.tasks() == 0 ? 0 : state.tasksDone() / (double) state.tasks();
        StringBuilder line = new StringBuilder(name).append(": ");
        line.append(
                known
                        ? String.format(Locale.ROOT, "%,d of %,d %s", state.rows(), rows.getAsLong(), unit)
                        : String.format(
                                Locale.ROOT,
                                "%,d %s, %,d of %,d tasks",
                                state.rows(),
                                unit,
                                state.tasksDone(),
                                state.tasks()));
        line.append(String.format(Locale.ROOT, " (%d%%)", (int) (100 * share)));
        if (state.rows() > 0 && state.seconds() > 0) {
            line.append(String.format(Locale.ROOT, ", %s %s/s", Quantity.scaled(state.rows() / state.seconds()), unit));
        }
        double left = state.seconds() / share - state.seconds() - state.ago();
        if (share > 0 && share < 1) {
            line.append(", ").append(Quantity.duration(Math.max(1, left))).append(" left");
        }
        return line.toString();
    }

    @Override
    public void close() {
        end();
        clock.shutdownNow();
        context.removeSparkListener(counter);
    }
}
