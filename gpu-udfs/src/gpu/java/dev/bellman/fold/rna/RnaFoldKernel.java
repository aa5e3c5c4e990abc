package dev.bellman.fold.rna;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.HostColumnVector.StructType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.fold.Structures;
import dev.bellman.fold.rna.energy.LoopEnergies;

/** Foldings of RNAs on the GPU, one block each. See {@code fold/rna/rna_fold.cu}. */
final class RnaFoldKernel implements ColumnarKernel {
    private static final DataType DOUBLE = new BasicType(true, DType.FLOAT64);
    private static final int BLOCK = 128;
    private static final int WARP = 32;
    /** Of bases in shared memory: a base, and its place in a list. */
    private static final int SHARED_BYTES = 3;

    private final RnaUdf.Folding<?> udf;
    private final boolean withStructure;
    private final CudaModule module = CudaModule.load("fold/rna/rna_fold");

    RnaFoldKernel(RnaUdf.Folding<?> udf, boolean withStructure) {
        this.udf = udf;
        this.withStructure = withStructure;
    }

    @Override
    public DataType type() {
        return withStructure ? new StructType(true, DOUBLE, new BasicType(true, DType.STRING)) : DOUBLE;
    }

    @Override
    public Result evaluate(Batch batch) {
        int rows = batch.rows();
        DeviceColumn text = batch.strings(0);
        RnaModels models = new RnaModels(batch, module, udf.function());
        GpuMemory memory = GpuMemory.ofSession();
        int most = memory.largest(LoopEnergies.MAX_LENGTH, this::bytes);
        int sizes = module.constant("SIZES");
        long longest = models.longest();
        Instances instances = new Instances(
                batch,
                udf.options(),
                udf::onCpu,
                Math.max(1, models.count()) * sizes,
                key -> most,
                classified -> module.kernel("rna_classify")
                        .threads((long) WARP * rows, BLOCK)
                        .launch(
                                rows,
                                batch.validity(),
                                text.offsets(),
                                text.values(),
                                models.ofRows(),
                                models.count(),
                                longest,
                                classified));
        DeviceMemoryBuffer energies = batch.allocate((long) Double.BYTES * rows);
        // at the places of the letters
        DeviceMemoryBuffer structures = batch.allocate(withStructure ? text.valueBytes() : 0);
        for (Instances.Group group : instances.groups()) {
            solve(group, instances, models.get(group.key() / sizes), memory, text, energies, structures);
        }
        Result least = Result.doubles(energies);
        return withStructure ? Result.struct(least, Structures.column(batch, instances, text, structures)) : least;
    }

    private void solve(
            Instances.Group group,
            Instances instances,
            RnaModels.Energies energies,
            GpuMemory memory,
            DeviceColumn text,
            DeviceMemoryBuffer least,
            DeviceMemoryBuffer structures) {
        Kernel fold = module.kernel("rna_fold");
        long slot = bytes(group.largest());
        int together = memory.together(group.count(), slot);
        int threads = Structures.threads(fold, group.largest(), module.constant("MAX_THREADS"), together);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer tables = scratch.allocate(slot * together);
            for (int from = group.from(); from < group.to(); from += together) {
                fold.grid(Math.min(together, group.to() - from))
                        .block(threads)
                        .sharedMemory(SHARED_BYTES * group.largest())
                        .launch(
                                instances.order().getAddress(),
                                from,
                                text.offsets(),
                                text.values(),
                                energies,
                                tables.getAddress(),
                                slot,
                                least.getAddress(),
                                withStructure ? structures.getAddress() : 0L);
            }
        }
    }

    /** Of a table: {@code FoldTable} in {@code fold/rna/fold_table.cuh}. */
    private long bytes(long n) {
        long ofBase = module.constant("WORDS_OF_BASE") + n / module.constant("BASES_OF_CANDIDATE") * 2;
        long words = n * (n + 1) + ofBase * n + module.constant("MORE_WORDS");
        return (words * Integer.BYTES + 255) / 256 * 256;
    }
}
