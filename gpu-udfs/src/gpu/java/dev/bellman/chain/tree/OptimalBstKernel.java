package dev.bellman.chain.tree;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.chain.TableKind;
import dev.bellman.chain.TiledTable;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/**
 * Computes optimal search trees on the GPU, either with Knuth's algorithm or by trying every root. A tree is computed
 * by one block, whose tables are in shared memory if they fit; a large tree is computed by the whole GPU, unless there
 * are at least as many trees as multiprocessors. See {@code chain/tree/optimal_bst.cu}. The recursive strategy uses a
 * {@link TiledTable}.
 */
final class OptimalBstKernel implements ColumnarKernel, CostBatch.Solver {
    /** The maximum size of tables in shared memory, which leaves room for the tables of a few other blocks. */
    private static final long SHARED = 48 << 10;
    /** The number of gaps above which the whole GPU computes a tree. */
    private static final int LARGE = 2048;

    /** The maximum number of gaps. Trees with more gaps would not fit on any GPU. */
    private static final int MAX_GAPS = 1 << 28;

    private static final int LARGE_BLOCK = 128;
    private static final int REPORT_BLOCK = 1024;

    /**
     * The maximum number of vertices, one more than there are gaps, for the recursive strategy, which stores each tree
     * node as a pair of 16-bit numbers.
     */
    private static final int MAX_VERTICES = 1 << 16;

    private final SolverCall call;
    private final OptimalBst.Strategy strategy;
    private final boolean doubles;
    /** Whether to use Knuth's bounds on the roots (1), or to try every root (0). */
    private final int bounded;

    private final boolean trees;

    /** @param trees whether the result contains the roots as well as the cost */
    OptimalBstKernel(SolverCall call, boolean trees) {
        this.call = call;
        strategy = (OptimalBst.Strategy) call.strategy();
        doubles = CostBatch.hasDoubles(call, "key_frequencies");
        bounded = strategy == OptimalBst.Strategy.TABLE ? 0 : 1;
        this.trees = trees;
    }

    @Override
    public Result evaluate(Batch batch) {
        CostBatch instances = new CostBatch(batch, call, doubles, false, this);
        if (!trees) {
            instances.solve();
            return instances.costColumn();
        }
        CostBatch.Trees found = instances.solveTrees();
        return Result.struct(instances.costColumn(), Result.lists(found.offsets(), Result.ints(found.parts())));
    }

    @Override
    public int maxLeaves(int width, GpuMemory memory) {
        return strategy == OptimalBst.Strategy.R_WAY
                ? memory.largest(MAX_VERTICES, vertices -> TiledTable.bytes(TableKind.TREES_SATURATING, vertices)) - 1
                : memory.largest(MAX_GAPS, OptimalBstKernel::slotBytes);
    }

    @Override
    public void solve(CostBatch instances, int width, Instances.Group group, long rootOffsets, long roots) {
        if (strategy == OptimalBst.Strategy.R_WAY) {
            solveByRecursion(instances, group, rootOffsets, roots);
        } else if (group.largest() > LARGE && group.count() < Device.current().multiprocessors()) {
            solveEach(instances, group, rootOffsets, roots);
        } else {
            solveTogether(instances, group, rootOffsets, roots);
        }
    }

