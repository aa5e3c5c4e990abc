package dev.bellman.linear;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.TaskWaves;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.TileKernel;
import dev.bellman.linear.Elimination.Strategy;

/**
 * Performs Gaussian elimination on the GPU. The whole GPU solves large matrices one after another, tile by tile; if
 * there are only a few matrices, it also solves medium matrices in this way. One block solves any other matrix, in
 * shared memory if the matrix fits. With the recursive strategy, the whole GPU solves every matrix that has more than
 * one tile. With {@code pivot}, one block solves any matrix, except that the CPU solves large matrices. See {@code
 * linear/elimination.cu}.
 */
abstract class EliminationKernel implements ColumnarKernel {
    record Large(long matrix, long pitch, int n, int solves, long largest, long bad) {}

    static final DataType LIST = Types.list(Types.DOUBLE);
    static final DataType MATRIX = Types.list(LIST);
    private static final int BLOCK = 128;
    /**
     * The minimum number of rows for which the whole GPU solves a matrix. If there are fewer than {@link #FEW}
     * matrices, {@link #MIN_ROWS} rows suffice.
     */
    private static final int LARGE = 1024;

    private static final int MIN_ROWS = 128;
    private static final int FEW = 64;

    /** The number of tiles per side of the squares that a task of the recursion multiplies. */
    private static final int PARTS = 8;

    /** The number of ints per recursion task. */
    private static final int TASK_INTS = 3;

    /** The number of entries of the factors that each block writes. */
    private static final int ENTRIES_OF_BLOCK = 1 << 14;

    /** The maximum number of blocks if several blocks write the same row. */
    private static final int MAX_BLOCKS = 1 << 18;

    private final SolverCall call;
    private final CudaModule module = CudaModule.load("linear/elimination");
    private final GpuMemory memory = GpuMemory.ofSession();
    private final int edge = module.constant("EDGE");

    private EliminationKernel(SolverCall call) {
        this.call = call;
    }

    /** The factored matrices of a batch, and the requested results. */
    private final class Solved {
        private final Batch batch;
        private final Matrices matrices;
        private final Vectors vectors;
        private final int kind;
        private final Instances instances;
        private final DeviceMemoryBuffer found;
        private final long factors;
        /** For each row, whether the rows of its matrix are exchanged; 0 if the call does not pass {@code pivot}. */
        private final long pivots;
        /** The permutations of all matrices whose rows are exchanged; 0 if they are not needed. */
        private final long permutations;

        /** @param kind the requested result, which is one of the kernels' constants */
        Solved(Batch batch, String kind) {
            this.batch = batch;
            this.kind = module.constant(kind);
            DeviceColumn lists = batch.column(0, MATRIX);
            matrices = Matrices.of(lists);
            long values = 0;
            if (call.column("rhs") >= 0) {
                DeviceColumn right = batch.column(call.column("rhs"), LIST);
                vectors = Vectors.of(right);
                values = right.elements().rows();
            } else {
                vectors = new Vectors(0, 0, 0);
                values = kind.equals("DETERMINANT") ? batch.rows() : 0;
            }
            found = batch.allocateDoubles(values);
            int most = memory.largest(1 << 16, EliminationKernel.this::bytes);
            int pivot = call.column("pivot");
            pivots = pivot < 0 ? 0 : batch.column(pivot, Types.BOOLEAN).values();
            permutations = pivot >= 0 && kind.equals("FACTORS")
                    ? batch.allocateInts(lists.elements().rows()).getAddress()
                    : 0;
            instances = new Instances(
                    batch,
                    call,
                    module.constant("CLASSES"),
                    key -> isPivoting(key) ? Math.min(most, LARGE - 1) : most,
                    classified -> module.kernel("linear_classify")
                            .warps(batch.rows(), BLOCK)
                            .launch(batch.rows(), batch.validity(), matrices, vectors, pivots, classified));
            boolean inShared = instances.groups().stream().allMatch(this::fitsSharedMemory);
            factors = kind.equals("FACTORS") || !inShared
                    ? batch.allocateDoubles(lists.elements().elements().rows()).getAddress()
                    : 0;
            long foundAddress = kind.equals("FACTORS") ? 0 : found.getAddress();
            for (Instances.Group group : instances.groups()) {
                if (isLarge(group) && fitsTiles(module)) {
                    solveLarge(group, foundAddress);
                } else {
                    solve(group, foundAddress);
                }
            }
            instances.regroup();
        }

        void lengths(DeviceMemoryBuffer rowCounts, DeviceMemoryBuffer entryCounts) {
            module.kernel("linear_lengths")
                    .threads(batch.rows() + 1L, BLOCK)
                    .launch(batch.rows(), instances.classified(), rowCounts.getAddress(), entryCounts.getAddress());
        }

        /** Whether the rows of the matrices in a class are exchanged. */
        private boolean isPivoting(int key) {
            return key >= module.constant("SIZES");
        }

