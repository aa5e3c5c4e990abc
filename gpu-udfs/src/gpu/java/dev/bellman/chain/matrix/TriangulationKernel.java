package dev.bellman.chain.matrix;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;

/** Computes the cost and the triangles of a polygon on the GPU, using the corresponding chain. */
final class TriangulationKernel implements ColumnarKernel {
    private static final int BLOCK = 128;

    private final SolverCall call;

    TriangulationKernel(SolverCall call) {
        this.call = call;
    }

    @Override
    public Result evaluate(Batch batch) {
        ChainBatch chains = ChainBatch.checked(batch, call);
        ChainBatch.Lengths lengths = chains.lengths();
        Offsets textOffsets = batch.offsets(lengths.text());
        Offsets offsets = batch.offsets(lengths.splits());
        DeviceMemoryBuffer text = batch.allocate(textOffsets.total());
        DeviceMemoryBuffer splits = batch.allocateInts(offsets.total());
        DeviceMemoryBuffer positions = batch.allocateInts(offsets.total());
        DeviceMemoryBuffer a = batch.allocateInts(offsets.total());
        DeviceMemoryBuffer b = batch.allocateInts(offsets.total());
        DeviceMemoryBuffer c = batch.allocateInts(offsets.total());
        CudaModule module = CudaModule.load("chain/matrix/triangulation");
        chains.solve(textOffsets, text, offsets, splits);
        module.kernel("chain_triangles")
                .warps(batch.rows(), BLOCK)
                .launch(
                        batch.rows(),
                        offsets.buffer().getAddress(),
                        splits.getAddress(),
                        positions.getAddress(),
                        a.getAddress(),
                        b.getAddress(),
                        c.getAddress());
        return Result.struct(
                Result.longs(chains.costs()),
                Result.lists(offsets, Result.struct(Result.ints(a), Result.ints(b), Result.ints(c))));
    }
}
