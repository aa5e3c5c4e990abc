package dev.bellman.chain;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.columns.ColumnarFunction;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.api.java.UDF1;
import scala.collection.Seq;

/** What the functions of a chain share: NULL, entries that are NULL, and rows that are not allowed. */
abstract class ChainUdf<R> implements UDF1<Seq<Long>, R>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    final String function;
    final FunctionOptions options;

    ChainUdf(String function, FunctionOptions options) {
        this.function = function;
        this.options = options;
    }

    abstract R solve(long[] dims);

    /**
     * The cores that one instance may use: those of the task. Without a task Spark evaluates a constant expression while it plans, and
     * nothing else of the query runs.
     */
    static int cores() {
        TaskContext task = TaskContext.get();
        return task == null ? Runtime.getRuntime().availableProcessors() : task.cpus();
    }

    @Override
    public final R call(Seq<Long> dims) {
        if (dims == null) {
            return null;
        }
        try {
            long[] values = values(dims);
            R result = solve(values);
            options.cells().add(MatrixChain.relaxations(values));
            return result;
        } catch (BellmanException e) {
            boolean invalid = e.code() == ErrorCode.BELLMAN_INPUT_VALUE || e.code() == ErrorCode.BELLMAN_OVERFLOW;
            if (invalid && options.onInvalid() == OnInvalid.NULL) {
                return null;
            }
            throw e;
        }
    }

    private long[] values(Seq<Long> dims) {
        long[] values = new long[dims.length()];
        for (int i = 0; i < values.length; i++) {
            Long value = dims.apply(i);
            if (value == null) {
                throw MatrixChain.invalidEntry(function, i, "NULL");
            }
            values[i] = value;
        }
        return values;
    }
}
