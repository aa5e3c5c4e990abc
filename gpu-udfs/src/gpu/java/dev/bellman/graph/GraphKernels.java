package dev.bellman.graph;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link GraphFunctions}. */
public final class GraphKernels {
    private GraphKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("shortest_paths", GraphUdf.class, ShortestPathsKernel::new),
                entry("shortest_path_next", GraphUdf.class, ShortestPathsKernel::new));
    }
}
