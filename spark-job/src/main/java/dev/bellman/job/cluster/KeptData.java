package dev.bellman.job.cluster;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.storage.StorageLevel;

/** Intermediate rows that executors hold in memory or on disk until this object is closed. */
public final class KeptData implements AutoCloseable {
    private final List<Dataset<Row>> persisted = new ArrayList<>();

    /**
     * Returns rows that are computed when they are first used, and again if an executor is lost. The rows' values must
     * therefore not depend on the row order. Runs the preceding shuffles immediately, because adaptive execution does
     * not merge small partitions within a cached plan.
     */
    public Dataset<Row> persisted(Dataset<Row> rows) {
        Dataset<Row> kept = ((SparkSession) rows.sparkSession())
                .internalCreateDataFrame(rows.queryExecution().toRdd(), rows.schema(), false)
                .persist(StorageLevel.MEMORY_AND_DISK());
        persisted.add(kept);
        return kept;
    }

    /**
     * Returns rows that are computed only once; their lineage and plan do not grow from round to round. Writes the rows
     * to the session's checkpoint directory ({@code spark.checkpoint.dir}) if it is set. Otherwise the rows stay on the
     * executors, and the job fails if an executor is lost.
     */
    public static Dataset<Row> checkpointed(Dataset<Row> rows) {
        return rows.sparkSession().sparkContext().getCheckpointDir().isDefined()
                ? rows.checkpoint()
                : rows.localCheckpoint();
    }

    @Override
    public void close() {
        persisted.forEach(rows -> rows.unpersist(false));
        persisted.clear();
    }
}
