package dev.bellman.linear;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/**
 * Solves linear least squares on the GPU. One block solves a system, in shared memory if the system fits. See {@code
 * linear/least_squares.cu}.
 */
record LeastSquaresKernel(SolverCall call) implements ColumnarKernel {
    private static final int BLOCK = 128;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("linear/least_squares");
        Matrices matrices = Matrices.of(batch.column(0, EliminationKernel.MATRIX));
        DeviceColumn right = batch.column(1, EliminationKernel.LIST);
        Vectors vectors = Vectors.of(right);
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(batch.rows() + 1L);
        long found = batch.allocateDoubles(right.elements().rows()).getAddress();
        GpuMemory memory = GpuMemory.ofSession();
        int most = (int) Math.min(Integer.MAX_VALUE, memory.perInstance() / Double.BYTES);
        Instances instances =
                new Instances(batch, call, module.constant("CLASSES"), key -> most, classified -> module.kernel(
                                "least_squares_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), matrices, vectors, classified));
        for (Instances.Group group : instances.groups()) {
            solve(module, memory, instances, group, matrices, vectors, counts.getAddress(), found);
        }
        instances.regroup();
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer solutions = batch.allocateDoubles(offsets.total());
        module.kernel("least_squares_write")
                .warps(batch.rows(), BLOCK)
                .launch(batch.rows(), vectors, found, offsets.buffer().getAddress(), solutions.getAddress());
        return Result.lists(offsets, Result.doubles(solutions));
    }

    private static void solve(
            CudaModule module,
            GpuMemory memory,
            Instances instances,
            Instances.Group group,
            Matrices matrices,
            Vectors vectors,
            long counts,
            long found) {
        Kernel kernel = module.kernel("least_squares");
        int threads = Kernel.WARP << group.key() / module.constant("SIZES");
        long bytes = (long) Double.BYTES * group.largest();
        boolean inShared = bytes + 1024 <= kernel.device().sharedMemoryPerBlock();
        int blocks = inShared
                ? group.count()
                : memory.together(Math.min(group.count(), kernel.residentBlocks(threads, 0)), bytes);
        try (Scratch scratch = new Scratch()) {
            kernel.grid(blocks)
                    .block(threads)
                    .sharedMemory(inShared ? (int) bytes : 0)
                    .launch(
                            instances.order().getAddress(),
                            group.from(),
                            group.to(),
                            inShared ? 0 : scratch.allocate(bytes * blocks).getAddress(),
                            (long) group.largest(),
                            matrices,
                            vectors,
                            counts,
                            found,
                            instances.classified());
        }
    }
}
