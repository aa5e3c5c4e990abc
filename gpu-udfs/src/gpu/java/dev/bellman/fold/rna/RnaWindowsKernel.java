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
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@code rna_fold_windows} on the GPU. Copies the windows one after another, and folds each like a separate
 * sequence. See {@code fold/rna/rna_windows.cu}.
 */
final class RnaWindowsKernel implements ColumnarKernel {
    /** The addresses of the windows' fields ({@code Windows} in the kernel's source). */
    record Windows(long begins, long behinds, long ends, long sources) {}

    private static final int BLOCK = 128;

    private final SolverCall call;
    private final CudaModule module = CudaModule.load("fold/rna/rna_windows");

    RnaWindowsKernel(SolverCall call) {
        this.call = call;
    }

    @Override
    public Result evaluate(Batch batch) {
        RnaRows.Checked sizes = new RnaRows.Checked(
                0,
                0,
                batch.column(1, Types.INT).values(),
                batch.column(2, Types.INT).values());
        RnaRows rows = new RnaRows(batch, call, sizes, RnaFoldKernel::bytes);
        DeviceMemoryBuffer counts = batch.allocateInts(batch.rows() + 1L);
        DeviceMemoryBuffer letters = batch.allocateInts(batch.rows() + 1L);
        module.kernel("rna_window_counts")
                .threads(batch.rows() + 1L, BLOCK)
                .launch(
                        batch.rows(),
                        rows.text.offsets(),
                        sizes.windows(),
                        sizes.steps(),
                        rows.instances.classified(),
                        counts.getAddress(),
                        letters.getAddress());
        return fold(batch, rows, sizes, batch.offsets(counts), batch.offsets(letters));
    }

    private Result fold(Batch batch, RnaRows rows, RnaRows.Checked sizes, Offsets windows, Offsets letters) {
        int count = windows.total();
        DeviceMemoryBuffer begins = batch.allocateInts(count);
        DeviceMemoryBuffer behinds = batch.allocateInts(count);
        DeviceMemoryBuffer offsets = batch.scratch().zeroInts(count + 1L);
        DeviceMemoryBuffer sources = batch.allocateInts(count);
        DeviceMemoryBuffer order = batch.allocateInts(count);
        Windows to = new Windows(
                begins.getAddress(), behinds.getAddress(), offsets.getAddress() + Integer.BYTES, sources.getAddress());
        List<Instances.Group> groups = groups(rows, sizes, windows, letters, to, order);
        DeviceMemoryBuffer text = batch.allocate(letters.total());
        module.kernel("rna_window_text")
                .warps(count, BLOCK)
                .launch(count, sources.getAddress(), rows.text.values(), offsets.getAddress(), text.getAddress());
        DeviceMemoryBuffer energies = batch.allocateDoubles(count);
        DeviceMemoryBuffer structures = batch.allocate(letters.total());
        RnaRows.Sequences sequences =
                new RnaRows.Sequences(order.getAddress(), offsets.getAddress(), text.getAddress());
        for (Instances.Group group : groups) {
            RnaFoldKernel.solve(group, rows, sequences, energies.getAddress(), structures.getAddress());
        }
        return Result.lists(
                windows,
                Result.struct(
                        Result.ints(begins),
                        Result.ints(behinds),
                        Result.doubles(energies),
                        Result.strings(new Offsets(offsets, letters.total()), structures)));
    }

    /** Finds the windows of each group of rows. Returns the groups of windows, which are positions in {@code order}. */
    private List<Instances.Group> groups(
            RnaRows rows,
            RnaRows.Checked sizes,
            Offsets windows,
            Offsets letters,
            Windows to,
            DeviceMemoryBuffer order) {
        DeviceMemoryBuffer cursor = rows.batch.scratch().zeroInts(1);
        List<Instances.Group> groups = new ArrayList<>();
        int from = 0;
        for (Instances.Group group : rows.instances.groups()) {
            module.kernel("rna_window_places")
                    .warps(group.count(), BLOCK)
                    .launch(
                            rows.instances.order().getAddress(),
                            group.from(),
                            group.count(),
                            rows.text.offsets(),
                            sizes.windows(),
                            sizes.steps(),
                            windows.buffer().getAddress(),
                            letters.buffer().getAddress(),
                            to,
                            order.getAddress(),
                            cursor.getAddress());
            int behind = DeviceArrays.readInts(cursor, 0, 1)[0];
            if (behind > from) {
                groups.add(new Instances.Group(group.key(), from, behind, group.largest()));
            }
            from = behind;
        }
        return groups;
    }
}
