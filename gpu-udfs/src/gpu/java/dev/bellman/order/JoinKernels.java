package dev.bellman.order;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import dev.bellman.columns.SolverUdf;
import java.util.List;

/** The kernel of {@link JoinFunctions}. */
public final class JoinKernels {
    private JoinKernels() {}

    public static List<KernelOf> list() {
        return List.of(entry("join_order", SolverUdf.class, JoinOrderKernel::new));
    }
}
