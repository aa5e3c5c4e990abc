package dev.bellman.align.score;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.score.AlignBatch.Group;
import dev.bellman.align.score.AlignBatch.Run;
import dev.bellman.align.score.AlignBatch.ScoredPair;
import dev.bellman.align.score.Shapes.Shape;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs {@code alignment_score} on the GPU. The scores of nucleotide sequences, and of queries with many targets each,
 * are computed in 16 bits and for two pairs at a time, if the lengths and the scoring permit this. Wavefronts solve
 * similar pairs, by default only long ones. All other scores are computed in 32 bits. A warp solves an extension.
 */
record AlignmentScoreKernel(SolverCall call) implements ColumnarKernel {
    private static final List<Shape> TABLES = List.of(new Shape(16, 8), new Shape(32, 8));

    private static final Shapes USUAL = new Shapes(
            List.of(
                    new Shape(4, 16),
                    new Shape(8, 12),
                    new Shape(8, 16),
                    new Shape(8, 19),
                    new Shape(8, 24),
                    new Shape(16, 16),
                    new Shape(16, 20),
                    new Shape(16, 24),
                    new Shape(16, 32),
                    new Shape(32, 20),
                    new Shape(32, 24),
                    new Shape(32, 32)),
            false,
            TABLES);

    private static final Shapes OF_QUERY = new Shapes(
            List.of(
                    new Shape(8, 16),
                    new Shape(8, 24),
                    new Shape(8, 32),
                    new Shape(8, 40),
                    new Shape(8, 44),
                    new Shape(8, 48),
                    new Shape(8, 50),
                    new Shape(8, 52),
                    new Shape(16, 32),
                    new Shape(16, 40),
                    new Shape(16, 52),
                    new Shape(16, 64)),
            true,
            TABLES);

    private static final int BLOCK = 256;

    /** The arguments of the kernels for extensions ({@code Extensions} in {@code extension.cuh}). */
    record Extensions(
            long pairs, int count, long bands, long drops, long crossings, long columns, long ticket, long results) {}

    /** The number of times that the work of one launch fills the GPU. Such a launch takes a few milliseconds. */
    private static final int WAVES_OF_A_PART = 8;

    @Override
    public Result evaluate(Batch batch) {
        DeviceMemoryBuffer scores = batch.allocateLongs(batch.rows());
        int unit = CudaModule.load("align/score/batch").constant("SIZE_UNIT");
        AlignBatch pairs = new AlignBatch(
                batch,
                call,
                "alignment_score",
                USUAL,
                OF_QUERY,
                false,
                (shapes, shape, pieces, size) -> shape == shapes.striped() ? (long) size * unit : 0);
        Shapes shapes = pairs.shapes();
        AlignWaves waves = new AlignWaves(
                batch, (SequenceAlignment.Strategy) call.strategy(), "align_wave_score", scores.getAddress());
        for (Group group : pairs.groups()) {
            Run run = pairs.run(group);
            if (group.shape() != shapes.empty() && (group.shape() == shapes.striped() || waves.always())) {
                run = waves.solve(run, pairs.penalties(group));
            }
            pairs.countChoices(group, run);
            if (group.shape() == shapes.empty()) {
                CudaModule.load("align/score/batch")
                        .kernel("align_empty")
                        .threads(run.count(), BLOCK)
                        .launch(run.address(0), run.count(), pairs.schemeAddress(group), scores.getAddress());
            } else if (pairs.scheme(group).isExtension()) {
                solveExtensions(pairs, group, run, (long) group.largest() * unit, scores);
            } else if (group.shape() == shapes.striped()) {
                solveStriped(pairs, group, run, scores);
            } else if (group.shape() < shapes.packed().size()) {
                if (shapes.ofQuery()) {
                    solveQueries(batch, pairs, group, run, scores);
                } else {
                    solvePacked(pairs, group, run, scores);
                }
            } else {
                solveTables(pairs, group, run, scores);
            }
        }
        pairs.limit(scores);
        return Result.longs(scores);
    }

    private static void solvePacked(AlignBatch pairs, Group group, Run run, DeviceMemoryBuffer scores) {
        CudaModule module = CudaModule.load("align/score/packed");
        AlignmentMode mode = AlignmentMode.values()[pairs.scheme(group).mode()];
        String kind = mode == AlignmentMode.LOCAL ? "local" : mode == AlignmentMode.GLOBAL ? "global" : "ends";
        Shape shape = pairs.shapes().get(group.shape());
        module.kernel("align_packed_%s_%s".formatted(kind, shape))
                .threads((run.count() + 1L) / 2 * shape.lanes(), module.constant("PACKED_BLOCK"))
                .launch(run.address(0), run.count(), pairs.schemeAddress(group), scores.getAddress());
    }

