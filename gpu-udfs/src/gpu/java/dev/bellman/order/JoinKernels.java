package dev.bellman.order;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link JoinFunctions}. */
public final class JoinKernels {
    private JoinKernels() {}

    public static List<KernelOf> list() {
        return List.of(new KernelOf("join_order", JoinOrderKernel::new));
    }
}
