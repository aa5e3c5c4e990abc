package dev.bellman.linear;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.TaskGpu;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.ModuleInterface;
import dev.bellman.tiles.CudaTiles;
import dev.bellman.tiles.Grid;
import dev.bellman.tiles.LargeTask;
import dev.bellman.tiles.TileKernel;

/** {@link EliminationTiles} in large tiles on a GPU, with the same bits. A large tile consists of tiles of {@code linear/elimination_tiles.cuh}. */
final class LargeElimination extends CudaTiles {
    static final int EDGE = ModuleInterface.of("linear/elimination").constant("EDGE");

    /** Counters of a stream: the next tile, and two for each row of a large tile, and one more for a right-hand side. */
    private static final int COUNTERS = 4096;

    private final int n;
    private final int columns;
    private final double largest;
    private final CudaModule module;
    private final Scratch scratch = new Scratch();
    private final DeviceMemoryBuffer counters;
    private final DeviceMemoryBuffer bad;

    private LargeElimination(int n, int columns, double largest, long memory) {
        super(memory);
        this.n = n;
        this.columns = columns;
        this.largest = largest;
        try {
            module = CudaModule.load("linear/elimination");
            counters = scratch.allocate((long) STREAMS * COUNTERS * Integer.BYTES);
            bad = scratch.filled(Integer.BYTES, (byte) 0);
            // not on a stream of tasks
            DeviceArrays.readInts(bad, 0, 1);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /**
     * On the GPU of a task.
     *
     * @param columns of the matrix, with the right-hand side
     * @param largest the largest magnitude in the matrix
     * @param memory bytes for tiles
     */
    static LargeElimination open(int n, int columns, double largest, long memory) {
        TaskGpu.use();
        return new LargeElimination(n, columns, largest, memory);
    }

    @Override
    public boolean keepsLines() {
        return false;
    }

    @Override
    public void run(int stream, LargeTask task) {
        TileKernel kernel = task.task().kernel();
        boolean right = kernel == TileKernel.B || kernel == TileKernel.D;
        boolean below = kernel == TileKernel.C || kernel == TileKernel.D;
        int pivots =
                switch (kernel) {
                    case A, B -> task.task().target().row();
                    case C -> task.task().target().column();
                    case D -> task.task().sources().get(0).column();
                };
        int rows = n - pivots * task.pitch();
        int depth = tiles(rows, task);
        int down = tiles(n - task.task().target().row() * task.pitch(), task);
        int across = tiles(columns - task.task().target().column() * task.pitch(), task);
        if (below && !right) {
            // a right-hand side in the pivots' large tile has no rows below
            across = Math.min(across, depth);
        }
        if (depth == 0 || down == 0 || across == 0) {
            return;
        }
        long left = right ? task.columns() : task.cells();
        long above = below ? task.rows() : task.cells();
        long counting = counters.getAddress() + (long) stream * COUNTERS * Integer.BYTES;
        stream(stream).zero(counting, (long) COUNTERS * Integer.BYTES);
        Kernel found = module.kernel("linear_tile");
        int block = module.constant("GRID_THREADS");
        int sharedMemory = module.constant("GRID_BYTES");
        found.grid(Math.min(down * across, found.residentBlocks(block, sharedMemory)))
                .block(block)
                .sharedMemory(sharedMemory)
                .on(stream(stream))
                .launch(
                        task.cells(),
                        left,
                        above,
                        // for B the pivots' large tile is left of it, for C above it; D has none
                        below ? above : left,
                        (long) task.pitch(),
                        depth,
                        right ? 1 : 0,
                        below ? 1 : 0,
                        down,
                        across,
                        rows,
                        columns > n ? 1 : 0,
                        n,
                        largest,
                        bad.getAddress(),
                        counting);
    }

    /** Tiles for these cells of a large tile's rows or columns. */
    private static int tiles(int cells, LargeTask task) {
        return Grid.tiles(Math.max(0, Math.min(cells, task.pitch())), EDGE);
    }

    @Override
    protected boolean check() {
        return DeviceArrays.readInts(bad, 0, 1)[0] == 0;
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            scratch.close();
        }
    }
}
