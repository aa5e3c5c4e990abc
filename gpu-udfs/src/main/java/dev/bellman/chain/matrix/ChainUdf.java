package dev.bellman.chain.matrix;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import java.util.List;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** The common part of the chain functions: the handling of NULL, of NULL entries, and of invalid rows. */
abstract class ChainUdf<R> implements UDF1<ArrayData, R>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    final String function;
    final FunctionOptions options;

    ChainUdf(String function, FunctionOptions options) {
        this.function = function;
        this.options = options;
    }

    abstract R solve(long[] dims);

    /** The same function with other options. */
    abstract ChainUdf<R> with(FunctionOptions other);

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    final Object onCpu(FunctionOptions other, List<Object> arguments) {
        return with(other).call((ArrayData) arguments.get(0));
    }

    @Override
    public final R call(ArrayData dims) {
        return dims == null ? null : options.answer(() -> answer(dims));
    }

    private R answer(ArrayData dims) {
        long[] values = values(dims);
        R result = solve(values);
        options.cells().add(MatrixChain.relaxations(values));
        return result;
    }

    private long[] values(ArrayData dims) {
        for (int i = 0; i < dims.numElements(); i++) {
            if (dims.isNullAt(i)) {
                throw MatrixChain.invalidEntry(function, i, "NULL");
            }
        }
        return dims.toLongArray();
    }
}
