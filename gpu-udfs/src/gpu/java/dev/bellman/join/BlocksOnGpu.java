package dev.bellman.join;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.Sorting;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.ModuleInterface;
import dev.bellman.join.sort.Workers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The strings of blocks in GPU memory, which the GPU numbers or copies to the order of their numbers; see {@code
 * join/blocks.cu}. Several threads copy one block each.
 */
final class BlocksOnGpu {
    private static final ModuleInterface BLOCKS = ModuleInterface.of("join/blocks");
    private static final int THREADS = BLOCKS.constant("BLOCKS_THREADS");
    private static final int WORD_LENGTH = BLOCKS.constant("WORD_LENGTH");
    private static final int WORD_FLAGS = BLOCKS.constant("WORD_FLAGS");

    /** The number of numbered strings that a thread copies at a time. */
    private static final int PIECE = 1 << 18;

    /** The minimum number of strings that the GPU numbers. */
    private static final int MIN_STRINGS = 1 << 18;

    /** The GPU memory that each string takes in addition to its bytes while strings are numbered and sorted. */
    private static final int BYTES_A_STRING = 64;

    private final CudaModule module = CudaModule.load("join/blocks");
    private final Scratch scratch;
    private final List<StringBlock> blocks;
    /** The index of each block's first string among all strings, followed by their number. */
    private final int[] firsts;

    private final AtomicIntegerArray countsOfLengths = new AtomicIntegerArray(StringsOnGpu.LONGEST);
    private final BlockStrings strings;

    /** The strings in the kernels' layout ({@code BlockStrings}). */
    record BlockStrings(long words, long groups, long bytes, int count) {}

    /** Copies the strings to the GPU, where they remain until the scratch memory is freed. */
    BlocksOnGpu(Scratch scratch, List<StringBlock> blocks) {
        this.scratch = scratch;
        this.blocks = blocks;
        firsts = new int[blocks.size() + 1];
        long[] starts = new long[blocks.size() + 1];
        for (int i = 0; i < blocks.size(); i++) {
            StringBlock block = blocks.get(i);
            firsts[i + 1] = Math.addExact(firsts[i], block.count());
            starts[i + 1] = starts[i] + block.start(block.count());
        }
        int count = firsts[blocks.size()];
        DeviceMemoryBuffer words = scratch.allocateLongs(count);
        DeviceMemoryBuffer bytes = scratch.allocate(starts[blocks.size()]);
        DeviceMemoryBuffer groups =
                blocks.stream().anyMatch(StringBlock::grouped) ? scratch.allocateLongs(count) : null;
        onWorkers(blocks.size(), i -> copy(blocks.get(i), firsts[i], starts[i], words, bytes, groups));
        strings = new BlockStrings(
                words.getAddress(), groups == null ? 0 : groups.getAddress(), bytes.getAddress(), count);
    }

    /** Calls {@code work} on several threads, each with its own stream, after the work in this thread's stream. */
    private static void onWorkers(int count, IntConsumer work) {
        Cuda.DEFAULT_STREAM.sync();
        Workers.firstAlone(count, i -> {
            Cuda.autoSetDevice();
            work.accept(i);
        });
    }

