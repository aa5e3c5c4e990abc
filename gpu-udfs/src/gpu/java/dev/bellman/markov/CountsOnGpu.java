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

/**
 * Computes expected counts on the GPU; see {@code markov/expected_counts.cu} for sequences of symbols, and
 * {@code markov/expected_values.cu} for sequences of numbers or points.
 */
public final class CountsOnGpu implements ExpectedCounts.Gpu {
    private static final ModuleInterface COUNTS = ModuleInterface.of("markov/expected_counts");
    private static final ModuleInterface VALUES = ModuleInterface.of("markov/expected_values");
    private static final int BLOCK = COUNTS.constant("COUNT_BLOCK");

    /** The number of symbols or coordinates at which a batch ends. */
    private static final int ENOUGH = 1 << 23;
    /**
     * The maximum number of symbols or coordinates in a sequence. Each block has a table for the longest sequence of a
     * batch, so longer sequences would leave memory for few blocks.
     */
    private static final int LONGEST = 1 << 20;

    private static final int COPIES = 64;
    private static final int SUM_BLOCK = 128;

    /** The lock that a task holds while it uses the GPU, so that GPU memory contains the tables of only one task. */
    private static final ReentrantLock IN_USE = new ReentrantLock();

    /** A model that emits symbols, in the kernels' layout. */
    record CountedModel(long start, long moves, long emissions, int states, int symbols) {}

    /** Sequences of symbols in the kernels' layout. */
    record CountedSequences(long symbols, long offsets, int count, int longest) {}

    /** A model that emits numbers or points, in the kernels' layout. */
    record ValueModel(long start, long moves, long pairs, long scales, int states, int dimensions) {}

    /** Sequences of numbers or points in the kernels' layout. */
    record ValueSequences(long values, long offsets, int count, int longest) {}

    /** Sums in the kernels' layout. */
    record ExpectedSums(long words, long rejected, int copies, int sums) {}

    /** A model, and the operations that depend on the type of the sequences. */
    private interface Counted<S> {
        int states();

        /** Returns the number of rows in shared memory, where a row has a number for each thread of a block. */
        int sharedRows();

        Kernel kernel(int team);

        int length(S sequence);

        /** Returns the number of symbols or coordinates per step. */
        int width();

        /** Returns the kernel's argument for the model. */
        Record model(Scratch scratch);

        /** Copies sequences to adjacent memory. */
        Flat flat(List<S> batch, int... offsets);
    }

    /** Sequences in adjacent memory. */
    @FunctionalInterface
    private interface Flat {
        /** Copies the sequences to the GPU, and returns the kernel's argument for them. */
        Record write(Scratch scratch, int longest);
    }

    /** Models that emit symbols. */
    private record Symbols(HmmModel of) implements Counted<int[]> {
        @Override
        public int states() {
            return of.states();
        }

        @Override
        public int sharedRows() {
            return 1 + of.symbols();
        }

        @Override
        public Kernel kernel(int team) {
            return CudaModule.load("markov/expected_counts").kernel("expected_counts_" + team);
        }

        @Override
        public int length(int[] sequence) {
            return sequence.length;
        }

        @Override
        public int width() {
            return 1;
        }

        @Override
        public Record model(Scratch scratch) {
            return new CountedModel(
                    doubles(scratch, of.chain().start()),
                    doubles(scratch, of.chain().moves()),
                    doubles(scratch, of.bySymbol()),
                    of.states(),
                    of.symbols());
        }

        @Override
        public Flat flat(List<int[]> batch, int... offsets) {
            byte[] symbols = new byte[offsets[offsets.length - 1]];
            int end = 0;
            for (int[] sequence : batch) {
                for (int symbol : sequence) {
                    symbols[end++] = (byte) symbol;
                }
            }
            return (scratch, longest) -> new CountedSequences(
                    DeviceArrays.writeBytes(scratch, List.of(symbols)).getAddress(),
                    DeviceArrays.writeInts(scratch, offsets).getAddress(),
                    offsets.length - 1,
                    longest);
        }
    }

    /** Models that emit points, or numbers, which are points with one coordinate. */
    private record Points(GaussianModel of) implements Counted<double[]> {
        @Override
        public int states() {
            return of.states();
        }

        @Override
        public int sharedRows() {
            return GaussianFit.sums(of.dimensions());
        }

        @Override
        public Kernel kernel(int team) {
            return CudaModule.load("markov/expected_values").kernel("expected_values_" + team);
        }

        @Override
        public int length(double[] sequence) {
            return sequence.length / of.dimensions();
        }

        @Override
        public int width() {
            return of.dimensions();
        }

        @Override
        public Record model(Scratch scratch) {
            return new ValueModel(
                    doubles(scratch, of.chain().start()),
                    doubles(scratch, of.chain().moves()),
                    doubles(scratch, of.pairs()),
                    doubles(scratch, of.scales()),
                    of.states(),
                    of.dimensions());
        }

