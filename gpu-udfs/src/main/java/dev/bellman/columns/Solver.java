package dev.bellman.columns;

import dev.bellman.FunctionOptions;
import java.io.Serializable;

/** Solves a call of a function on the CPU, by one of the strategies of its problem. */
@FunctionalInterface
public interface Solver<S extends Enum<S>> extends Serializable {
    /**
     * Solves one row and counts its cells.
     *
     * @param options the counter of cells; the caller treats rejected rows
     * @return the result as a Java UDF returns it; a STRING may also be a {@code UTF8String}
     * @throws dev.bellman.BellmanException if the function rejects the row
     */
    Object solve(S strategy, FunctionOptions options, Arguments arguments);
}
