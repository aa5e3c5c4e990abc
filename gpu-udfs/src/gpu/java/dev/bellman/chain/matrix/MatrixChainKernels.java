package dev.bellman.chain.matrix;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link MatrixChainFunctions}. */
public final class MatrixChainKernels {
    private MatrixChainKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("matrix_chain_cost", MatrixChainCostKernel::of),
                KernelOf.call("matrix_chain_order", MatrixChainOrderKernel::new),
                KernelOf.call("matrix_chain", MatrixChainKernel::new),
                KernelOf.call("triangulation_cost", MatrixChainCostKernel::new),
                KernelOf.call("triangulation", TriangulationKernel::new));
    }
}
