package dev.bellman.function;

import dev.bellman.FunctionOptions;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataType;

/** One way to call a function: its parameters, its result type, and the {@code UDFn} with as many parameters, which {@link Dispatcher} calls. */
public record Signature<S extends Enum<S>>(
        List<Parameter> parameters, DataType result, Implementation<S> implementation) {
    /** Makes the {@code org.apache.spark.sql.api.java.UDFn} of a signature. */
    @FunctionalInterface
    public interface Implementation<S extends Enum<S>> {
        Object create(S strategy, FunctionOptions options);
    }

    @Override
    public String toString() {
        return parameters.stream().map(Parameter::name).collect(Collectors.joining(", ", "(", ")"));
    }
}
