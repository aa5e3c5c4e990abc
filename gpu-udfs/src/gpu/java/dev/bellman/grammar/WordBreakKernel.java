package dev.bellman.grammar;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.BellmanException;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
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
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Splits strings into words on the GPU, with one thread per row. See {@code grammar/word_break.cu}. */
record WordBreakKernel(SolverCall call) implements ColumnarKernel {
    record Rows(long offsets, long bytes, long ends, long counts, long lengths) {}

    /**
     * The trie of all words.
     *
     * @param key the class of all rows if there is no trie; otherwise 0
     */
    private record Dictionary(DeviceTrie trie, int key) {}

    private static final int BLOCK = 128;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("grammar/word_break");
        GpuMemory memory = GpuMemory.ofSession();
        int count = batch.rows();
        DeviceColumn strings = batch.strings(0);
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(count + 1L);
        DeviceMemoryBuffer lengths = batch.scratch().zeroInts(count + 1L);
        Rows rows = new Rows(
                strings.offsets(),
                strings.values(),
                batch.scratch().filled(strings.valueBytes(), (byte) 0).getAddress(),
                counts.getAddress(),
                lengths.getAddress());
        Dictionary dictionary = dictionary(batch.scratch(), module, memory);
        Instances instances = classify(batch, module, memory, rows, dictionary.key());
        for (Instances.Group group : instances.groups()) {
            split(module, memory, dictionary.trie(), rows, instances, group);
        }
        instances.regroup();
        Offsets offsets = batch.offsets(counts);
        Offsets ofBytes = batch.offsets(lengths);
        Offsets ofWords = new Offsets(batch.allocateInts(offsets.total() + 1L), ofBytes.total());
        DeviceMemoryBuffer bytes = batch.allocate(ofBytes.total());
        module.kernel("word_break_words")
                .warps(count, BLOCK)
                .launch(
                        count,
                        rows,
                        offsets.buffer().getAddress(),
                        ofBytes.buffer().getAddress(),
                        ofWords.buffer().getAddress(),
                        bytes.getAddress());
        return Result.lists(offsets, Result.strings(ofWords, bytes));
    }

    /**
     * Reads the words, which are the same for all rows. If they are invalid, the rows are rejected or the CPU reports
     * the error. If their trie does not fit in the memory, the CPU solves the rows.
     */
    private Dictionary dictionary(Scratch scratch, CudaModule module, GpuMemory memory) {
        HostWords words;
        try {
            words = HostWords.of(
                    call.function(), (ArrayData) call.ifAbsent("words").orElseThrow(), (ArrayData)
                            call.ifAbsent("weights").orElse(null));
        } catch (BellmanException e) {
            return new Dictionary(DeviceTrie.NONE, module.constant(e.code().isRowError() ? "REJECTED" : "ON_CPU"));
        }
        return DeviceTrie.bytes(words, module) > memory.perInstance()
                ? new Dictionary(DeviceTrie.NONE, module.constant("ON_CPU"))
                : new Dictionary(DeviceTrie.of(words, module, scratch), 0);
    }

    private Instances classify(Batch batch, CudaModule module, GpuMemory memory, Rows rows, int key) {
        int bytes = module.constant("BYTES_OF_A_PREFIX");
        int longest = memory.largest(module.constant("MAX_STRING"), length -> bytes * (length + 1L));
        return new Instances(
                batch, call, module.constant("BREAK_CLASSES"), length -> longest, classified -> module.kernel(
                                "word_break_classify")
                        .threads(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), rows, key, classified));
    }

    private static void split(
            CudaModule module,
            GpuMemory memory,
            DeviceTrie trie,
            Rows rows,
            Instances instances,
            Instances.Group group) {
        long bytes = module.constant("BYTES_OF_A_PREFIX") * (group.largest() + 1L);
        boolean fits = group.key() < module.constant("BREAK_SHARED_CLASSES")
                && BLOCK * bytes <= Device.current().sharedMemoryPerBlock();
        if (fits) {
            module.kernel("word_break_shared")
                    .threads(group.count(), BLOCK)
                    .sharedMemory((int) (BLOCK * bytes))
                    .launch(
                            instances.order().getAddress(),
                            group.from(),
                            group.to(),
                            group.largest(),
                            trie,
                            rows,
                            instances.classified());
            return;
        }
        Kernel kernel = module.kernel("word_break_global");
        int blocks = memory.together(
                Math.min((group.count() + Kernel.WARP - 1) / Kernel.WARP, kernel.residentBlocks(Kernel.WARP, 0)),
                Kernel.WARP * bytes,
                kernel.device().multiprocessors());
        try (Scratch scratch = new Scratch()) {
            kernel.grid(blocks)
                    .block(Kernel.WARP)
                    .launch(
                            instances.order().getAddress(),
                            group.from(),
                            group.to(),
                            group.largest(),
                            scratch.allocate(Kernel.WARP * bytes * blocks).getAddress(),
                            trie,
                            rows,
                            instances.classified());
        }
    }
}
