package dev.bellman.align.score;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.score.AlignBatch.Run;
import dev.bellman.align.score.AlignBatch.ScoredPair;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.Struct;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Uses wavefronts ({@code wave.cu}) to solve the similar pairs of a batch, and leaves the other pairs to the kernels
 * that fill tables.
 */
final class AlignWaves {
    /** The arguments of the kernels ({@code Waves} in {@code wave.cuh}). */
    record Waves(
            long pairs,
            long members,
            int count,
            long bounds,
            int columns,
            int letterWords,
            int maxRows,
            long slots,
            long slotBytes,
            long ticket) {}

    /**
     * An upper bound on a pair's penalty, and the difference and the sum of its strings' lengths ({@code Bounded} in
     * {@code wave.cuh}).
     */
    record Bounded(int bound, int end, int letters) {
        int aLength() {
            return (letters + end) / 2;
        }

        int bLength() {
            return (letters - end) / 2;
        }
    }

    /** The pairs that one launch solves, and the maximum resources that any of them needs. */
    private static final class Members {
        private final IntStream.Builder numbers = IntStream.builder();
        private int count;
        private long columns;
        private int rows;
        private int letters;
        private long kept;
    }

    /**
     * The number of pairs of a long run that are tried first, as a sample. The other pairs are tried only if at
     * least half of the sample is similar.
     */
    private static final int SAMPLE = 512;

    /**
     * The cost of computing one number of each kind if a path is found, expressed as a number of table cells. If the
     * strategy requires wavefronts, they also solve pairs that tables would solve faster.
     */
    private static final int CELLS_OF_A_PATH = 4;

    /**
     * The cost of computing one number of each kind if only a score is computed, expressed as a number of table cells.
     */
    private static final int CELLS_OF_A_SCORE = 8;

    /**
     * The number of letters below which pairs are solved without first looking for a tighter bound, determined by
     * measurement.
     */
    private static final int MIN_LETTERS = 4_096;

    /** The maximum shared memory that a block uses in addition to the ring and the letters. */
    private static final int STATIC_BYTES = 1_024;

    private static final int INTS_OF_BOUNDED = 3;
    private static final int PLACE_BYTES = 8;
    private static final int LETTERS_OF_A_WORD = 16;
    /** The maximum memory that all blocks of a launch use together, unless a single block needs more. */
    private static final long MAX_BYTES = 8L << 30;

    private final Batch batch;
    private final boolean always;
    private final boolean never;
    private final String kernels;
    private final boolean keeps;
    private final Object results;
    private final CudaModule module = CudaModule.load("align/score/wave");
    private final GpuMemory memory = GpuMemory.ofSession();

    /**
     * @param kernels the prefix of the names of the kernels that solve pairs
     * @param results the last argument of these kernels
     */
    AlignWaves(Batch batch, SequenceAlignment.Strategy strategy, String kernels, Object results) {
        this.batch = batch;
        always = strategy == SequenceAlignment.Strategy.WAVEFRONT;
        never = strategy == SequenceAlignment.Strategy.ANTI_DIAGONAL;
        this.kernels = kernels;
        keeps = results instanceof AlignmentKernel.Alignments;
        this.results = results;
    }

    /** Whether the strategy requires wavefronts. */
    boolean always() {
        return always;
    }

    /** Solves the similar pairs and returns the other pairs. */
    Run solve(Run run, Optional<Penalties> penalties) {
        if (never
                || penalties.isEmpty()
                || boundBytes(penalties.get()) > Device.current().sharedMemoryPerBlock()) {
            return run;
        }
        int first = always || run.count() <= 2 * SAMPLE ? run.count() : SAMPLE;
        int[] left = solve(run.upTo(first), penalties.get(), 0);
        if (first < run.count()) {
            int[] others = 2 * left.length > first
                    ? IntStream.range(first, run.count()).toArray()
                    : solve(run.from(first), penalties.get(), first);
            left = IntStream.concat(IntStream.of(left), IntStream.of(others)).toArray();
        }
        return left.length == run.count() ? run : gather(run, left);
    }

