package dev.bellman.columns;

import java.util.function.Function;

/**
 * The kernel of a function: an entry in the list of a family.
 *
 * @param name the function's name in SQL
 * @param kernel creates the kernel for a call
 */
public record KernelOf(String name, Function<SolverCall, ColumnarKernel> kernel) {}
