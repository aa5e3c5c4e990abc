package dev.bellman.best;

import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.ColumnarKernel;
import org.apache.spark.sql.api.java.UDF2;

/**
 * Whether a row may be among the best of its group, by {@code (group, value)}: a filter before the rows are sorted. On a GPU, false for a row if
 * enough others of its group, near it in the batch, have larger values, so few rows are left of many in a row with the same group. Without a GPU, true.
 * NULL if either is NULL.
 */
public final class MayBeBest implements UDF2<Long, Long, Boolean>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    private final int count;

    /** @param count how many rows of a group are wanted */
    public MayBeBest(int count) {
        this.count = count;
    }

    @Override
    public Boolean call(Long group, Long value) {
        return group == null || value == null ? null : Boolean.TRUE;
    }

    @Override
    public ColumnarKernel kernel() {
        return new MayBeBestKernel(count);
    }
}
