package dev.bellman.align.search;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link SearchFunctions}. */
public final class SearchKernels {
    private SearchKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("edit_distance_infix", call -> new EditSearchKernel(call, true, false)),
                new KernelOf("edit_distance_infix_position", call -> new EditSearchKernel(call, true, true)),
                new KernelOf("edit_distance_prefix", call -> new EditSearchKernel(call, false, false)),
                new KernelOf("edit_distance_prefix_position", call -> new EditSearchKernel(call, false, true)),
                new KernelOf("edit_distance_infix_all", EditSearchAllKernel::new));
    }
}