        private boolean isLarge(Instances.Group group) {
            return !isPivoting(group.key())
                    && (group.largest() >= LARGE
                            || group.largest() >= MIN_ROWS && group.count() < FEW
                            || group.largest() > edge && call.strategy() == Strategy.R_WAY);
        }

        private int sharedMemory(Instances.Group group) {
            int n = group.largest();
            return Double.BYTES * n * ((n | 1) + 1);
        }

        private boolean fitsSharedMemory(Instances.Group group) {
            return group.largest() < LARGE
                    && sharedMemory(group) + 1024
                            <= module.kernel("linear_blocks").device().sharedMemoryPerBlock();
        }

        private void solve(Instances.Group group, long foundAddress) {
            boolean inShared = fitsSharedMemory(group);
            int n = group.largest();
            module.kernel(isPivoting(group.key()) ? "linear_blocks_pivoting" : "linear_blocks")
                    .grid(group.count())
                    .block(n <= 32 ? Kernel.WARP : n <= 64 ? 4 * Kernel.WARP : module.constant("MAX_THREADS"))
                    .sharedMemory(inShared ? sharedMemory(group) : permutations == 0 ? 0 : Integer.BYTES * n)
                    .launch(
                            instances.order().getAddress(),
                            group.from(),
                            inShared ? 1 : 0,
                            matrices,
                            vectors,
                            factors,
                            foundAddress,
                            permutations,
                            instances.classified());
        }

        private void solveLarge(Instances.Group group, long foundAddress) {
            int[] rows = instances.rows(group);
            int[] sizes = instances.sizes(group);
            for (int i = 0; i < rows.length; i++) {
                try (Scratch scratch = new Scratch()) {
                    solveLarge(scratch, rows[i], sizes[i], foundAddress);
                }
            }
        }

        private void solveLarge(Scratch scratch, int row, int n, long foundAddress) {
            int solves = vectors.offsets() == 0 ? 0 : 1;
            int height = (n + edge - 1) / edge * edge;
            int width = (n + solves + edge - 1) / edge * edge;
            DeviceMemoryBuffer matrix = scratch.allocateDoubles((long) height * width);
            DeviceMemoryBuffer zeros = scratch.filled(2L * Long.BYTES, (byte) 0);
            Large large = new Large(
                    matrix.getAddress(), width, n, solves, zeros.getAddress(), zeros.getAddress() + Long.BYTES);
            module.kernel("linear_large_read").grid(height).block(BLOCK).launch(large, row, matrices, vectors);
            factor(module, scratch, large, height, width, (Strategy) call.strategy());
            if (solves == 1) {
                Kernel substitute = module.kernel("linear_large_substitute");
                for (int first = height - edge; first >= 0; first -= edge) {
                    substitute.grid(1).block(edge).launch(large, first, 0);
                    substitute.threads(first, BLOCK).launch(large, first, 1);
                }
            }
            module.kernel("linear_large_write")
                    .grid(n)
                    .block(BLOCK)
                    .launch(large, row, kind, matrices, vectors, factors, foundAddress, instances.classified());
        }
    }

    /** Whether a block has enough shared memory to use tiles. */
    static boolean fitsTiles(CudaModule module) {
        return module.kernel("linear_large_factor").device().sharedMemoryPerBlock() >= module.constant("GRID_BYTES");
    }

    /**
     * Factorizes a matrix with all blocks. The r-way recursion takes one launch per wave; any other strategy takes a
     * single launch.
     */
    static void factor(CudaModule module, Scratch scratch, Large large, int height, int width, Strategy strategy) {
        int down = height / module.constant("EDGE");
        int across = width / module.constant("EDGE");
        if (strategy == Strategy.R_WAY) {
            factorByRecursion(module, scratch, large, down, across);
            return;
        }
        DeviceMemoryBuffer counters = scratch.zeroInts(1L + down + across);
        Kernel factor = module.kernel("linear_large_factor");
        int block = module.constant("GRID_THREADS");
        int sharedMemory = module.constant("GRID_BYTES");
        factor.grid(Math.min(down * across, factor.residentBlocks(block, sharedMemory)))
                .block(block)
                .sharedMemory(sharedMemory)
                .launch(large, down, counters.getAddress());
    }

    private static void factorByRecursion(CudaModule module, Scratch scratch, Large large, int down, int across) {
        // larger than the number of tiles, so that no task waits
        DeviceMemoryBuffer counters = scratch.filled(Integer.BYTES * ((long) down + across), Byte.MAX_VALUE);
        Kernel kernel = module.kernel("linear_large_wave");
        TaskWaves waves = new TaskWaves(scratch, TASK_INTS);
        Schedule.rWayOfProducts(Pattern.ELIMINATION, Math.max(down, across), PARTS, (wave, parts) -> {
            TaskWaves.Launch launch = (tasks, descriptions) -> kernel.grid(Math.multiplyExact(tasks, parts * parts))
                    .block(module.constant("GRID_THREADS"))
                    .sharedMemory(module.constant("GRID_BYTES"))
                    .launch(large, down, counters.getAddress(), descriptions, parts);
            for (Task task : wave) {
                int middle =
                        task.kernel() == TileKernel.D ? task.sources().get(0).column() : -1;
                waves.add(launch, task.target().row(), task.target().column(), middle);
            }
            waves.endWave(launch);
        });
        waves.launch();
    }

