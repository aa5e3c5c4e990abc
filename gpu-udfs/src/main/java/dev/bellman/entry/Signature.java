package dev.bellman.entry;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataType;

/**
 * One way to call a function by position: its parameters, its result type, the {@code UDFn} with as many parameters,
 * and what it is checked with.
 *
 * @param proof the generator of instances and the oracle
 */
public record Signature<S extends Enum<S>>(
        List<Parameter> parameters, DataType result, Implementation<S> implementation, Supplier<Proof> proof) {
    /** Makes the {@code org.apache.spark.sql.api.java.UDFn} of a signature. */
    @FunctionalInterface
    public interface Implementation<S extends Enum<S>> {
        Object create(S strategy, FunctionOptions options);
    }

    /**
     * A signature of a function whose signatures are listed one by one.
     *
     * @param generator makes instances that are hard to get right
     * @param oracle defines the answers
     */
    public Signature(
            List<Parameter> parameters,
            DataType result,
            Implementation<S> implementation,
            InstanceGenerator generator,
            Oracle oracle) {
        this(parameters, result, implementation, new Given(new Proof("", generator, oracle)));
    }

    /** Signatures with the same proof are equal. */
    private record Given(Proof proof) implements Supplier<Proof> {
        @Override
        public Proof get() {
            return proof;
        }
    }

    /** Makes instances that are hard to get right. */
    public InstanceGenerator generator() {
        return proof.get().generator();
    }

    /** Defines the answers. */
    public Oracle oracle() {
        return proof.get().oracle();
    }

    /** Whether the GPU has a kernel for these parameters and a strategy. */
    public boolean hasKernel(S strategy) {
        return implementation.create(strategy, FunctionOptions.DEFAULT) instanceof ColumnarFunction columnar
                && columnar.hasKernel();
    }

    @Override
    public String toString() {
        return parameters.stream().map(Parameter::name).collect(Collectors.joining(", ", "(", ")"));
    }
}
