package dev.bellman.plan;

import ai.rapids.cudf.HostColumnVector;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.TaskCompletionListener;

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
            while (!rows.hasNext() && batches.hasNext()) {
                close();
                ColumnarBatch onGpu = batches.next();
                try (onGpu) {
                    batch = copied(onGpu);
                    rows = batch.rowIterator();
                }
                // other tasks may use the GPU while this task reads the rows
                releaseGpu(onGpu.column(0).getClass().getClassLoader());
            }
            return rows.hasNext();
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

    private static ColumnarBatch copied(ColumnarBatch onGpu) {
        ColumnVector[] columns = new ColumnVector[onGpu.numCols()];
        try {
            for (int i = 0; i < columns.length; i++) {
                ColumnVector copied = (ColumnVector) call(onGpu.column(i), "copyToHost");
                columns[i] = copied.dataType().equals(DataTypes.StringType)
                        ? new StringsOnHost(copied, (HostColumnVector) call(copied, "getBase"))
                        : copied;
            }
            return new ColumnarBatch(columns, onGpu.numRows());
        } catch (Throwable e) {
            Arrays.stream(columns).filter(Objects::nonNull).forEach(ColumnVector::close);
            throw e;
        }
    }

    private static void releaseGpu(ClassLoader rapids) {
        try {
            Object semaphore = rapids.loadClass(RAPIDS + "GpuSemaphore$").getField("MODULE$").get(null);
            call(semaphore, "releaseIfNecessary", TaskContext.get());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls the method with this name, which has no parameters except, optionally, the task's context. */
    private static Object call(Object object, String method, TaskContext... context) {
        try {
            Class<?>[] parameters = Arrays.stream(context).map(each -> TaskContext.class).toArray(Class[]::new);
            return object.getClass().getMethod(method, parameters).invoke(object, (Object[]) context);
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