    private void copy(
            StringBlock block,
            int first,
            long start,
            DeviceMemoryBuffer words,
            DeviceMemoryBuffer bytes,
            DeviceMemoryBuffer groups) {
        int count = block.count();
        int size = block.start(count);
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate(Math.max(1, Math.max(size, Long.BYTES * count)), true)) {
            host.setBytes(0, block.bytes(), 0, size);
            bytes.copyFromMemoryBuffer(start, host, 0, size, Cuda.DEFAULT_STREAM);
            int[] ofLengths = new int[StringsOnGpu.LONGEST];
            int from = 0;
            for (int i = 0; i < count; i++) {
                int end = block.end(i);
                int length = end - from;
                ofLengths[length]++;
                host.setLong(
                        (long) Long.BYTES * i,
                        start + from
                                | (long) length << WORD_LENGTH
                                | DescribedStrings.rowFlags(block, i) << WORD_FLAGS);
                from = end;
            }
            for (int length = 0; length < ofLengths.length; length++) {
                countsOfLengths.addAndGet(length, ofLengths[length]);
            }
            words.copyFromMemoryBuffer(
                    (long) Long.BYTES * first, host, 0, (long) Long.BYTES * count, Cuda.DEFAULT_STREAM);
            if (groups != null) {
                for (int i = 0; i < count; i++) {
                    host.setLong((long) Long.BYTES * i, block.group(i));
                }
                groups.copyFromMemoryBuffer(
                        (long) Long.BYTES * first, host, 0, (long) Long.BYTES * count, Cuda.DEFAULT_STREAM);
            }
        }
    }

    /** Whether the GPU numbers such strings faster than a CPU. They must be ASCII and not too long. */
    static boolean numbers(StringTotals strings) {
        return strings.allAscii() && strings.longest() < StringsOnGpu.LONGEST && strings.count() >= MIN_STRINGS;
    }

    /** Numbers strings. Returns an empty result if they do not fit, or if many of them have almost the same hash. */
    static Optional<Strings> number(List<StringBlock> blocks) {
        long bytes = blocks.stream()
                .mapToLong(block -> block.start(block.count()) + (long) BYTES_A_STRING * block.count())
                .sum();
        Cuda.autoSetDevice();
        if (bytes > GpuMemory.ofSession().perInstance()) {
            return Optional.empty();
        }
        int count =
                Math.toIntExact(blocks.stream().mapToLong(StringBlock::count).sum());
        // zeroing these arrays takes longer than filling them
        CompletableFuture<long[]> places = CompletableFuture.supplyAsync(() -> new long[count]);
        CompletableFuture<int[]> lengths = CompletableFuture.supplyAsync(() -> new int[count]);
        Cancellation.acquire(StringsOnGpu.SEARCH);
        try (Scratch scratch = new Scratch()) {
            return new BlocksOnGpu(scratch, blocks).numbered(places, lengths);
        } finally {
            StringsOnGpu.SEARCH.unlock();
        }
    }

    private Optional<Strings> numbered(CompletableFuture<long[]> places, CompletableFuture<int[]> lengths) {
        int count = strings.count();
        DeviceMemoryBuffer keys = scratch.allocateLongs(count);
        launch("join_blocks_keys", strings, keys.getAddress());
        DeviceMemoryBuffer order = Sorting.order(scratch, count, keys);
        DeviceMemoryBuffer failed = scratch.zeroInts(1);
        launch("join_blocks_ties", strings, keys.getAddress(), order.getAddress(), failed.getAddress());
        DeviceMemoryBuffer placesOnGpu = scratch.allocateLongs(count);
        DeviceMemoryBuffer flagsOnGpu = scratch.allocate(count);
        launch(
                "join_blocks_numbers",
                strings,
                order.getAddress(),
                DeviceArrays.writeInts(scratch, firsts).getAddress(),
                blocks.size(),
                placesOnGpu.getAddress(),
                flagsOnGpu.getAddress());
        if (DeviceArrays.readInts(failed, 0, 1)[0] != 0) {
            return Optional.empty();
        }
        long[] placesOnHost = places.join();
        byte[] flags = new byte[count];
        inPieces(count, (from, size) -> {
            try (HostMemoryBuffer host = HostMemoryBuffer.allocate((long) Long.BYTES * size, true)) {
                host.copyFromMemoryBuffer(
                        0, placesOnGpu, (long) Long.BYTES * from, (long) Long.BYTES * size, Cuda.DEFAULT_STREAM);
                host.getLongs(placesOnHost, from, 0, size);
                host.copyFromMemoryBuffer(0, flagsOnGpu, from, size, Cuda.DEFAULT_STREAM);
                host.getBytes(flags, from, 0, size);
            }
        });
        int[] ofLengths = IntStream.range(0, countsOfLengths.length())
                .map(countsOfLengths::get)
                .toArray();
        return Optional.of(Strings.numbered(blocks, placesOnHost, lengths.join(), flags, ofLengths));
    }

    /** Calls {@code work} with the first string of each piece and the number of its strings. */
    private static void inPieces(int count, Workers.Range work) {
        onWorkers((count + PIECE - 1) / PIECE, piece -> {
            int from = piece * PIECE;
            work.run(from, Math.min(PIECE, count - from));
        });
    }

    /**
     * Copies numbered strings to the order of their numbers.
     *
     * @param all the strings, which must be the strings of the blocks
     * @param starts for each length, the offset of the first string's bytes
     * @param entries memory for the strings in the kernels' layout ({@code JoinString})
     */
    void copy(Strings all, long[] starts, DeviceMemoryBuffer entries, DeviceMemoryBuffer bytes) {
        int count = all.count();
        int[] firstOfLength = new int[starts.length];
        for (int length = 0; length < starts.length; length++) {
            firstOfLength[length] = all.first(length);
        }
        DeviceMemoryBuffer order = scratch.allocateInts(count);
        inPieces(count, (from, size) -> {
            try (HostMemoryBuffer host = HostMemoryBuffer.allocate((long) Integer.BYTES * size, true)) {
                for (int i = 0; i < size; i++) {
                    host.setInt((long) Integer.BYTES * i, firsts[all.blockNumber(from + i)] + all.index(from + i));
                }
                order.copyFromMemoryBuffer(
                        (long) Integer.BYTES * from, host, 0, (long) Integer.BYTES * size, Cuda.DEFAULT_STREAM);
            }
        });
        module.kernel("join_blocks_strings")
                .threads(count, THREADS)
                .launch(
                        strings,
                        order.getAddress(),
                        DeviceArrays.writeInts(scratch, firstOfLength).getAddress(),
                        DeviceArrays.writeLongs(scratch, starts).getAddress(),
                        count,
                        entries.getAddress(),
                        bytes.getAddress());
    }

    private void launch(String kernel, Object... arguments) {
        module.kernel(kernel).threads(strings.count(), THREADS).launch(arguments);
    }
}
