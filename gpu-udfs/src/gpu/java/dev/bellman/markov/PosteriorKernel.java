package dev.bellman.markov;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;

/**
 * Computes the probabilities of the states of hidden Markov models on the GPU. A table is computed in the memory of its
 * result.
 */
record PosteriorKernel(SolverCall call) implements ColumnarKernel {
    /** The offsets of each row's steps and probabilities; a row without a result has none. */
    private record Tables(Offsets steps, Offsets numbers) {
        private static Tables of(Batch batch, Sweeps sweeps) {
            int rows = batch.rows();
            DeviceMemoryBuffer steps = batch.allocateInts(rows + 1L);
            DeviceMemoryBuffer numbers = batch.allocateInts(rows + 1L);
            CudaModule.load(Sweeps.MODULE)
                    .kernel("posterior_lengths")
                    .threads(rows, Sweeps.BLOCK)
                    .launch(
                            rows,
                            sweeps.calls(),
                            sweeps.instances().classified(),
                            steps.getAddress(),
                            numbers.getAddress());
            return new Tables(batch.offsets(steps), batch.offsets(numbers));
        }

        private Sweeps.Answers answers(DeviceMemoryBuffer probabilities) {
            return new Sweeps.Answers(numbers.buffer().getAddress(), probabilities.getAddress());
        }
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load(Sweeps.MODULE);
        int most = GpuMemory.ofSession().largest(Sweeps.unit());
        Sweeps sweeps = Sweeps.of(batch, call, key -> most);
        Tables tables = Tables.of(batch, sweeps);
        DeviceMemoryBuffer probabilities =
                batch.allocateDoubles(tables.numbers().total());
        if (sweeps.solve("posterior_", tables.answers(probabilities))) {
            Tables fewer = Tables.of(batch, sweeps);
            DeviceMemoryBuffer moved = batch.allocateDoubles(fewer.numbers().total());
            module.kernel("posterior_move")
                    .warps(batch.rows(), Sweeps.BLOCK)
                    .launch(
                            batch.rows(),
                            sweeps.instances().classified(),
                            tables.answers(probabilities),
                            fewer.answers(moved));
            tables = fewer;
            probabilities = moved;
        }
        DeviceMemoryBuffer offsets = batch.allocateInts(tables.steps().total() + 1L);
        module.kernel("posterior_step_offsets")
                .warps(batch.rows(), Sweeps.BLOCK)
                .launch(
                        batch.rows(),
                        sweeps.calls(),
                        sweeps.instances().classified(),
                        tables.steps().buffer().getAddress(),
                        tables.numbers().buffer().getAddress(),
                        offsets.getAddress());
        return Result.lists(
                tables.steps(),
                Result.lists(new Offsets(offsets, tables.numbers().total()), Result.doubles(probabilities)));
    }
}
