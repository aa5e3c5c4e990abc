package dev.bellman.columns;

import dev.bellman.FunctionOptions;
import java.util.List;

/**
 * The CPU implementation of a function, which solves rows that are too large for the GPU and reports why a row was
 * rejected.
 */
@FunctionalInterface
public interface CpuFunction {
    /**
     * Calls the function.
     *
     * @param options the function's options, but with the caller's cell counter
     * @param arguments the arguments for one row, as returned by {@link Batch#row}
     * @throws dev.bellman.BellmanException if the row is rejected
     */
    Object call(FunctionOptions options, List<Object> arguments);
}
