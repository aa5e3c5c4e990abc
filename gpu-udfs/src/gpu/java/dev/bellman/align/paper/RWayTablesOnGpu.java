package dev.bellman.align.paper;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.align.SerialTable;
import dev.bellman.align.bits.PairPaths;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.TaskWaves;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Computes the tables of {@link RWayTable} on the GPU with a two-level recursion, in which a table is divided into
 * large tiles, and each large tile into up to {@link #PARTS} x {@link #PARTS} tiles. The pairs of a class are solved
 * together. For each wave of large tiles, there is one launch for each antidiagonal of the tiles within them, with one
 * warp per tile. See {@code align/paper/r_way.cu}.
 */
public final class RWayTablesOnGpu {
    /** The pairs that are solved together, in the kernels' layout. */
    record RWayTables(long pairs, int count, long borderPlaces, long borders, long movePlaces, long moves) {}

    /** Finishes the tables of a class. */
    @FunctionalInterface
    private interface End {
        void finish(PairClass group, RWayTables tables);
    }

    static final String MODULE = "align/paper/r_way";
    /** The maximum number of tiles per side of a large tile. */
    private static final int PARTS = 8;

    /** The number of threads per block of the kernel that finishes pairs; each thread finishes one pair. */
    private static final int BLOCK = 64;
    /** The number of ints per task: the row and the column of a large tile. */
    private static final int TASK_INTS = 2;

    private final CudaModule module = CudaModule.load(MODULE);
    private final String kernels;
    private final int edge = module.constant("TILE_EDGE");
    private final int rowsOfLane = module.constant("ROWS_OF_LANE");
    private final int columnsOfStep = module.constant("COLUMNS_OF_STEP");
    private final long moveBytes = module.constant("MOVE_BYTES");

    /** @param kernels the prefix of the kernel names: {@code edit_distance} or {@code lcs} */
    public RWayTablesOnGpu(String kernels) {
        this.kernels = kernels;
    }

    /**
     * Returns an int32 for each row, undefined for null rows and rows that the CPU solves.
     *
     * @param option has the same meaning as for {@link dev.bellman.align.bits.PairScores}
     */
    public DeviceMemoryBuffer scores(Batch batch, SolverCall call, long option) {
        DeviceMemoryBuffer results = batch.allocateInts(batch.rows());
        PairGroups groups = PairGroups.scores(batch, call);
        Kernel finish = module.kernel("r_way_%s_results".formatted(kernels));
        solve(batch, groups, false, (group, tables) -> finish.threads(tables.count(), BLOCK)
                .launch(tables, results.getAddress(), option));
        return results;
    }

    /**
     * Returns strings along the canonical paths. The CPU solves pairs that this strategy rejects, and pairs whose moves
     * do not fit on the GPU.
     *
     * @param room the maximum number of bytes of a result for each byte of the pair's strings
     */
    public Result paths(Batch batch, SolverCall call, int room) {
        PairGroups groups = PairGroups.paths(batch, call, 0);
        DeviceColumn a = groups.a();
        DeviceColumn b = groups.b();
        DeviceMemoryBuffer written = batch.allocate(Math.max(1, room * (a.valueBytes() + b.valueBytes())));
        DeviceMemoryBuffer lengths = batch.scratch().zeroInts(batch.rows() + 1L);
        Kernel finish = module.kernel("r_way_%s_walk".formatted(kernels));
        solve(batch, groups, true, (group, tables) -> finish.threads(tables.count(), BLOCK)
                .launch(
                        tables,
                        a.offsets(),
                        b.offsets(),
                        room,
                        written.getAddress(),
                        group.symbols().isWide() ? 1 : 0,
                        lengths.getAddress()));
        return PairPaths.gather(batch, a, b, room, written, lengths);
    }

    private void solve(Batch batch, PairGroups groups, boolean keepsMoves, End end) {
        TaskWaves waves = new TaskWaves(batch.scratch(), TASK_INTS);
        long most = GpuMemory.ofSession().perLaunch();
        List<Integer> tooLarge = new ArrayList<>();
        for (PairClass group : groups.classes()) {
            int[] lengths = groups.lengths(group);
            int[] rows = keepsMoves ? groups.rows(group) : new int[0];
            for (int first = 0; first < group.count(); ) {
                if (keepsMoves && !keepsOnGpu(lengths[2 * first], lengths[2 * first + 1])) {
                    tooLarge.add(rows[first]);
                    first++;
                    continue;
                }
                Places places = new Places(lengths, first, keepsMoves, most);
                try (Scratch scratch = new Scratch()) {
                    RWayTables tables = places.tables(scratch, groups.address(group.first() + first));
                    fill(waves, group, keepsMoves, places.side, tables);
                    end.finish(group, tables);
                }
                first += places.count;
            }
        }
        groups.leaveToCpu(tooLarge);
    }

    private void fill(TaskWaves waves, PairClass group, boolean keepsMoves, int side, RWayTables tables) {
        if (side == 0) {
            return;
        }
        Kernel kernel = module.kernel("r_way_%s_%s_%s"
                .formatted(
                        kernels, group.symbols().isWide() ? "characters" : "bytes", keepsMoves ? "moves" : "scores"));
        int parts = Math.min(PARTS, side);
        int antidiagonals = 2 * parts - 1;
        TaskWaves.Launch launch = (tasks, descriptions) -> {
            for (int antidiagonal = 0; antidiagonal < antidiagonals; antidiagonal++) {
                long tiles = (long) tasks * (Math.min(antidiagonal, antidiagonals - 1 - antidiagonal) + 1);
                kernel.threads(Kernel.WARP * tiles * tables.count(), module.constant("BLOCK_THREADS"))
                        .launch(tables, descriptions, tasks, parts, antidiagonal);
            }
        };
        int large = Grid.tiles(side, parts);
        Schedule.rWay(large).run(Pattern.NEIGHBOURS, large, wave -> {
            for (Task task : wave) {
                waves.add(launch, task.target().row(), task.target().column());
            }
            waves.endWave(launch);
        });
        waves.launch();
    }

    /** Returns whether this strategy solves a pair and all moves of the pair fit on the GPU. */
    private boolean keepsOnGpu(int n, int m) {
        return (long) n * m <= SerialTable.MAX_CELLS
                && moveBytes * blocks(n, m) <= GpuMemory.ofSession().perInstance();
    }

    /**
     * Returns the number of blocks of cells as defined by {@code RWayTables::blocks}; each block has
     * {@code MOVE_BYTES} bytes of moves.
     */
    private long blocks(int n, int m) {
        if (n == 0 || m == 0) {
            return 0;
        }
        long steps = Grid.tiles(Math.min(edge, m), columnsOfStep) - 1L;
        long lanes = Grid.tiles((n - 1) % edge + 1, rowsOfLane);
        long full = (n - 1) / edge;
        return Grid.tiles(m, edge) * (full * Kernel.WARP * (steps + Kernel.WARP) + lanes * (steps + lanes));
    }

    /** The memory locations of the pairs that are solved together: as many pairs as fit, but at least one. */
    private final class Places {
        private final LongStream.Builder borders = LongStream.builder();
        private final LongStream.Builder moves = LongStream.builder();
        private long borderInts;
        private long moveBlocks;
        private int count;
        /** The maximum number of tiles per side. */
        private int side;

        /** @param lengths the lengths of the pairs, as {@link PairGroups#lengths} returns them */
        Places(int[] lengths, int first, boolean keepsMoves, long most) {
            int pairs = lengths.length / 2 - first;
            while (count < pairs) {
                int n = lengths[2 * (first + count)];
                int m = lengths[2 * (first + count) + 1];
                int down = Grid.tiles(n, edge);
                int across = Grid.tiles(m, edge);
                long moreInts = (long) across * module.constant("ABOVE") + (long) down * edge;
                long moreBlocks = keepsMoves ? blocks(n, m) : 0;
                if (count > 0
                        && (keepsMoves && !keepsOnGpu(n, m)
                                || Integer.BYTES * (borderInts + moreInts) + moveBytes * (moveBlocks + moreBlocks)
                                        > most)) {
                    break;
                }
                borders.add(borderInts);
                moves.add(moveBlocks);
                borderInts += moreInts;
                moveBlocks += moreBlocks;
                side = Math.max(side, n == 0 || m == 0 ? 0 : Math.max(down, across));
                count++;
            }
        }

        RWayTables tables(Scratch scratch, long pairs) {
            return new RWayTables(
                    pairs,
                    count,
                    DeviceArrays.writeLongs(scratch, borders.build().toArray()).getAddress(),
                    scratch.zeroInts(borderInts).getAddress(),
                    DeviceArrays.writeLongs(scratch, moves.build().toArray()).getAddress(),
                    scratch.allocate(moveBytes * moveBlocks).getAddress());
        }
    }
}
