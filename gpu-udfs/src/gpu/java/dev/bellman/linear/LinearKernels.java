package dev.bellman.linear;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link LinearFunctions}. */
public final class LinearKernels {
    private LinearKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("lu", LuUdf.class, EliminationKernel.Lu::new),
                entry("linear_solve", LinearSolveUdf.class, EliminationKernel.LinearSolve::new),
                entry("determinant", DeterminantUdf.class, EliminationKernel.Determinant::new));
    }
}
