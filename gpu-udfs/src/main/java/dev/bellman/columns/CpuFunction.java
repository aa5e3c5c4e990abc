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
     * @param options the function's own options, except that the caller chooses where cells are counted
     * @param arguments the arguments of a row, as {@link Batch#row} returns them
     * @throws dev.bellman.BellmanException if the row is rejected
     */
    Object call(FunctionOptions options, List<Object> arguments);
}
