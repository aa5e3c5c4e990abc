package dev.bellman.series;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.cuda.CudaModule;

/**
 * The alignments of a batch's pairs. They are found from the steps that the kernels store for all cells of a table. See
 * {@code series/path.cu}.
 *
 * @param counts the length of each alignment, as int32, with one extra entry
 * @param steps the steps of the alignments, starting from their ends, one byte each
 */
record SeriesPaths(DeviceMemoryBuffer counts, DeviceMemoryBuffer steps) {
    private static final int BLOCK = 128;

    /** @param points the total number of points in all series of both arguments */
    static SeriesPaths of(Batch batch, long points) {
        return new SeriesPaths(batch.scratch().zeroInts(batch.rows() + 1L), batch.allocate(points));
    }

    /**
     * Finds the alignments of the pairs {@code order[from]} to {@code order[to - 1]}.
     *
     * @param slots the address of the pairs' slots, which have {@code slotBytes} bytes each
     * @param all whether the tables were computed by whole warps instead of a few lanes
     */
    void walk(
            SeriesKernel.Calls calls,
            SeriesKernel.Answers answers,
            long order,
            int from,
            int to,
            long slots,
            long slotBytes,
            boolean all) {
        int lanes = CudaModule.load("series/batch").constant(all ? "ALL_LANES" : "FEW_LANES");
        module().kernel("series_walk")
                .warps(to - from, BLOCK)
                .launch(order, from, to - from, calls, answers, slots, slotBytes, lanes, steps.getAddress());
    }

    /** Returns the alignments of all rows. */
    Result cells(Batch batch, SeriesKernel.Calls calls, Instances instances) {
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer a = batch.allocateInts(offsets.total());
        DeviceMemoryBuffer b = batch.allocateInts(offsets.total());
        module().kernel("series_path_cells")
                .warps(batch.rows(), BLOCK)
                .launch(
                        batch.rows(),
                        calls,
                        instances.classified(),
                        steps.getAddress(),
                        offsets.buffer().getAddress(),
                        a.getAddress(),
                        b.getAddress());
        return Result.lists(offsets, Result.struct(Result.ints(a), Result.ints(b)));
    }

    private static CudaModule module() {
        return CudaModule.load("series/path");
    }
}
