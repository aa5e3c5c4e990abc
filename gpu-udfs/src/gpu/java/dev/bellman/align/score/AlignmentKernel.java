package dev.bellman.align.score;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.bits.PairPaths;
import dev.bellman.align.score.AlignBatch.Group;
import dev.bellman.align.score.AlignBatch.Run;
import dev.bellman.align.score.AlignBatch.ScoredPair;
import dev.bellman.align.score.Shapes.Shape;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.Struct;
import java.util.List;

/**
 * Runs {@code alignment} on the GPU. Wavefronts solve similar pairs ({@link AlignWaves}). For all other pairs, kernels
 * fill tables of 32-bit scores and store traceback directions; then a thread or a warp per pair follows these
 * directions. A warp solves an extension and follows its directions.
 */
record AlignmentKernel(SolverCall call) implements ColumnarKernel {
    static final Shapes SHAPES =
            new Shapes(List.of(), false, List.of(new Shape(16, 8), new Shape(16, 10), new Shape(32, 8)));

    /**
     * The maximum number of bytes per symbol. A run of a single symbol takes two characters of a CIGAR; longer runs
     * take fewer characters per symbol.
     */
    private static final int MAX_BYTES_PER_SYMBOL = 2;

    /** The number of rows whose directions fit in a word, if gap costs have one piece. */
    private static final int ROWS_OF_A_WORD = 8;

    /** The number of blocks that keep a multiprocessor busy with extensions. */
    private static final int BUSY_BLOCKS = 8;

    private static final int END_BYTES = 16;

    /** The state of a thread that writes a CIGAR ({@code CigarWriter} in {@code alignments.cuh}). */
    record CigarWriter(long at, int run, byte operation) {}

    /** The progress of the walk along a path ({@code Walk} in {@code walk.cuh}). */
    record Walk(int i, int j, int isOver, int gap, int pieces, int identities, int gaps, CigarWriter cigar) {}

    /** The addresses of the results ({@code Alignments} in {@code alignments.cuh}). */
    record Alignments(
            long scores,
            long beginsInA,
            long endsInA,
            long beginsInB,
            long endsInB,
            long identities,
            long gaps,
            long aOffsets,
            long bOffsets,
            long room,
            long lengths,
            long least) {}

    @Override
    public Result evaluate(Batch batch) {
        int unit = CudaModule.load("align/score/batch").constant("SIZE_UNIT");
        AlignBatch pairs =
                new AlignBatch(batch, call, "alignment", SHAPES, SHAPES, true, (shapes, shape, pieces, size) -> {
                    if (shape == SHAPES.empty()) {
                        return 0;
                    }
                    return shape == SHAPES.striped()
                            ? (long) size * unit
                            : Integer.BYTES * words(SHAPES.get(shape), pieces, size);
                });
        DeviceColumn a = batch.strings(0);
        DeviceColumn b = batch.strings(1);
        DeviceMemoryBuffer scores = batch.allocateLongs(batch.rows());
        DeviceMemoryBuffer[] places = new DeviceMemoryBuffer[6];
        for (int i = 0; i < places.length; i++) {
            places[i] = batch.allocateInts(batch.rows());
        }
        DeviceMemoryBuffer room = batch.allocate(MAX_BYTES_PER_SYMBOL * (a.valueBytes() + b.valueBytes()));
        DeviceMemoryBuffer lengths = batch.scratch().zeroInts(batch.rows() + 1L);
        Alignments to = new Alignments(
                scores.getAddress(),
                places[0].getAddress(),
                places[1].getAddress(),
                places[2].getAddress(),
                places[3].getAddress(),
                places[4].getAddress(),
                places[5].getAddress(),
                a.offsets(),
                b.offsets(),
                room.getAddress(),
                lengths.getAddress(),
                pairs.least());
        AlignWaves waves = new AlignWaves(batch, (SequenceAlignment.Strategy) call.strategy(), "align_wave_path", to);
        for (Group group : pairs.groupsByLength()) {
            solve(pairs, group, waves, to);
        }
        pairs.limit(scores);
        return Result.struct(
                Result.longs(scores),
                Result.ints(places[0]),
                Result.ints(places[1]),
                Result.ints(places[2]),
                Result.ints(places[3]),
                PairPaths.gather(batch, MAX_BYTES_PER_SYMBOL, room, lengths),
                Result.ints(places[4]),
                Result.ints(places[5]));
    }

    private static void solve(AlignBatch pairs, Group group, AlignWaves waves, Alignments to) {
        Run run = group.shape() == SHAPES.empty()
                ? pairs.run(group)
                : waves.solve(pairs.run(group), pairs.penalties(group));
        pairs.countChoices(group, run);
        if (group.shape() == SHAPES.empty()) {
            CudaModule module = CudaModule.load("align/score/path");
            module.kernel("align_walk_empty")
                    .threads(run.count(), module.constant("PATH_BLOCK"))
                    .launch(run.address(0), run.count(), pairs.schemeAddress(group), to);
        } else if (pairs.scheme(group).isExtension()) {
            solveExtensions(pairs, group, run, to);
        } else if (group.shape() == SHAPES.striped()) {
            solveStriped(pairs, group, run, to);
        } else {
            solveTables(pairs, group, run, to);
        }
    }