    /** Returns an upper bound on the bytes of a matrix that is padded to whole tiles. */
    private long bytes(int n) {
        long padded = n / edge * (long) edge + 2L * edge;
        return Double.BYTES * padded * padded;
    }

    static final class Lu extends EliminationKernel {
        Lu(SolverCall call) {
            super(call);
        }

        @Override
        public Result evaluate(Batch batch) {
            Solved solved = new Solved(batch, "FACTORS");
            CudaModule module = super.module;
            DeviceMemoryBuffer rowCounts = batch.allocateInts(batch.rows() + 1L);
            DeviceMemoryBuffer entryCounts = batch.allocateInts(batch.rows() + 1L);
            solved.lengths(rowCounts, entryCounts);
            Offsets rows = batch.offsets(rowCounts);
            Offsets entries = batch.offsets(entryCounts);
            DeviceMemoryBuffer rowOffsets = batch.allocateInts(rows.total() + 1L);
            DeviceMemoryBuffer lower = batch.allocateDoubles(entries.total());
            DeviceMemoryBuffer upper = batch.allocateDoubles(entries.total());
            DeviceMemoryBuffer permutation = permutes() ? batch.allocateInts(rows.total()) : null;
            module.kernel("linear_write_factors")
                    .grid(batch.rows() * slices(batch.rows(), solved.instances))
                    .block(BLOCK)
                    .launch(
                            batch.rows(),
                            solved.instances.classified(),
                            solved.matrices,
                            solved.pivots,
                            solved.factors,
                            solved.permutations,
                            rows.buffer().getAddress(),
                            entries.buffer().getAddress(),
                            rowOffsets.getAddress(),
                            lower.getAddress(),
                            upper.getAddress(),
                            permutes() ? permutation.getAddress() : 0);
            Result l =
                    Result.lists(rows, Result.lists(new Offsets(rowOffsets, entries.total()), Result.doubles(lower)));
            Result u = Result.lists(
                    copy(batch, rows),
                    Result.lists(copy(batch, new Offsets(rowOffsets, entries.total())), Result.doubles(upper)));
            return permutes()
                    ? Result.struct(l, u, Result.lists(copy(batch, rows), Result.ints(permutation)))
                    : Result.struct(l, u);
        }

        /** Whether the result contains the permutation, even of matrices whose rows are not exchanged. */
        private boolean permutes() {
            return super.call.column("pivot") >= 0;
        }

        /** Returns the number of blocks per row, which suffices for the largest matrix unless there are many rows. */
        private static int slices(int rows, Instances instances) {
            long largest = instances.groups().stream()
                    .mapToLong(Instances.Group::largest)
                    .max()
                    .orElse(0);
            return (int) Math.max(1, Math.min(largest * largest / ENTRIES_OF_BLOCK, MAX_BLOCKS / rows));
        }

        /** Copies offsets, because each column must own its offsets. */
        private static Offsets copy(Batch batch, Offsets offsets) {
            DeviceMemoryBuffer copy = batch.allocate(offsets.buffer().getLength());
            copy.copyFromDeviceBufferAsync(0, offsets.buffer(), 0, copy.getLength(), Cuda.DEFAULT_STREAM);
            return new Offsets(copy, offsets.total());
        }
    }

    static final class LinearSolve extends EliminationKernel {
        LinearSolve(SolverCall call) {
            super(call);
        }

        @Override
        public Result evaluate(Batch batch) {
            Solved solved = new Solved(batch, "SOLUTION");
            DeviceMemoryBuffer counts = batch.allocateInts(batch.rows() + 1L);
            solved.lengths(counts, batch.allocateInts(batch.rows() + 1L));
            Offsets offsets = batch.offsets(counts);
            DeviceMemoryBuffer solutions = batch.allocateDoubles(offsets.total());
            super.module
                    .kernel("linear_write_solutions")
                    .warps(batch.rows(), BLOCK)
                    .launch(
                            batch.rows(),
                            solved.vectors,
                            solved.found.getAddress(),
                            offsets.buffer().getAddress(),
                            solutions.getAddress());
            return Result.lists(offsets, Result.doubles(solutions));
        }
    }

    static final class Determinant extends EliminationKernel {
        Determinant(SolverCall call) {
            super(call);
        }

        @Override
        public Result evaluate(Batch batch) {
            return Result.doubles(new Solved(batch, "DETERMINANT").found);
        }
    }
}
