package dev.bellman.job.run;

import dev.bellman.CellCounter;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.apache.spark.util.AccumulatorV2;
import org.apache.spark.util.LongAccumulator;

/**
 * Counts the cells and rows that the functions of a run process on all executors. If a task is repeated, its cells and
 * rows are counted again.
 */
final class Counters implements CellCounter {
    private static final long serialVersionUID = 1L;

    private final LongAccumulator cells;
    private final Choices choices = new Choices();

    Counters(SparkContext spark) {
        cells = spark.longAccumulator("cells");
        spark.register(choices, "choices");
    }

    @Override
    public void add(long more) {
        cells.add(more);
    }

    @Override
    public void chose(String strategy, long rows) {
        choices.add(Map.of(strategy, rows));
    }

    long cells() {
        return cells.value();
    }

    /**
     * Returns the number of rows for which {@code auto} chose each strategy; empty for functions for which the choice
     * does not depend on the row.
     */
    Map<String, Long> choices() {
        return new TreeMap<>(choices.value());
    }

    void reset() {
        cells.reset();
        choices.reset();
    }

    /** Adds up the numbers of rows by strategy. */
    private static final class Choices extends AccumulatorV2<Map<String, Long>, Map<String, Long>> {
        private static final long serialVersionUID = 1L;

        private final TreeMap<String, Long> sums = new TreeMap<>();

        @Override
        public boolean isZero() {
            return sums.isEmpty();
        }

        @Override
        public Choices copy() {
            Choices copy = new Choices();
            copy.add(sums);
            return copy;
        }

        @Override
        public void reset() {
            sums.clear();
        }

        /** Synchronized because the functions of a task may run on several threads. */
        @Override
        public synchronized void add(Map<String, Long> more) {
            more.forEach((name, count) -> sums.merge(name, count, Long::sum));
        }

        @Override
        public void merge(AccumulatorV2<Map<String, Long>, Map<String, Long>> other) {
            add(other.value());
        }

        @Override
        public Map<String, Long> value() {
            return sums;
        }
    }
}
