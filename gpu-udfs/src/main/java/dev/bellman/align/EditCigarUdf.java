package dev.bellman.align;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.ColumnarKernel;
import org.apache.spark.sql.api.java.UDF2;

/** {@code edit_cigar(a, b)}. */
public final class EditCigarUdf implements UDF2<String, String, String>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    private final EditDistance.Strategy strategy;
    private final FunctionOptions options;

    public EditCigarUdf(EditDistance.Strategy strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    @Override
    public String call(String a, String b) {
        if (a == null || b == null) {
            return null;
        }
        options.cells().add(Sequences.cells(a, b));
        return EditDistance.cigar(a, b, strategy);
    }

    @Override
    public ColumnarKernel kernel() {
        return new EditCigarKernel(options.cells());
    }

    @Override
    public boolean hasKernel() {
        return strategy != EditDistance.Strategy.SERIAL;
    }
}
