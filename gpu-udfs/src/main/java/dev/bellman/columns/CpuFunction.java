package dev.bellman.columns;

import dev.bellman.FunctionOptions;
import java.util.List;

/** A function on the CPU: it solves rows that are too large for the GPU, and tells why a row is rejected. */
@FunctionalInterface
public interface CpuFunction {
    /**
     * Calls the function.
     *
     * @param options how; those of the function itself but for where cells are counted
     * @param arguments of a row, as {@link Batch#row} has them
     * @throws dev.bellman.BellmanException if the row is rejected
     */
    Object call(FunctionOptions options, List<Object> arguments);
}
