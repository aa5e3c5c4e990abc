package dev.bellman.graph;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link GraphFunctions}. */
public final class GraphKernels {
    private GraphKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("shortest_paths", call -> new ShortestPathsKernel(call, false)),
                new KernelOf("shortest_path_next", call -> new ShortestPathsKernel(call, true)));
    }
}