    /**
     * Returns the number of 32-bit words that store the traceback directions of a table with a text b of the given
     * length.
     *
     * @param pieces the number of pieces of gap costs
     */
    private static long words(Shape shape, int pieces, int columns) {
        int wordsOfALane = (shape.rows() * pieces + ROWS_OF_A_WORD - 1) / ROWS_OF_A_WORD;
        return (columns + shape.lanes() - 1L) * shape.lanes() * wordsOfALane;
    }

    private static void solveTables(AlignBatch pairs, Group group, Run run, Alignments to) {
        CudaModule module = CudaModule.load("align/score/path");
        int block = module.constant("PATH_BLOCK");
        Scheme scheme = pairs.scheme(group);
        Shape shape = SHAPES.get(group.shape());
        long words = words(shape, scheme.pieces(), group.largest());
        int together = GpuMemory.ofSession().together(run.count(), Integer.BYTES * words + END_BYTES);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer ways = scratch.allocate(Integer.BYTES * words * together);
            DeviceMemoryBuffer ends = scratch.allocate((long) END_BYTES * together);
            for (int first = 0; first < run.count(); first += together) {
                int count = Math.min(together, run.count() - first);
                long address = run.address(first);
                module.kernel("align_keep_%s_%s".formatted(scheme.kernels(), shape))
                        .threads((long) count * shape.lanes(), block)
                        .sharedMemory(scheme.sharedMemory())
                        .launch(
                                address,
                                count,
                                pairs.schemeAddress(group),
                                words,
                                ways.getAddress(),
                                ends.getAddress());
                module.kernel(scheme.walk(shape))
                        .threads(count, block)
                        .launch(
                                address,
                                count,
                                pairs.schemeAddress(group),
                                words,
                                ways.getAddress(),
                                ends.getAddress(),
                                to);
            }
        }
    }

    private static void solveStriped(AlignBatch pairs, Group group, Run run, Alignments to) {
        CudaModule module = CudaModule.load("align/score/path");
        Scheme scheme = pairs.scheme(group);
        Kernel keep = module.kernel("align_keep_%s_striped".formatted(scheme.kernels()));
        int block = module.constant("PATH_BLOCK");
        List<ScoredPair> all = run.read();
        for (int first = 0; first < run.count(); ) {
            if (AlignStripes.needsParts(all.get(first), scheme.pieces())) {
                solveInParts(pairs, group, run, all.get(first), first, to);
                first++;
                continue;
            }
            try (AlignStripes solved = AlignStripes.of(run, all, first, scheme.pieces(), true)) {
                solved.solve(keep, block, scheme.sharedMemory(), pairs.schemeAddress(group));
                module.kernel(scheme.walk("striped"))
                        .threads((long) solved.count() * Kernel.WARP, block)
                        .launch(solved.stripes(), pairs.schemeAddress(group), to);
                first += solved.count();
            }
        }
    }

    /**
     * Solves a pair whose traceback directions exceed the memory, by recomputing the directions of a few stripes at a
     * time.
     */
    private static void solveInParts(
            AlignBatch pairs, Group group, Run run, ScoredPair pair, int index, Alignments to) {
        CudaModule module = CudaModule.load("align/score/path");
        long scheme = pairs.schemeAddress(group);
        int sharedMemory = pairs.scheme(group).sharedMemory();
        int block = module.constant("PATH_BLOCK");
        Kernel keep = module.kernel(
                "align_keep_%s_striped".formatted(pairs.scheme(group).kernels()));
        int most = keep.residentBlocks(block, sharedMemory) * (block / Kernel.WARP);
        try (Scratch scratch = new Scratch();
                AlignStripes solved = AlignStripes.withoutWays(
                        run, pair, index, pairs.scheme(group).pieces())) {
            solved.solve(keep, block, sharedMemory, scheme);
            DeviceMemoryBuffer walk = scratch.allocate(Struct.of(Walk.class).bytes());
            module.kernel("align_walk_begin")
                    .threads(1, Kernel.WARP)
                    .launch(solved.stripes(), scheme, walk.getAddress(), to);
            Walk reached = read(walk);
            while (reached.isOver() == 0) {
                try (AlignStripes again = solved.again(reached.i(), reached.j(), most)) {
                    again.solve(keep, block, sharedMemory, scheme);
                    module.kernel(pairs.scheme(group).walk("on"))
                            .threads(Kernel.WARP, Kernel.WARP)
                            .launch(again.stripes(), scheme, walk.getAddress(), to);
                    reached = read(walk);
                }
            }
        }
    }

    /** Solves extensions with as many warps as keep the GPU busy; each warp solves one pair after another. */
    private static void solveExtensions(AlignBatch pairs, Group group, Run run, Alignments to) {
        CudaModule module = CudaModule.load("align/score/extension_path");
        Scheme scheme = pairs.scheme(group);
        int block = module.constant("EXTENSION_PATH_BLOCK");
        Kernel kernel = module.kernel("align_path_" + scheme.kernels());
        int busy = BUSY_BLOCKS * Device.current().multiprocessors();
        // the memory of a block for the values that cross borders and the traceback directions
        long bytes =
                (long) group.largest() * CudaModule.load("align/score/batch").constant("SIZE_UNIT");
        AlignmentScoreKernel.solveExtensions(pairs, group, run, bytes, kernel, block, busy, 0, to);
    }

    private static Walk read(DeviceMemoryBuffer walk) {
        return DeviceArrays.readStructs(walk, 0, 1, Walk.class).get(0);
    }
}
