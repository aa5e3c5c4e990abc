package dev.bellman.plan;

import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;

/** Reads the rows of nodes whose columns RAPIDS may compute. */
public interface RowsFromGpu {
    /** Returns the rows of any node. A row is valid until the next row is read. */
    RDD<InternalRow> rows(SparkPlan node);
}
