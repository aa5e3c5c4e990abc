package dev.bellman.linear;

import dev.bellman.columns.TaskGpu;
import dev.bellman.cuda.CudaModule;
import dev.bellman.large.tiles.TileGpu;

/** Creates instances of {@link EliminationOnGpu} and {@link LargeElimination}. */
public final class MatrixOnGpu implements EliminationGpu {
    @Override
    public long memory() {
        long memory = new TaskGpu().memory();
        return EliminationKernel.fitsTiles(CudaModule.load("linear/elimination")) ? memory : 0;
    }

    @Override
    public TileGpu open(int n, int columns, double largest, long memory) {
        return new LargeElimination(n, columns, largest, memory);
    }

    @Override
    public Matrix matrix(EliminationPivots pivots, int n, int columns, double largest, int rows) {
        return new EliminationOnGpu(pivots, n, columns, largest, rows);
    }
}
