package dev.bellman.entry;

import dev.bellman.FunctionOptions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataType;

/**
 * One way to call a function: its parameters, its result type, the {@code UDFn} with as many parameters, and what it is
 * checked with.
 *
 * @param generator makes instances that are hard to get right
 * @param oracle defines the answers
 */
public record Signature<S extends Enum<S>>(
        List<Parameter> parameters,
        DataType result,
        Implementation<S> implementation,
        InstanceGenerator generator,
        Oracle oracle) {
    /** Makes the {@code org.apache.spark.sql.api.java.UDFn} of a signature. */
    @FunctionalInterface
    public interface Implementation<S extends Enum<S>> {
        Object create(S strategy, FunctionOptions options);
    }

    public Signature {
        Objects.requireNonNull(implementation, "implementation");
        Objects.requireNonNull(generator, "generator");
        Objects.requireNonNull(oracle, "oracle");
    }

    @Override
    public String toString() {
        return parameters.stream().map(Parameter::name).collect(Collectors.joining(", ", "(", ")"));
    }
}
