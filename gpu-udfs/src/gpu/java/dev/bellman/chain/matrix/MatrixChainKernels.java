package dev.bellman.chain.matrix;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link MatrixChainFunctions}. */
public final class MatrixChainKernels {
    private MatrixChainKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("matrix_chain_cost", MatrixChainCostUdf.class, udf -> new MatrixChainCostKernel(udf, udf.strategy, udf.firstSharedPhase)),
                entry("matrix_chain_order", MatrixChainOrderUdf.class, udf -> new MatrixChainOrderKernel(udf, udf.strategy)),
                entry("matrix_chain", MatrixChainUdf.class, udf -> new MatrixChainKernel(udf, udf.strategy)),
                entry("triangulation_cost", TriangulationCostUdf.class, udf -> new MatrixChainCostKernel(udf, udf.strategy, 1)),
                entry("triangulation", TriangulationUdf.class, udf -> new TriangulationKernel(udf, udf.strategy)));
    }
}
