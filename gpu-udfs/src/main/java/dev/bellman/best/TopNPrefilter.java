package dev.bellman.best;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.SolverCall.Argument;
import java.util.List;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;

/**
 * Decides from {@code (group, value)} whether a row may be among the best rows of its group, so that the other rows can
 * be dropped before the sort. On a GPU, the function returns false for a row if enough nearby rows of the same group
 * and batch have larger values, so that most rows of a large group are dropped. Without a GPU, it returns true. It
 * returns NULL if either argument is NULL.
 */
public final class TopNPrefilter {
    static final String FUNCTION = "may_be_best";
    static final String COUNT = "count";

    private enum Strategy {
        AUTO
    }

    private TopNPrefilter() {}

    /**
     * Returns the function that Spark should call.
     *
     * @param count the number of rows to return per group
     */
    public static UDF2<Object, Object, Object> udf(int count) {
        return new SolverCall(
                        FUNCTION,
                        List.of(
                                new Argument("group", DataTypes.LongType, null),
                                new Argument("value", DataTypes.LongType, null),
                                new Argument(COUNT, DataTypes.IntegerType, count)),
                        2,
                        DataTypes.BooleanType,
                        (strategy, options, arguments) -> true,
                        Strategy.AUTO,
                        true,
                        FunctionOptions.DEFAULT)
                .withKernel();
    }
}
