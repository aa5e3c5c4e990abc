package dev.bellman.plan;

import ai.rapids.cudf.HostColumnVector;
import com.nvidia.spark.rapids.ShimReflectionUtils;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import org.apache.commons.lang3.reflect.MethodUtils;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.TaskCompletionListener;
import scala.runtime.AbstractFunction1;

/**
 * Copies columns to the host and reads their rows in place. RAPIDS' own node for this purpose copies every string
 * twice, which takes longer than packing the rows of a join.
 *
 * <p>This class uses RAPIDS' classes by name, because RAPIDS loads them from a folder of its jar that depends on the
 * version of Spark.
 */
public final class RowsOnHost implements RowsFromGpu {
    private static final String RAPIDS = "com.nvidia.spark.rapids.";

    @Override
    public RDD<InternalRow> rows(SparkPlan node) {
        return node.getClass().getName().equals(RAPIDS + "GpuColumnarToRowExec")
                ? node.children()
                        .head()
                        .executeColumnar()
                        .toJavaRDD()
                        .<InternalRow>mapPartitions(Rows::new)
                        .rdd()
                : node.execute();
    }

    /** The rows of a partition, one batch at a time. */
    private static final class Rows implements Iterator<InternalRow> {
        private final Iterator<ColumnarBatch> batches;
        private ColumnarBatch batch;
        private Iterator<InternalRow> rows = Collections.emptyIterator();

        Rows(Iterator<ColumnarBatch> batches) {
            this.batches = batches;
            TaskContext.get().addTaskCompletionListener((TaskCompletionListener) ended -> close());
        }

        @Override
        public boolean hasNext() {
            while (!rows.hasNext() && nextBatch()) {}
            return rows.hasNext();
        }

        private boolean nextBatch() {
            close();
            try {
                if (batches.hasNext()) {
                    batch = copied(batches.next());
                    rows = batch.rowIterator();
                }
                return batch != null;
            } finally {
                // other tasks may use the GPU while this task reads the rows or, after the last batch, uses the strings
                call(rapids("GpuSemaphore"), "releaseIfNecessary", TaskContext.get());
            }
        }

        @Override
        public InternalRow next() {
            return rows.next();
        }

        private void close() {
            rows = Collections.emptyIterator();
            if (batch != null) {
                batch.close();
                batch = null;
            }
        }
    }

    /**
     * Copies a batch to the host, and closes it. If memory is short, RAPIDS waits and copies the batch again; in the
     * meantime, it may move the batch off the GPU.
     */
    private static ColumnarBatch copied(ColumnarBatch onGpu) {
        Object priority = call(rapids("SpillPriorities"), "ACTIVE_ON_DECK_PRIORITY");
        Object spillable = call(rapids("SpillableColumnarBatch"), "apply", onGpu, priority);
        AbstractFunction1<Object, ColumnarBatch> copy = new AbstractFunction1<>() {
            @Override
            public ColumnarBatch apply(Object same) {
                try (ColumnarBatch held = (ColumnarBatch) call(spillable, "getColumnarBatch")) {
                    return onHost(held);
                }
            }
        };
        return (ColumnarBatch) call(rapids("RmmRapidsRetryIterator"), "withRetryNoSplit", spillable, copy);
    }

    private static ColumnarBatch onHost(ColumnarBatch onGpu) {
        ColumnVector[] columns = new ColumnVector[onGpu.numCols()];
        try {
            for (int i = 0; i < columns.length; i++) {
                columns[i] = (ColumnVector) call(onGpu.column(i), "copyToHost");
                if (columns[i].dataType().equals(DataTypes.StringType)) {
                    columns[i] = new StringsOnHost(columns[i], (HostColumnVector) call(columns[i], "getBase"));
                }
            }
            return new ColumnarBatch(columns, onGpu.numRows());
        } catch (Throwable e) {
            Arrays.stream(columns).filter(Objects::nonNull).forEach(ColumnVector::close);
            throw e;
        }
    }

    /** Returns RAPIDS' Scala object with this name. */
    private static Object rapids(String name) {
        try {
            return ShimReflectionUtils.loadClass(RAPIDS + name + "$").getField("MODULE$").get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object call(Object object, String method, Object... arguments) {
        try {
            return MethodUtils.invokeMethod(object, method, arguments);
        } catch (InvocationTargetException e) {
            // RAPIDS must see its own exceptions, which ask to retry the task with less memory
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException exception ? exception : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
