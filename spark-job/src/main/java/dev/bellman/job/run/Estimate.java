package dev.bellman.job.run;

import dev.bellman.job.progress.Quantity;
import dev.bellman.job.rows.InstanceQuery;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Estimates how long a job takes: counts its rows, and solves some of the first rows on this machine. Later rows may be
 * longer, and the estimate does not include writing.
 *
 * @param rows the number of instances
 * @param sample the number of rows that were solved
 * @param start the number of seconds before the first row is solved: the time to read the input and to run a first
 *     query in a cold JVM
 * @param perRow the number of additional seconds per row, on all cores; 0 if the sample consists of all rows, because
 *     {@code start} then includes solving them
 */
record Estimate(long rows, int sample, double start, double perRow) {
    private static final int FIRST = 200;
    private static final int MAX_ROWS = 200_000;
    private static final long MAX_BYTES = 64L << 20;

    /** If one pass takes this many seconds longer than another, the difference is attributed to the additional rows. */
    private static final double LONG_ENOUGH = 0.3;

    /** A clock for measuring durations: seconds since an arbitrary time. */
    static final DoubleSupplier CLOCK = () -> System.nanoTime() / 1e9;

    /** The time of one query, which solves a number of rows. */
    record Pass(int rows, double seconds) {}

    /**
     * Counts the rows, which means that text inputs are read completely, and then solves rows for about a second.
     *
     * @param clock measures how many seconds a pass takes
     */
    static Estimate of(InstanceQuery query, DoubleSupplier clock) {
        double begin = clock.getAsDouble();
        List<UnsafeRow> sample = query.instances().first(FIRST);
        double reading = clock.getAsDouble() - begin;
        if (sample.isEmpty()) {
            return new Estimate(0, 0, 0, 0);
        }
        long rows = sample.size();
        if (rows == FIRST) {
            begin = clock.getAsDouble();
            rows = query.instances().rows().count();
            reading = clock.getAsDouble() - begin;
        }
        Pass cold = pass(query, sample, clock);
        if (sample.size() == rows) {
            return of(rows, reading, cold, Optional.empty(), cold);
        }
        Pass warm = pass(query, sample, clock);
        Pass last = warm;
        while (last.rows() < Math.min(rows, MAX_ROWS)
                && last.seconds() - warm.seconds() < LONG_ENOUGH
                && last.seconds() < 1 + LONG_ENOUGH
                && 10 * bytes(sample) < MAX_BYTES) {
            sample = query.instances().first(10 * last.rows());
            if (sample.size() <= last.rows()) {
                break;
            }
            last = pass(query, sample, clock);
        }
        return of(rows, reading, cold, Optional.of(warm), last);
    }

    /**
     * Computes the estimate from several passes over a sample. The time per row is based on the difference between
     * {@code warm} and {@code last}. The fixed cost is what remains of {@code cold} after the time for its rows.
     *
     * @param reading the number of seconds that reading the input takes
     * @param cold the first pass
     * @param warm the same rows again; empty if the sample consists of all rows
     * @param last the pass over the most rows
     */
    static Estimate of(long rows, double reading, Pass cold, Optional<Pass> warm, Pass last) {
        if (warm.isEmpty()) {
            return new Estimate(rows, cold.rows(), reading + cold.seconds(), 0);
        }
        Pass first = warm.get();
        double perRow = last.rows() > first.rows() && last.seconds() > first.seconds()
                ? (last.seconds() - first.seconds()) / (last.rows() - first.rows())
                : last.seconds() / last.rows();
        return new Estimate(rows, last.rows(), reading + Math.max(0, cold.seconds() - perRow * cold.rows()), perRow);
    }

    private static Pass pass(InstanceQuery query, List<UnsafeRow> sample, DoubleSupplier clock) {
        double begin = clock.getAsDouble();
        Dataset<Row> results = new InstanceQuery(query.instances().over(sample)).results();
        results.write().format("noop").mode("overwrite").save();
        return new Pass(sample.size(), clock.getAsDouble() - begin);
    }

    private static long bytes(List<UnsafeRow> rows) {
        return rows.stream().mapToLong(UnsafeRow::getSizeInBytes).sum();
    }

    /** Returns how many seconds all rows are expected to take. */
    double expectedSeconds() {
        return start + perRow * rows;
    }

    @Override
    public String toString() {
        String what = Quantity.count(rows, "row") + " to solve";
        if (rows == 0) {
            return what;
        }
        String time = "%s, about %s, not including the time to write the output"
                .formatted(what, Quantity.duration(expectedSeconds()));
        return sample == rows && perRow == 0
                ? time
                : String.format(
                        Locale.ROOT,
                        "%s (%s to start and read, then %s rows/s, as measured on the first %s)",
                        time,
                        Quantity.duration(start),
                        Quantity.scaled(1 / perRow),
                        Quantity.count(sample, "row"));
    }
}
