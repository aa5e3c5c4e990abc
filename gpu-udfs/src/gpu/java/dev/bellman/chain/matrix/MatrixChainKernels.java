package dev.bellman.chain.matrix;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link MatrixChainFunctions}. */
public final class MatrixChainKernels {
    private MatrixChainKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("matrix_chain_cost", MatrixChainCostKernel::new),
                new KernelOf("matrix_chain_order", MatrixChainOrderKernel::new),
                new KernelOf("matrix_chain", MatrixChainKernel::new),
                new KernelOf("triangulation_cost", MatrixChainCostKernel::new),
                new KernelOf("triangulation", TriangulationKernel::new));
    }
}
