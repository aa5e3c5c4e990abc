package dev.bellman.best;

import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.GpuFunctions;
import org.apache.spark.sql.api.java.UDF2;

/**
 * Determines from {@code (group, value)} whether a row may be among the best rows of its group: a filter that runs
 * before the rows are sorted. On a GPU, the function returns false for a row if enough nearby rows of the same group
 * and batch have larger values, so that most rows of a long group are dropped. Without a GPU, it returns true. It
 * returns NULL if either argument is NULL.
 */
public final class TopNPrefilter implements UDF2<Long, Long, Boolean>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    private final int count;

    /** @param count the number of rows to return per group */
    TopNPrefilter(int count) {
        this.count = count;
    }

    /**
     * Returns the function that Spark should call.
     *
     * @param count the number of rows to return per group
     */
    @SuppressWarnings("unchecked") // the wrapper calls this function, if there is a wrapper
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