    /**
     * Solves all queries of a shape together, because with one launch per query, much of the GPU would be idle at the
     * end of each launch. The work is nevertheless divided into several launches, so that small kernels of other tasks
     * can run in between.
     */
    private static void solveQueries(Batch batch, AlignBatch pairs, Group group, Run run, DeviceMemoryBuffer scores) {
        CudaModule module = CudaModule.load("align/score/profile");
        Scheme scheme = pairs.scheme(group);
        Shape shape = pairs.shapes().get(group.shape());
        int block = module.constant("PROFILE_BLOCK");
        int pairsOfABlock = 2 * block / shape.lanes();
        int[] firsts = pairs.queryFirsts(group);
        int[] blocks = new int[firsts.length];
        for (int query = 0; query + 1 < firsts.length; query++) {
            int count = firsts[query + 1] - firsts[query];
            blocks[query + 1] = blocks[query] + (count + pairsOfABlock - 1) / pairsOfABlock;
        }
        int all = blocks[blocks.length - 1];
        long firstsOnDevice = DeviceArrays.writeInts(batch.scratch(), firsts).getAddress();
        long blocksOnDevice = DeviceArrays.writeInts(batch.scratch(), blocks).getAddress();
        Kernel kernel = module.kernel("align_profile_%s_%s"
                .formatted(scheme.mode() == AlignmentMode.LOCAL.ordinal() ? "local" : "ends", shape));
        int sharedMemory = shape.profileBytes(scheme.letters());
        int part = WAVES_OF_A_PART * kernel.residentBlocks(block, sharedMemory);
        for (int first = 0; first < all; first += part) {
            kernel.grid(Math.min(part, all - first))
                    .block(block)
                    .sharedMemory(sharedMemory)
                    .launch(
                            run.address(0),
                            firstsOnDevice,
                            blocksOnDevice,
                            firsts.length - 1,
                            first,
                            pairs.schemeAddress(group),
                            scores.getAddress());
        }
    }

    private static void solveTables(AlignBatch pairs, Group group, Run run, DeviceMemoryBuffer scores) {
        CudaModule module = CudaModule.load("align/score/table");
        Scheme scheme = pairs.scheme(group);
        Shape shape = pairs.shapes().get(group.shape());
        module.kernel("align_score_%s_%s".formatted(scheme.kernels(), shape))
                .threads((long) run.count() * shape.lanes(), module.constant("TABLE_BLOCK"))
                .sharedMemory(scheme.sharedMemory())
                .launch(run.address(0), run.count(), pairs.schemeAddress(group), scores.getAddress());
    }

    private static void solveStriped(AlignBatch pairs, Group group, Run run, DeviceMemoryBuffer scores) {
        CudaModule module = CudaModule.load("align/score/table");
        Scheme scheme = pairs.scheme(group);
        List<ScoredPair> all = run.read();
        for (int first = 0; first < run.count(); ) {
            try (AlignStripes solved = AlignStripes.of(run, all, first, scheme.pieces(), false)) {
                solved.solve(
                        module.kernel("align_score_%s_striped".formatted(scheme.kernels())),
                        module.constant("TABLE_BLOCK"),
                        scheme.sharedMemory(),
                        pairs.schemeAddress(group));
                module.kernel("align_score_of_stripes")
                        .threads(solved.count(), BLOCK)
                        .launch(
                                run.address(first),
                                solved.count(),
                                solved.stripes().firsts(),
                                solved.stripes().ends(),
                                scores.getAddress());
                first += solved.count();
            }
        }
    }

    private static void solveExtensions(AlignBatch pairs, Group group, Run run, long bytes, DeviceMemoryBuffer scores) {
        CudaModule module = CudaModule.load("align/score/extension");
        Kernel kernel = module.kernel("align_" + pairs.scheme(group).kernels());
        solveExtensions(pairs, group, run, bytes, kernel, module.constant("EXTENSION_BLOCK"), 0, scores.getAddress());
    }

    /**
     * Solves extensions with as many warps as keep the GPU busy; each warp solves one pair after another.
     *
     * @param bytes the memory of a block, in bytes, for the values that cross borders between stripes and for the
     *     traceback directions
     * @param busy the number of blocks that keep the GPU busy, even if they need much memory
     * @param scores the address of the scores, unless the kernel writes them to {@code others}
     * @param others further arguments of the kernel
     */
    static void solveExtensions(
            AlignBatch pairs,
            Group group,
            Run run,
            long bytes,
            Kernel kernel,
            int block,
            int busy,
            long scores,
            Object... others) {
        int sharedMemory = pairs.scheme(group).sharedMemory();
        int warps = block / Kernel.WARP;
        int blocks = Math.min((run.count() + warps - 1) / warps, kernel.residentBlocks(block, sharedMemory));
        int together = GpuMemory.ofSession().together(blocks, bytes, busy);
        try (Scratch scratch = new Scratch()) {
            Extensions extensions = new Extensions(
                    run.address(0),
                    run.count(),
                    pairs.bands(),
                    pairs.drops(),
                    scratch.allocate(bytes * together).getAddress(),
                    bytes / (AlignStripes.CROSSING_BYTES * warps),
                    scratch.zeroInts(1).getAddress(),
                    scores);
            kernel.grid(together)
                    .block(block)
                    .sharedMemory(sharedMemory)
                    .launch(Stream.concat(Stream.of(extensions, pairs.schemeAddress(group)), Arrays.stream(others))
                            .toArray());
        }
    }
}
