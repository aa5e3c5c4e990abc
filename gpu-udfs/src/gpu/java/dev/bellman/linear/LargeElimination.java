package dev.bellman.linear;

import dev.bellman.columns.TaskTiles;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.ModuleInterface;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.LargeTask;
import dev.bellman.large.tiles.TileKernel;

/**
 * Computes {@link EliminationTiles} in large tiles on a GPU, with bit-for-bit the same results. A large tile consists
 * of tiles of {@code linear/elimination_tiles.cuh}.
 */
final class LargeElimination extends TaskTiles {
    static final int EDGE = ModuleInterface.of("linear/elimination").constant("EDGE");

    /**
     * An upper bound on the number of counters per stream: one for the next tile, two for each row of tiles in a large
     * tile, and one for a right-hand side.
     */
    private static final int COUNTERS = 4096;

    private final int n;
    private final int columns;
    private final double largest;

    /**
     * Creates an instance that uses the GPU of a Spark task. Tasks record bad pivots.
     *
     * @param columns the number of columns in the matrix, including the right-hand side
     * @param largest the largest magnitude of any entry in the matrix
     * @param memory the number of bytes available for tiles
     */
    LargeElimination(int n, int columns, double largest, long memory) {
        super("linear/elimination", (byte) 0, (long) ALL_STREAMS * COUNTERS * Integer.BYTES, memory);
        this.n = n;
        this.columns = columns;
        this.largest = largest;
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
            // a right-hand side in the pivots' large tile has no rows below it
            across = Math.min(across, depth);
        }
        if (depth == 0 || down == 0 || across == 0) {
            return;
        }
        long left = right ? task.columns() : task.cells();
        long above = below ? task.rows() : task.cells();
        long counting = beside() + (long) stream * COUNTERS * Integer.BYTES;
        stream(stream).zero(counting, (long) COUNTERS * Integer.BYTES);
        Kernel found = module().kernel("linear_tile");
        int block = module().constant("GRID_THREADS");
        int sharedMemory = module().constant("GRID_BYTES");
        found.grid(Math.min(down * across, found.residentBlocks(block, sharedMemory)))
                .block(block)
                .sharedMemory(sharedMemory)
                .on(stream(stream))
                .launch(
                        task.cells(),
                        left,
                        above,
                        // the large tile with the pivots is to the left for B and above for C; for D, there is none
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
                        failureFlagAddress(),
                        counting);
    }

    /** Returns the number of tiles that cover the given number of rows or columns of a large tile. */
    private static int tiles(int cells, LargeTask task) {
        return Grid.tiles(Math.max(0, Math.min(cells, task.pitch())), EDGE);
    }

    @Override
    protected boolean check() {
        return failureFlag() == 0;
    }
}
