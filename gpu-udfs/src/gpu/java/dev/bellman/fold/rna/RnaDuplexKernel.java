package dev.bellman.fold.rna;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Runs {@code rna_duplex} on the GPU. One block per row fills a table; then one warp traces the helix back through it.
 * The CPU solves pairs of strands whose table has more diagonals than a block has threads or does not fit in shared
 * memory. See {@code fold/rna/rna_duplex.cu}.
 */
final class RnaDuplexKernel implements ColumnarKernel {
    /** The addresses of the results for each row ({@code Helices} in {@code fold/rna/duplex_trace.cu}). */
    record Helices(
            long energies, long bound, long texts, long lengths, long beginA, long endA, long beginB, long endB) {}

    private static final int BLOCK = 128;
    /** The number of bytes of shared memory that are not available to a table. */
    private static final int RESERVED = 64;
    /** The number of representations of energies: as 32-bit and as 16-bit numbers. */
    private static final int KINDS = 2;
    /** The major version of the first compute capability with instructions for two 16-bit numbers at a time. */
    private static final int HOPPER = 9;

    private final SolverCall call;
    private final CudaModule module = CudaModule.load("fold/rna/rna_duplex");
    private final CudaModule traces = CudaModule.load("fold/rna/duplex_trace");
    private final int sizes = module.constant("DUPLEX_SIZES");

    RnaDuplexKernel(SolverCall call) {
        this.call = call;
    }

    @Override
    public Result evaluate(Batch batch) {
        RnaModels models = RnaModels.of(batch, call, FoldOptions::ofStrands);
        DeviceColumn a = batch.strings(0);
        DeviceColumn b = batch.strings(1);
        Instances instances = classified(batch, models, a, b);
        int rows = batch.rows();
        DeviceMemoryBuffer energies = batch.allocateDoubles(rows);
        DeviceMemoryBuffer bound = batch.emptyMask(rows);
        DeviceMemoryBuffer texts = batch.scratch().allocate(a.valueBytes() + b.valueBytes() + rows);
        DeviceMemoryBuffer lengths = batch.scratch().zeroInts(rows + 1L);
        DeviceMemoryBuffer beginA = batch.allocateInts(batch.rows());
        DeviceMemoryBuffer endA = batch.allocateInts(batch.rows());
        DeviceMemoryBuffer beginB = batch.allocateInts(batch.rows());
        DeviceMemoryBuffer endB = batch.allocateInts(batch.rows());
        Helices to = new Helices(
                energies.getAddress(),
                bound.getAddress(),
                texts.getAddress(),
                lengths.getAddress(),
                beginA.getAddress(),
                endA.getAddress(),
                beginB.getAddress(),
                endB.getAddress());
        for (Instances.Group group : instances.groups()) {
            solve(instances, group, a, b, models.get(group.key() / sizes / KINDS), to);
        }
        return Result.struct(
                Result.doubles(energies).withNulls(bound),
                structures(batch, a, b, texts, lengths),
                Result.ints(beginA),
                Result.ints(endA),
                Result.ints(beginB),
                Result.ints(endB));
    }

    private Instances classified(Batch batch, RnaModels models, DeviceColumn a, DeviceColumn b) {
        int most = Device.current().sharedMemoryPerBlock() - RESERVED;
        long longest = models.longest();
        long narrow = narrow(batch, models);
        return new Instances(
                batch, call, Math.max(1, models.count()) * KINDS * sizes, key -> most, classified -> module.kernel(
                                "rna_duplex_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(
                                batch.rows(),
                                batch.validity(),
                                a.offsets(),
                                a.values(),
                                b.offsets(),
                                b.values(),
                                models.ofRows(),
                                models.count(),
                                longest,
                                narrow,
                                classified));
    }

    /** Returns the address of an int32 for each model: the result of {@link #narrowPairs}. */
    private long narrow(Batch batch, RnaModels models) {
        int[] pairs = new int[RnaModels.MAX_MODELS];
        for (int model = 0; model < models.count() && Device.current().major() >= HOPPER; model++) {
            pairs[model] = narrowPairs(
                    models.energies(model),
                    module.constant("NARROW_PARAMETER"),
                    module.constant("BULGE_SIZES"),
                    module.constant("HELIX_ROOM"));
        }
        return DeviceArrays.writeInts(batch.scratch(), pairs).getAddress();
    }

    /**
     * Returns the maximum number of pairs in a helix for which all energies fit in 16 bits. See
     * {@code fold/rna/duplex_loops.cuh}.
     *
     * @param most the largest allowed magnitude of an energy parameter
     * @param sizes the index where the costs of bulges begin in {@link LoopEnergies#flat}
     * @param room the maximum magnitude of the total contribution of a helix's pairs
     */
    static int narrowPairs(LoopEnergies energies, int most, int sizes, int room) {
        int[] flat = energies.flat();
        int singles = sizes + 3 * (LoopEnergies.MAX_INTERNAL + 1);
        int strand = singles + 4;
        if (!NarrowFolds.areSmall(energies, most, sizes) || Math.abs(flat[strand]) > most) {
            return 0;
        }
        int lowest = IntStream.concat(Arrays.stream(flat, 0, sizes), Arrays.stream(flat, singles, strand))
                .min()
                .orElseThrow();
        return room / (2 * Math.max(1, -lowest));
    }

    private void solve(
            Instances instances,
            Instances.Group group,
            DeviceColumn a,
            DeviceColumn b,
            RnaModels.Energies energies,
            Helices to) {
        // at least one thread for each diagonal
        int threads = (int) Math.max(Kernel.WARP, 1L << (Integer.SIZE - group.key() % sizes));
        long slot = (threads / 2 + 1L) * (threads / 2 + 1L);
        int together = GpuMemory.ofSession().together(group.count(), Integer.BYTES * slot);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer tables = scratch.allocate(Integer.BYTES * slot * together);
            DeviceMemoryBuffer bests = scratch.allocateLongs(together);
            // the maximum total number of bases in both strands
            int longest = threads + 1;
            for (int from = group.from(); from < group.to(); from += together) {
                int count = Math.min(together, group.to() - from);
                module.kernel(group.key() / sizes % KINDS == 0 ? "rna_duplex" : "rna_duplex_narrow")
                        .grid(count)
                        .block(threads)
                        .sharedMemory(group.largest())
                        .launch(
                                instances.order().getAddress(),
                                from,
                                a.offsets(),
                                a.values(),
                                b.offsets(),
                                b.values(),
                                energies,
                                tables.getAddress(),
                                slot,
                                bests.getAddress());
                traces.kernel("rna_duplex_trace")
                        .warps(count, BLOCK)
                        .sharedMemory(2 * longest * (BLOCK / Kernel.WARP))
                        .launch(
                                instances.order().getAddress(),
                                from,
                                count,
                                a.offsets(),
                                a.values(),
                                b.offsets(),
                                b.values(),
                                energies,
                                tables.getAddress(),
                                slot,
                                bests.getAddress(),
                                longest,
                                to);
            }
        }
    }

    private Result structures(
            Batch batch, DeviceColumn a, DeviceColumn b, DeviceMemoryBuffer texts, DeviceMemoryBuffer lengths) {
        Offsets offsets = batch.offsets(lengths);
        DeviceMemoryBuffer letters = batch.allocate(offsets.total());
        traces.kernel("rna_duplex_copy")
                .warps(batch.rows(), BLOCK)
                .launch(
                        batch.rows(),
                        a.offsets(),
                        b.offsets(),
                        texts.getAddress(),
                        offsets.buffer().getAddress(),
                        letters.getAddress());
        return Result.strings(offsets, letters);
    }
}
