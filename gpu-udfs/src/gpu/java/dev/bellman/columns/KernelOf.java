package dev.bellman.columns;

import java.util.function.Function;

/**
 * The kernel of a function: an entry in the list of a family.
 *
 * @param name the function's name in SQL
 * @param kernel creates the kernel for the function on the CPU
 */
public record KernelOf(String name, Function<ColumnarFunction, ColumnarKernel> kernel) {
    /** The kernel of a function whose calls are {@link SolverCall}s, like those of catalogue entries. */
    public static KernelOf call(String name, Function<SolverCall, ColumnarKernel> kernel) {
        return entry(name, SolverCall.class, kernel);
    }

    public static <F extends ColumnarFunction> KernelOf entry(
            String name, Class<F> type, Function<F, ColumnarKernel> kernel) {
        return new KernelOf(name, function -> kernel.apply(type.cast(function)));
    }
}
