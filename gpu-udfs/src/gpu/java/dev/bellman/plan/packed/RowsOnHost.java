package dev.bellman.plan.packed;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostMemoryBuffer;
import com.nvidia.spark.rapids.ShimReflectionUtils;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.lang3.reflect.MethodUtils;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.TaskCompletionListener;
import scala.runtime.AbstractFunction1;

/**
 * Copies columns to the host, where rows are read in place. RAPIDS' own node for this purpose copies every string
 * twice, which takes longer than packing the rows of a join.
 *
 * <p>This class uses RAPIDS' classes by name, because RAPIDS loads them from a folder of its jar that depends on the
 * version of Spark.
 */
public final class RowsOnHost implements RowsFromGpu {
    private static final String RAPIDS = "com.nvidia.spark.rapids.";

    @Override
    public Optional<RDD<Batch>> batches(SparkPlan node) {
        return node.getClass().getName().equals(RAPIDS + "GpuColumnarToRowExec")
                ? Optional.of(node.children()
                        .head()
                        .executeColumnar()
                        .toJavaRDD()
                        .<Batch>mapPartitions(Batches::new)
                        .rdd())
                : Optional.empty();
    }

    /** The batches of a partition. Only one of them at a time is on the host. */
    private static final class Batches implements Iterator<Batch> {
        private final Iterator<ColumnarBatch> onGpu;
        private ColumnarBatch onHost;

        Batches(Iterator<ColumnarBatch> onGpu) {
            this.onGpu = onGpu;
            TaskContext.get().addTaskCompletionListener((TaskCompletionListener) ended -> close());
        }

        @Override
        public boolean hasNext() {
            close();
            boolean more = onGpu.hasNext();
            if (!more) {
                releaseGpu();
            }
            return more;
        }

        @Override
        public Batch next() {
            close();
            try {
                onHost = copied(onGpu.next());
            } finally {
                releaseGpu();
            }
            return new Batch(
                    onHost.numRows(),
                    IntStream.range(0, onHost.numCols())
                            .mapToObj(i -> column((HostColumnVector) call(onHost.column(i), "getBase")))
                            .toList());
        }

        /** Allows other tasks to use the GPU while this task reads the rows or, after the last batch, the strings. */
        private static void releaseGpu() {
            call(rapids("GpuSemaphore"), "releaseIfNecessary", TaskContext.get());
        }

        private void close() {
            if (onHost != null) {
                onHost.close();
                onHost = null;
            }
        }
    }

    private static Column column(HostColumnVector column) {
        DType type = column.getType();
        boolean isString = type.equals(DType.STRING);
        return new Column(
                address(column.getData()),
                address(column.getOffsets()),
                address(column.getValidity()),
                isString ? 0 : type.getSizeInBytes(),
                type.isDecimalType());
    }

    /** Returns the address of a buffer, or 0 for a missing one, for example that of empty strings. */
    private static long address(HostMemoryBuffer buffer) {
        return buffer == null ? 0 : buffer.getAddress();
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
            return ShimReflectionUtils.loadClass(RAPIDS + name + "$")
                    .getField("MODULE$")
                    .get(null);
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
