package dev.bellman.linear;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link LinearFunctions}. */
public final class LinearKernels {
    private LinearKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("lu", EliminationKernel.Lu::new),
                new KernelOf("linear_solve", EliminationKernel.LinearSolve::new),
                new KernelOf("determinant", EliminationKernel.Determinant::new),
                new KernelOf("linear_least_squares", LeastSquaresKernel::new));
    }
}
