package dev.bellman.entry;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataType;

/**
 * One way to call a function by position: its parameters, its result type, and the {@code UDFn} with the same number of
 * parameters.
 *
 * @param function the function's name in SQL
 * @param overload the index of the signature's overload
 * @param parameters the parameters that are given
 * @param leftOut the overload's other parameters, which have their default values
 */
public record Signature<S extends Enum<S>>(
        String function,
        int overload,
        List<Parameter> parameters,
        List<Parameter> leftOut,
        DataType result,
        Implementation<S> implementation) {
    /** Creates the {@code org.apache.spark.sql.api.java.UDFn} for a signature. */
    @FunctionalInterface
    public interface Implementation<S extends Enum<S>> {
        Object create(S strategy, FunctionOptions options);
    }

    /** Whether a strategy has a GPU kernel for these parameters. */
    public boolean hasKernel(S strategy) {
        return implementation.create(strategy, FunctionOptions.DEFAULT) instanceof ColumnarFunction columnar
                && columnar.hasKernel();
    }

    @Override
    public String toString() {
        return parameters.stream().map(Parameter::name).collect(Collectors.joining(", ", "(", ")"));
    }
}
