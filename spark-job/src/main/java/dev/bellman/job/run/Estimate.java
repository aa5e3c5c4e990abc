package dev.bellman.job.run;

import dev.bellman.job.progress.Quantity;
import dev.bellman.job.rows.InstanceQuery;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * How long a job will take: counts its rows and solves some of the first ones here. Later rows may be longer, and reading and
 * writing are not included.
 *
 * @param rows the number of instances
 * @param sample how many rows were solved
 * @param seconds how long they took, on all cores
 */
record Estimate(long rows, int sample, double seconds) {
    private static final int FIRST = 200;
    private static final int MOST = 200_000;
    private static final long MAX_BYTES = 64L << 20;
    private static final double LONG_ENOUGH = 1;

    /** Counts the rows, which reads text from beginning to end, and solves a second's worth. */
    static Estimate of(InstanceQuery query) {
        long rows = query.instances().rows().count();
        int wanted = FIRST;
        while (true) {
            List<Row> sample = query.instances().first(wanted);
            if (sample.isEmpty()) {
                return new Estimate(rows, 0, 0);
            }
            Dataset<Row> results = new InstanceQuery(query.instances().over(sample)).results();
            run(results);
            long start = System.nanoTime();
            run(results);
            double seconds = (System.nanoTime() - start) / 1e9;
            long held =
                    sample.stream().mapToLong(row -> row.mkString().length()).sum();
            boolean more = sample.size() == wanted && wanted < MOST && seconds < LONG_ENOUGH && 10 * held < MAX_BYTES;
            if (!more) {
                return new Estimate(rows, sample.size(), seconds);
            }
            wanted *= 10;
        }
    }

    private static void run(Dataset<Row> rows) {
        rows.write().format("noop").mode("overwrite").save();
    }

    /** The seconds that all rows would take at that rate. */
    double expectedSeconds() {
        return sample == 0 ? 0 : seconds * rows / sample;
    }

    @Override
    public String toString() {
        String what = Quantity.count(rows, "row") + " to solve";
        return sample == 0
                ? what
                : String.format(
                        Locale.ROOT,
                        "%s, about %s at the rate of the first %s (%s/s here, without reading and writing)",
                        what,
                        Quantity.duration(expectedSeconds()),
                        Quantity.count(sample, "row"),
                        Quantity.scaled(sample / seconds));
    }
}
