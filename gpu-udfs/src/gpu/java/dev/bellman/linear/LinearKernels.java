package dev.bellman.linear;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link LinearFunctions}. */
public final class LinearKernels {
    private LinearKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                KernelOf.call("lu", EliminationKernel.Lu::new),
                KernelOf.call("linear_solve", EliminationKernel.LinearSolve::new),
                KernelOf.call("determinant", EliminationKernel.Determinant::new));
    }
}