        @Override
        public Flat flat(List<double[]> batch, int... offsets) {
            double[] values = new double[offsets[offsets.length - 1] * of.dimensions()];
            int end = 0;
            for (double[] sequence : batch) {
                System.arraycopy(sequence, 0, values, end, sequence.length);
                end += sequence.length;
            }
            return (scratch, longest) -> new ValueSequences(
                    doubles(scratch, values),
                    DeviceArrays.writeInts(scratch, offsets).getAddress(),
                    offsets.length - 1,
                    longest);
        }
    }

    @Override
    public boolean supports(int states, int symbols) {
        return states <= COUNTS.constant("COUNT_STATES") && symbols <= COUNTS.constant("COUNT_SYMBOLS");
    }

    @Override
    public boolean supportsPoints(int states, int dimensions) {
        return states <= VALUES.constant("COUNT_STATES") && dimensions <= VALUES.constant("COUNT_DIMENSIONS");
    }

    @Override
    public void count(HmmModel model, Iterator<int[]> sequences, ExpectedCounts to, Consumer<int[]> onCpu) {
        count(new Symbols(model), sequences, to, onCpu);
    }

    @Override
    public void count(GaussianModel model, Iterator<double[]> sequences, ExpectedCounts to, Consumer<double[]> onCpu) {
        count(new Points(model), sequences, to, onCpu);
    }

    private static <S> void count(Counted<S> of, Iterator<S> sequences, ExpectedCounts to, Consumer<S> onCpu) {
        Cuda.autoSetDevice();
        GpuMemory memory = GpuMemory.ofSession();
        long longest = Math.min(LONGEST / of.width(), memory.perInstance() / rowBytes());
        List<S> batch = new ArrayList<>();
        long numbers = 0;
        while (sequences.hasNext()) {
            S next = sequences.next();
            if (of.length(next) > longest) {
                onCpu.accept(next);
                continue;
            }
            batch.add(next);
            numbers += (long) of.length(next) * of.width();
            if (numbers >= ENOUGH) {
                count(of, memory, batch, to, onCpu);
                batch.clear();
                numbers = 0;
            }
        }
        if (!batch.isEmpty()) {
            count(of, memory, batch, to, onCpu);
        }
    }

    /** Returns the number of bytes of a block's table for each step. */
    private static long rowBytes() {
        return (long) Double.BYTES * BLOCK;
    }

    private static <S> void count(
            Counted<S> of, GpuMemory memory, List<S> batch, ExpectedCounts to, Consumer<S> onCpu) {
        int[] offsets = new int[batch.size() + 1];
        int longest = 0;
        for (int i = 0; i < batch.size(); i++) {
            int length = of.length(batch.get(i));
            offsets[i + 1] = offsets[i] + length;
            longest = Math.max(longest, length);
        }
        Flat sequences = of.flat(batch, offsets);
        Optional<long[]> words;
        Cancellation.acquire(IN_USE);
        try (Scratch scratch = new Scratch()) {
            words = count(scratch, of, memory, sequences, batch.size(), longest, to.size());
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
            Scratch scratch, Counted<?> of, GpuMemory memory, Flat sequences, int count, int longest, int sumsOfModel) {
        int words = COUNTS.constant("COUNT_WORDS") * sumsOfModel;
        DeviceMemoryBuffer summed = scratch.filled((long) Long.BYTES * words * COPIES, (byte) 0);
        DeviceMemoryBuffer rejected = scratch.filled(Integer.BYTES, Byte.MAX_VALUE);
        ExpectedSums sums = new ExpectedSums(summed.getAddress(), rejected.getAddress(), COPIES, sumsOfModel);
        int team = Math.max(2, Integer.highestOneBit(2 * of.states() - 1));
        int teams = BLOCK / team;
        Kernel kernel = of.kernel(team);
        int shared = Math.toIntExact(rowBytes() * of.sharedRows());
        int blocks = Math.min(kernel.residentBlocks(BLOCK, shared), (count + teams - 1) / teams);
        int together = memory.together(blocks, rowBytes() * longest);
        kernel.grid(together)
                .block(BLOCK)
                .sharedMemory(shared)
                .launch(
                        of.model(scratch),
                        sequences.write(scratch, longest),
                        scratch.zeroInts(1).getAddress(),
                        scratch.allocate(rowBytes() * longest * together).getAddress(),
                        sums);
        CudaModule.load("markov/expected_counts")
                .kernel("expected_counts_sum")
                .threads(words, SUM_BLOCK)
                .launch(sums);
        return DeviceArrays.readInts(rejected, 0, 1)[0] < count
                ? Optional.empty()
                : Optional.of(DeviceArrays.readLongs(summed, 0, words));
    }

    private static long doubles(Scratch scratch, double... values) {
        return DeviceArrays.writeDoubles(scratch, values).getAddress();
    }
}
