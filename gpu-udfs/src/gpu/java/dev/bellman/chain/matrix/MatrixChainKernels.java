package dev.bellman.chain.matrix;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link MatrixChainFunctions}. */
public final class MatrixChainKernels {
    private MatrixChainKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("matrix_chain_cost", MatrixChainCostUdf.class, MatrixChainCostKernel::new),
                entry("matrix_chain_order", MatrixChainOrderUdf.class, MatrixChainOrderKernel::new),
                entry("matrix_chain", MatrixChainUdf.class, udf -> new MatrixChainKernel(udf, udf.strategy)),
                entry("triangulation_cost", TriangulationCostUdf.class, MatrixChainCostKernel::new),
                entry("triangulation", TriangulationUdf.class, udf -> new TriangulationKernel(udf, udf.strategy)));
    }
}
