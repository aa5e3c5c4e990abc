package dev.bellman.columns;

import dev.bellman.FunctionOptions;
import java.io.Serializable;

/** Solves a function call on the CPU with one of its problem's strategies. */
@FunctionalInterface
public interface Solver<S extends Enum<S>> extends Serializable {
    /**
     * Solves one row and counts its cells.
     *
     * @param options provides the cell counter; the caller handles rejected rows
     * @return the result in the form that a Java UDF returns; a STRING may also be a {@code UTF8String}
     * @throws dev.bellman.BellmanException if the function rejects the row
     */
    Object solve(S strategy, FunctionOptions options, Arguments arguments);
}
