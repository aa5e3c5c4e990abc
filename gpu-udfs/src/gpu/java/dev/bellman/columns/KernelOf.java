package dev.bellman.columns;

import java.util.function.Function;

/**
 * The kernel of a function, as an entry in the list of a function family.
 *
 * @param name the function's SQL name
 * @param kernel creates the kernel for a call
 */
public record KernelOf(String name, Function<SolverCall, ColumnarKernel> kernel) {}