    /** Solves trees as parenthesizations, in which the leaves are the gaps. */
    private void solveByRecursion(CostBatch instances, Instances.Group group, long rootOffsets, long roots) {
        CudaModule module = CudaModule.load("chain/tree/optimal_bst");
        long order = instances.instances().order().getAddress();
        long gapOffsets = instances.second().offsets();
        try (Scratch scratch = new Scratch()) {
            long bytes = Long.BYTES * (long) instances.second().elements().rows();
            DeviceMemoryBuffer gaps = scratch.allocate(bytes);
            DeviceMemoryBuffer sums = scratch.allocate(bytes);
            DeviceMemoryBuffer shifts = scratch.allocateInts(instances.rows());
            DeviceMemoryBuffer overflowed = scratch.allocateInts(instances.rows());
            module.kernel("optimal_bst_weights")
                    .grid(group.count())
                    .block(LARGE_BLOCK)
                    .launch(
                            order,
                            group.from(),
                            instances.first().offsets(),
                            instances.first().elements().values(),
                            gapOffsets,
                            instances.second().elements().values(),
                            doubles ? 1 : 0,
                            gaps.getAddress(),
                            sums.getAddress(),
                            shifts.getAddress(),
                            overflowed.getAddress());
            TiledTable.solveByRecursion(
                    TableKind.TREES_SATURATING,
                    new TiledTable.Group(
                            instances.memory(),
                            order,
                            group.from(),
                            group.count(),
                            gapOffsets,
                            group.largest() + 1,
                            gaps.getAddress(),
                            sums.getAddress()),
                    new TiledTable.Answers(instances.costs().getAddress(), rootOffsets, roots, 0, 0));
            module.kernel("optimal_bst_costs")
                    .threads(group.count(), LARGE_BLOCK)
                    .launch(
                            order,
                            group.from(),
                            group.count(),
                            doubles ? 1 : 0,
                            shifts.getAddress(),
                            overflowed.getAddress(),
                            instances.costs().getAddress());
        }
    }

    /** Solves each tree with one block. */
    private void solveTogether(CostBatch instances, Instances.Group group, long rootOffsets, long roots) {
        Kernel kernel = CudaModule.load("chain/tree/optimal_bst").kernel("optimal_bst_batch");
        long bytes = slotBytes(group.largest());
        boolean shared = bytes <= SHARED;
        int sharedMemory = shared ? (int) bytes : 0;
        int block = group.largest() <= 128 ? 32 : group.largest() <= 1024 ? 128 : 512;
        new Slots(instances.memory(), instances.instances().order().getAddress())
                .solve(
                        group,
                        new Slots.Shape(kernel, block, sharedMemory),
                        shared ? 0 : bytes,
                        instances.first().offsets(),
                        instances.first().elements().values(),
                        instances.second().offsets(),
                        instances.second().elements().values(),
                        doubles ? 1 : 0,
                        bounded,
                        group.largest(),
                        instances.costs().getAddress(),
                        rootOffsets,
                        roots);
    }

    /** Solves the trees one by one, with one launch for each diagonal. */
    private void solveEach(CostBatch instances, Instances.Group group, long rootOffsets, long roots) {
        CudaModule module = CudaModule.load("chain/tree/optimal_bst");
        Kernel diagonals = module.kernel("optimal_bst_diagonal");
        long bytes = slotBytes(group.largest());
        int[] rows = instances.instances().rows(group);
        int[] gaps = instances.instances().sizes(group);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer slot = scratch.allocate(bytes);
            for (int i = 0; i < rows.length; i++) {
                module.kernel("optimal_bst_read")
                        .grid(1)
                        .block(REPORT_BLOCK)
                        .launch(
                                rows[i],
                                instances.first().offsets(),
                                instances.first().elements().values(),
                                instances.second().offsets(),
                                instances.second().elements().values(),
                                doubles ? 1 : 0,
                                slot.getAddress(),
                                group.largest());
                for (int diagonal = 1; diagonal < gaps[i]; diagonal++) {
                    diagonals
                            .threads(gaps[i] - diagonal, LARGE_BLOCK)
                            .launch(slot.getAddress(), group.largest(), bounded, gaps[i], diagonal);
                }
                module.kernel("optimal_bst_report")
                        .grid(1)
                        .block(REPORT_BLOCK)
                        .launch(
                                rows[i],
                                doubles ? 1 : 0,
                                slot.getAddress(),
                                group.largest(),
                                gaps[i],
                                instances.costs().getAddress(),
                                rootOffsets,
                                roots);
            }
        }
    }

    /** Returns the size of a tree's tables in bytes, a multiple of 256. */
    private static long slotBytes(int gaps) {
        long parts = gaps * (gaps + 1L) / 2;
        return (12 * parts + 28L * gaps + 8 + 255) / 256 * 256;
    }
}
