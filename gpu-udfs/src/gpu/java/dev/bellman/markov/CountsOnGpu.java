package dev.bellman.markov;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.ModuleInterface;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Computes expected counts on the GPU; see {@code markov/expected_counts.cu}. */
public final class CountsOnGpu implements ExpectedCounts.Gpu {
    private static final ModuleInterface COUNTS = ModuleInterface.of("markov/expected_counts");
    private static final int BLOCK = COUNTS.constant("COUNT_BLOCK");

    /** The number of symbols at which a batch ends. */
    private static final int ENOUGH = 1 << 23;
    /**
     * The maximum length of a sequence. Each block has a table for the longest sequence of a batch, so longer sequences
     * would leave memory for few blocks.
     */
    private static final int LONGEST = 1 << 20;

    private static final int COPIES = 64;
    private static final int SUM_BLOCK = 128;

    /** The lock that a task holds while it uses the GPU, so that only one task's table is in GPU memory. */
    private static final ReentrantLock IN_USE = new ReentrantLock();

    /** A model in the kernels' layout. */
    record CountedModel(long start, long moves, long emissions, int states, int symbols) {}

    /** Sequences in the kernels' layout. */
    record CountedSequences(long symbols, long offsets, int count, int longest) {}

    /** Sums in the kernels' layout. */
    record ExpectedSums(long words, long rejected, int copies, int sums) {}

    @Override
    public boolean supports(int states, int symbols) {
        return states <= COUNTS.constant("COUNT_STATES") && symbols <= COUNTS.constant("COUNT_SYMBOLS");
    }

    @Override
    public void count(HmmModel model, Iterator<int[]> sequences, ExpectedCounts to, Consumer<int[]> onCpu) {
        Cuda.autoSetDevice();
        GpuMemory memory = GpuMemory.ofSession();
        long longest = Math.min(LONGEST, memory.perInstance() / rowBytes());
        List<int[]> batch = new ArrayList<>();
        long symbols = 0;
        while (sequences.hasNext()) {
            int[] next = sequences.next();
            if (next.length > longest) {
                onCpu.accept(next);
                continue;
            }
            batch.add(next);
            symbols += next.length;
            if (symbols >= ENOUGH) {
                count(model, memory, batch, to, onCpu);
                batch.clear();
                symbols = 0;
            }
        }
        if (!batch.isEmpty()) {
            count(model, memory, batch, to, onCpu);
        }
    }

    /** Returns the number of bytes of a block's table for each step. */
    private static long rowBytes() {
        return (long) Double.BYTES * BLOCK;
    }

    private static void count(
            HmmModel model, GpuMemory memory, List<int[]> batch, ExpectedCounts to, Consumer<int[]> onCpu) {
        int[] offsets = new int[batch.size() + 1];
        int longest = 0;
        for (int i = 0; i < batch.size(); i++) {
            offsets[i + 1] = offsets[i] + batch.get(i).length;
            longest = Math.max(longest, batch.get(i).length);
        }
        byte[] symbols = new byte[offsets[batch.size()]];
        int end = 0;
        for (int[] sequence : batch) {
            for (int symbol : sequence) {
                symbols[end++] = (byte) symbol;
            }
        }
        Optional<long[]> words;
        Cancellation.acquire(IN_USE);
        try (Scratch scratch = new Scratch()) {
            words = count(scratch, model, memory, symbols, offsets, longest, to.size());
        } catch (OutOfMemoryError e) {
            // a training task cannot wait for memory from RAPIDS' pool, as a task of a query does
            words = Optional.empty();
        } finally {
            IN_USE.unlock();
        }
        words.ifPresentOrElse(to::addFixedPoint, () -> batch.forEach(onCpu));
    }

    /** Returns the sums of the counts; empty if a sequence is too unlikely. */
    private static Optional<long[]> count(
            Scratch scratch,
            HmmModel model,
            GpuMemory memory,
            byte[] symbols,
            int[] offsets,
            int longest,
            int sumsOfModel) {
        int states = model.states();
        int count = offsets.length - 1;
        CudaModule module = CudaModule.load("markov/expected_counts");
        int words = COUNTS.constant("COUNT_WORDS") * sumsOfModel;
        DeviceMemoryBuffer summed = scratch.filled((long) Long.BYTES * words * COPIES, (byte) 0);
        DeviceMemoryBuffer rejected = scratch.filled(Integer.BYTES, Byte.MAX_VALUE);
        ExpectedSums sums = new ExpectedSums(summed.getAddress(), rejected.getAddress(), COPIES, sumsOfModel);
        int team = Math.max(2, Integer.highestOneBit(2 * states - 1));
        int teams = BLOCK / team;
        Kernel kernel = module.kernel("expected_counts_" + team);
        int shared = Math.toIntExact(rowBytes() * (model.symbols() + 1));
        int blocks = Math.min(kernel.residentBlocks(BLOCK, shared), (count + teams - 1) / teams);
        int together = memory.together(blocks, rowBytes() * longest);
        kernel.grid(together)
                .block(BLOCK)
                .sharedMemory(shared)
                .launch(
                        new CountedModel(
                                doubles(scratch, model.chain().start()),
                                doubles(scratch, model.chain().moves()),
                                doubles(scratch, model.bySymbol()),
                                states,
                                model.symbols()),
                        new CountedSequences(
                                DeviceArrays.writeBytes(scratch, List.of(symbols)).getAddress(),
                                DeviceArrays.writeInts(scratch, offsets).getAddress(),
                                count,
                                longest),
                        scratch.filled(Integer.BYTES, (byte) 0).getAddress(),
                        scratch.allocate(rowBytes() * longest * together).getAddress(),
                        sums);
        module.kernel("expected_counts_sum").threads(words, SUM_BLOCK).launch(sums);
        return DeviceArrays.readInts(rejected, 0, 1)[0] < count
                ? Optional.empty()
                : Optional.of(DeviceArrays.readLongs(summed, 0, words));
    }

    private static long doubles(Scratch scratch, double... values) {
        return DeviceArrays.writeDoubles(scratch, values).getAddress();
    }
}
