package dev.bellman.best;

import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.GpuFunctions;
import org.apache.spark.sql.api.java.UDF2;

/**
 * Whether a row may be among the best of its group, by {@code (group, value)}: a filter before the rows are sorted. On
 * a GPU, false for a row if enough others of its group, near it in the batch, have larger values, so few rows are left
 * of many in a row with the same group. Without a GPU, true.
 * NULL if either is NULL.
 */
public final class TopNPrefilter implements UDF2<Long, Long, Boolean>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    private final int count;

    /** @param count how many rows of a group are wanted */
    TopNPrefilter(int count) {
        this.count = count;
    }

    /**
     * The function, for Spark to call.
     *
     * @param count how many rows of a group are wanted
     */
    @SuppressWarnings("unchecked") // it is either this or one that calls it
    public static UDF2<Long, Long, Boolean> udf(int count) {
        TopNPrefilter onCpu = new TopNPrefilter(count);
        return (UDF2<Long, Long, Boolean>)
                GpuFunctions.udf("may_be_best", onCpu, values -> onCpu.call((Long) values[0], (Long) values[1]));
    }

    int count() {
        return count;
    }

    @Override
    public Boolean call(Long group, Long value) {
        return group == null || value == null ? null : Boolean.TRUE;
    }
}
