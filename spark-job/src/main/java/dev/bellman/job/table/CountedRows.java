package dev.bellman.job.table;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.util.CollectionAccumulator;

/**
 * Rows for a writer that plans the query itself, but makes neither the plan nor the number of rows available. This
 * class plans the query before the writer receives the rows, and counts the rows while the writer reads them.
 */
public final class CountedRows {
    private final Dataset<Row> rows;
    private final SparkPlan plan;
    private final CollectionAccumulator<PartitionRows> counts;

    private record PartitionRows(int partition, long rows) implements java.io.Serializable {}

    private CountedRows(Dataset<Row> rows, SparkPlan plan, CollectionAccumulator<PartitionRows> counts) {
        this.rows = rows;
        this.plan = plan;
        this.counts = counts;
    }

    /** Plans a query, and runs everything up to and including its last shuffle. */
    public static CountedRows of(Dataset<Row> query) {
        QueryExecution execution = ((org.apache.spark.sql.classic.Dataset<Row>) query).queryExecution();
        SparkSession spark = (SparkSession) query.sparkSession();
        CollectionAccumulator<PartitionRows> counts = spark.sparkContext().collectionAccumulator();
        Function2<Integer, Iterator<InternalRow>, Iterator<InternalRow>> counting =
                (partition, rows) -> new Counting(partition, rows, counts);
        Dataset<Row> counted = spark.internalCreateDataFrame(
                execution
                        .toRdd()
                        .toJavaRDD()
                        .mapPartitionsWithIndex(counting, true)
                        .rdd(),
                query.schema(),
                false);
        return new CountedRows(counted, execution.executedPlan(), counts);
    }

    /** Returns the rows; they can be read only once. */
    public Dataset<Row> rows() {
        return rows;
    }

    /** Returns the plan of the query for the rows. The plan is complete after the rows have been read. */
    public SparkPlan plan() {
        return plan;
    }

    /** Returns the number of rows that were read. A task that ran twice is counted only once. */
    public long count() {
        Map<Integer, Long> byPartition = new LinkedHashMap<>();
        counts.value().forEach(each -> byPartition.put(each.partition, each.rows));
        return byPartition.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Counts the rows of a partition, and reports their number at its end. */
    private static final class Counting implements Iterator<InternalRow> {
        private final int partition;
        private final Iterator<InternalRow> rows;
        private final CollectionAccumulator<PartitionRows> counts;
        private long count;
        private boolean reported;

        Counting(int partition, Iterator<InternalRow> rows, CollectionAccumulator<PartitionRows> counts) {
            this.partition = partition;
            this.rows = rows;
            this.counts = counts;
        }

        @Override
        public boolean hasNext() {
            boolean more = rows.hasNext();
            if (!more && !reported) {
                reported = true;
                counts.add(new PartitionRows(partition, count));
            }
            return more;
        }

        @Override
        public InternalRow next() {
            count++;
            return rows.next();
        }
    }
}