    private Run gather(Run run, int... numbers) {
        Scratch scratch = batch.scratch();
        DeviceMemoryBuffer to =
                scratch.allocate((long) Struct.of(ScoredPair.class).bytes() * numbers.length);
        if (numbers.length > 0) {
            DeviceMemoryBuffer members = DeviceArrays.writeInts(scratch, numbers);
            module.kernel("align_wave_gather")
                    .threads(numbers.length, module.constant("GATHER_BLOCK"))
                    .launch(run.address(0), members.getAddress(), numbers.length, to.getAddress());
            scratch.free(members);
        }
        return new Run(to, 0, numbers.length);
    }

    /**
     * Solves the similar pairs.
     *
     * @param shift a number that is added to the index of each pair
     * @return the indexes of the other pairs
     */
    private int[] solve(Run run, Penalties penalties, int shift) {
        int far = module.constant("FAR");
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer bounds = scratch.allocateInts((long) INTS_OF_BOUNDED * run.count());
            int block = module.constant("BOUND_BLOCK");
            module.kernel("align_wave_bound")
                    .threads((long) run.count() * 32, block)
                    .sharedMemory(boundBytes(penalties))
                    .launch(
                            run.address(0),
                            run.count(),
                            penalties,
                            always ? 1 : keeps ? CELLS_OF_A_PATH : CELLS_OF_A_SCORE,
                            MIN_LETTERS,
                            bounds.getAddress());
            Map<Integer, Members> classes = new TreeMap<>();
            int[] read = DeviceArrays.readInts(bounds, 0, INTS_OF_BOUNDED * run.count());
            boolean[] tried = new boolean[run.count()];
            for (int number = 0; number < run.count(); number++) {
                int at = INTS_OF_BOUNDED * number;
                Bounded pair = new Bounded(read[at], read[at + 1], read[at + 2]);
                if (pair.bound() != far) {
                    tried[number] = add(number, pair, penalties, classes);
                }
            }
            classes.forEach(
                    (columns, members) -> launch(run, members, columns == Integer.MAX_VALUE, penalties, bounds));
            int[] after = DeviceArrays.readInts(bounds, 0, INTS_OF_BOUNDED * run.count());
            return IntStream.range(0, run.count())
                    .filter(number -> !tried[number] || after[INTS_OF_BOUNDED * number] == far)
                    .map(number -> number + shift)
                    .toArray();
        }
    }

    /**
     * Adds a pair to the class for its number of diagonals, or to the last class if the pair is large. Returns false if
     * the pair does not fit on the GPU.
     */
    private boolean add(int number, Bounded pair, Penalties penalties, Map<Integer, Members> classes) {
        long columns = columns(pair, penalties);
        long kept = keeps ? numbers(pair, penalties) : 0;
        int up = 32;
        while (up < columns) {
            up += up / 4;
        }
        int mostLetters = module.constant("MAX_SHORT");
        int maxRows = module.constant("MAX_SHORT_ROWS");
        boolean large = pair.aLength() > mostLetters
                || pair.bound() > maxRows
                || sharedMemory(up, letterWords(2 * mostLetters + maxRows), penalties)
                        > Device.current().sharedMemoryPerBlock() - STATIC_BYTES;
        if (kept > Integer.MAX_VALUE
                || columns * rings(penalties) > Integer.MAX_VALUE / 2
                || slotBytes(large, columns, pair.bound() + 2, kept, penalties) > memory.perInstance()) {
            return false;
        }
        Members members = classes.computeIfAbsent(large ? Integer.MAX_VALUE : up, key -> new Members());
        members.numbers.add(number);
        members.count++;
        members.columns = Math.max(members.columns, columns);
        members.rows = Math.max(members.rows, pair.bound() + 2);
        members.letters = Math.max(members.letters, pair.letters());
        members.kept = Math.max(members.kept, kept);
        return true;
    }

    private void launch(Run run, Members members, boolean large, Penalties penalties, DeviceMemoryBuffer bounds) {
        int words = large ? 0 : letterWords(members.letters);
        int shared = large ? 0 : sharedMemory(members.columns, words, penalties);
        int block = large ? module.constant("LARGE_BLOCK") : threads(members.columns);
        long slotBytes = slotBytes(large, members.columns, members.rows, members.kept, penalties);
        long most = Math.max(1, Math.min(MAX_BYTES, memory.perInstance() / 4) / slotBytes);
        Kernel kernel = module.kernel(kernels + (large ? "_large" : "_short"));
        int grid = (int) Math.min(Math.min(members.count, most), kernel.residentBlocks(block, shared));
        try (Scratch scratch = new Scratch()) {
            Waves waves = new Waves(
                    run.address(0),
                    DeviceArrays.writeInts(scratch, members.numbers.build().toArray())
                            .getAddress(),
                    members.count,
                    bounds.getAddress(),
                    (int) members.columns,
                    words,
                    members.rows,
                    scratch.allocate(slotBytes * grid).getAddress(),
                    slotBytes,
                    scratch.zeroInts(1).getAddress());
            kernel.grid(grid).block(block).sharedMemory(shared).launch(waves, penalties, results);
        }
    }

    /** Returns the number of threads per block, which was determined by measurement. */
    private static int threads(long columns) {
        return columns <= 160 ? 32 : columns <= 400 ? 64 : columns <= 1_400 ? 128 : 256;
    }

    /**
     * Returns the number of rows that are kept at a time: for each kind of number, the current row and the rows to
     * which the recurrence looks back.
     */
    private static int rings(Penalties penalties) {
        return penalties.largest() + penalties.insertExtend() + penalties.deleteExtend() + 3;
    }

    /** Returns the number of diagonals within the bound, plus one more on each side. */
    private static long columns(Bounded pair, Penalties penalties) {
        long both = (long) penalties.insertExtend() + penalties.deleteExtend();
        long below = pair.bound() - (long) penalties.insertExtend() * pair.end();
        long above = pair.bound() + (long) penalties.deleteExtend() * pair.end();
        return Math.min(pair.bLength(), Math.max(0, below) / both)
                + Math.min(pair.aLength(), Math.max(0, above) / both)
                + 3;
    }

    /**
     * Returns an upper bound on the total count, over all rows, of wavefront numbers of one kind. A diagonal that is
     * {@code t} diagonals outside the range between the two ends is used in {@code both * t} rows fewer than the bound;
     * diagonals between the ends are used in at most as many rows as the bound.
     */
    private static long numbers(Bounded pair, Penalties penalties) {
        long both = (long) penalties.insertExtend() + penalties.deleteExtend();
        long bound = pair.bound();
        return bound * bound / both + 2 * bound + (Math.abs((long) pair.end()) + 1) * (bound + 1);
    }

    private static int letterWords(int letters) {
        return (letters / LETTERS_OF_A_WORD + 8) / 4 * 4;
    }

    private static int sharedMemory(long columns, int letterWords, Penalties penalties) {
        return (int)
                Math.min(Integer.MAX_VALUE, Integer.BYTES * letterWords + Short.BYTES * columns * rings(penalties));
    }

    private static long slotBytes(boolean large, long columns, int rows, long kept, Penalties penalties) {
        int number = large ? Integer.BYTES : Short.BYTES;
        long ring = large ? number * columns * rings(penalties) + 16 : 0;
        return (ring + (long) PLACE_BYTES * rows + 2L * number * kept + 255) / 256 * 256;
    }

    private int boundBytes(Penalties penalties) {
        long rows = rings(penalties);
        long bytes = Integer.BYTES * (rows * module.constant("WINDOW") + penalties.largest() + 1L);
        return (int) Math.min(Integer.MAX_VALUE, bytes * (module.constant("BOUND_BLOCK") / 32));
    }
}
