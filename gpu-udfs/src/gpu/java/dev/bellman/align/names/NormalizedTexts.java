package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import com.nvidia.spark.rapids.jni.GpuSplitAndRetryOOM;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.ModuleInterface;
import java.nio.IntBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Runs a kernel on the normalized strings of the rows whose argument {@code normalize} is true. The kernel's limits
 * apply to the normalized strings. Rows that the kernel leaves to the CPU are normalized there again.
 */
record NormalizedTexts(SolverCall call, ColumnarKernel kernel) implements ColumnarKernel {
    private static final String MODULE = "align/names/normalize";
    private static final String NORMALIZE = "normalize";
    private static final int BLOCK = 256;

    /** Defers the computation, which takes some milliseconds, until the first batch. */
    private static final class Table {
        private static final int[] ENTRIES = table(ModuleInterface.of(MODULE));
    }

    /** Returns the kernel itself if the call does not normalize its strings. */
    static ColumnarKernel of(SolverCall call, ColumnarKernel kernel) {
        return call.column(NORMALIZE) < 0 ? kernel : new NormalizedTexts(call, kernel);
    }

    @Override
    public Result evaluate(Batch batch) {
        // fails with a clear message if the jar has no GPU code, unlike the initializer of Table
        CudaModule module = CudaModule.load(MODULE);
        DeviceMemoryBuffer table = DeviceArrays.writeInts(batch.scratch(), Table.ENTRIES);
        long flags = batch.column(call.column(NORMALIZE), Types.BOOLEAN).values();
        for (int argument : new int[] {call.column("a"), call.column("b")}) {
            batch.replace(argument, normalized(batch, module, batch.strings(argument), flags, table));
        }
        batch.scratch().free(table);
        return kernel.evaluate(batch);
    }

    private static DeviceColumn normalized(
            Batch batch, CudaModule module, DeviceColumn texts, long flags, DeviceMemoryBuffer table) {
        // normalization at most doubles the length of a string, so that the kernels compute lengths in 32 bits
        if (texts.valueBytes() > Integer.MAX_VALUE / 2) {
            throw new GpuSplitAndRetryOOM("the strings to normalize in %d rows have %d bytes in total; at most %d fit"
                    .formatted(batch.rows(), texts.valueBytes(), Integer.MAX_VALUE / 2));
        }
        int rows = batch.rows();
        DeviceMemoryBuffer begins = batch.allocateInts(rows);
        DeviceMemoryBuffer lengths = batch.allocateInts(rows + 1L);
        module.kernel("normalize_lengths")
                .threads(rows, BLOCK)
                .launch(
                        rows,
                        batch.validity(),
                        flags,
                        Texts.of(texts),
                        table.getAddress(),
                        begins.getAddress(),
                        lengths.getAddress());
        Offsets offsets = batch.offsets(lengths);
        DeviceMemoryBuffer bytes = batch.allocate(offsets.total());
        module.kernel("normalize_write")
                .threads(rows, BLOCK)
                .launch(
                        rows,
                        flags,
                        Texts.of(texts),
                        table.getAddress(),
                        begins.getAddress(),
                        offsets.buffer().getAddress(),
                        bytes.getAddress());
        batch.scratch().free(lengths);
        batch.scratch().free(begins);
        return DeviceColumn.strings(rows, offsets, bytes);
    }

    /** Returns the table that {@code align/names/normalize.cu} describes. */
    static int[] table(ModuleInterface module) {
        int blockPoints = module.constant("BLOCK_POINTS");
        int blocks = module.constant("CODE_POINTS") / blockPoints;
        int other = module.constant("OTHER");
        Map<IntBuffer, Integer> distinct = new LinkedHashMap<>();
        int[] firsts = new int[blocks];
        for (int block = 0; block < blocks; block++) {
            IntBuffer entries = IntBuffer.wrap(IntStream.range(blockPoints * block, blockPoints * (block + 1))
                    .map(character -> change(character, other))
                    .toArray());
            distinct.putIfAbsent(entries, blocks + blockPoints * distinct.size());
            firsts[block] = distinct.get(entries);
        }
        return IntStream.concat(
                        IntStream.of(firsts),
                        distinct.keySet().stream().flatMapToInt(entries -> IntStream.of(entries.array())))
                .toArray();
    }

    private static int change(int character, int other) {
        int normalized = Normalization.normalized(character);
        return normalized == ' ' ? other : normalized - character;
    }
}
