package dev.bellman.order;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernel of {@link JoinFunctions}. */
public final class JoinKernels {
    private JoinKernels() {}

    public static List<KernelOf> list() {
        return List.of(new KernelOf("join_order", JoinOrderKernel::new));
    }
}
