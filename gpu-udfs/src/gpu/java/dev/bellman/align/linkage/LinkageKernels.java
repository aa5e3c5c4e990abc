package dev.bellman.align.linkage;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link LinkageFunctions}. */
public final class LinkageKernels {
    private LinkageKernels() {}

    public static List<KernelOf> list() {
        return List.of(new KernelOf(TextClusters.FUNCTION, TextClustersKernel::new));
    }
}
