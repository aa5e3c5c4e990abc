package dev.bellman.fold.rna;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;

/**
 * Runs {@code rna_pair_probabilities} on the GPU. A launch's pairs are written while its tables exist, and copied to
 * the result once the lengths of all lists are known.
 */
final class RnaPairsKernel implements ColumnarKernel {
    private static final int BLOCK = 128;

    /** For each row, the number of its pairs, their offset among the pairs of the launch, and their address. */
    private record Found(DeviceMemoryBuffer lengths, long starts, long places) {}

    private final SolverCall call;
    private final CudaModule module = CudaModule.load("fold/rna/ensemble/rna_ensemble");

    RnaPairsKernel(SolverCall call) {
        this.call = call;
    }

    @Override
    public Result evaluate(Batch batch) {
        int count = batch.rows();
        long least = batch.column(1, Types.DOUBLE).values();
        RnaRows rows = new RnaRows(batch, call, RnaRows.Checked.numbers(least, 1), RnaEnsembles::bytes);
        Found found = new Found(
                batch.scratch().zeroInts(count + 1L),
                batch.scratch().allocateLongs(count).getAddress(),
                batch.scratch().allocateLongs(count).getAddress());
        for (Instances.Group group : rows.instances.groups()) {
            RnaEnsembles.solve(
                    group, rows, (from, solved, tables, slot) -> keep(rows, least, found, from, solved, tables, slot));
        }
        Offsets offsets = batch.offsets(found.lengths);
        DeviceMemoryBuffer i = batch.allocateInts(offsets.total());
        DeviceMemoryBuffer j = batch.allocateInts(offsets.total());
        DeviceMemoryBuffer p = batch.allocateDoubles(offsets.total());
        module.kernel("rna_copy_pairs")
                .warps(count, BLOCK)
                .launch(
                        count,
                        offsets.buffer().getAddress(),
                        found.places,
                        i.getAddress(),
                        j.getAddress(),
                        p.getAddress());
        return Result.lists(offsets, Result.struct(Result.ints(i), Result.ints(j), Result.doubles(p)));
    }

    private void keep(RnaRows rows, long least, Found found, int from, int count, long tables, long slot) {
        long order = rows.instances.order().getAddress();
        DeviceMemoryBuffer cursor = rows.batch.scratch().filled(Long.BYTES, (byte) 0);
        module.kernel("rna_count_pairs")
                .grid(count)
                .block(BLOCK)
                .launch(
                        order,
                        from,
                        rows.text.offsets(),
                        least,
                        tables,
                        slot,
                        found.lengths.getAddress(),
                        found.starts,
                        cursor.getAddress());
        long pairs = DeviceArrays.readLongs(cursor, 0, 1)[0];
        rows.batch.scratch().free(cursor);
        long written = rows.batch
                .scratch()
                .allocate(Math.max(1, pairs) * module.constant("ProbablePair"))
                .getAddress();
        module.kernel("rna_write_pairs")
                .grid(count)
                .block(BLOCK)
                .launch(order, from, rows.text.offsets(), least, tables, slot, found.starts, written, found.places);
    }
}
