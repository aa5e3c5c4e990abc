package dev.bellman.graph.dense;

import dev.bellman.columns.TaskTiles;
import dev.bellman.cuda.Kernel;
import dev.bellman.large.tiles.LargeTask;
import java.util.function.IntFunction;

/**
 * Computes {@link Distances} in large tiles on a GPU, with bit-for-bit the same results. A large tile consists of tiles
 * of {@link DistancesOnGpu}; see {@code graph/dense/distances.cu}.
 */
final class LargeDistances extends TaskTiles {
    private final Cell cell;
    private final int bits;
    private final double margin;
    private final IntFunction<RuntimeException> negativeCycle;

    /**
     * Creates an instance that uses the GPU of a Spark task. The failure flag contains the smallest vertex that tasks
     * have found on a negative cycle; initially, it is larger than every vertex.
     *
     * @param bits the number of bits per field of a key, as in {@link LongDistances}; 0 if the cells are lengths
     * @param margin the margin, as in {@link DoubleDistances}; 0 for integers
     * @param negativeCycle creates the exception that {@link #finish} throws, given the vertex that
     *     {@link Distances#solve} returns
     * @param memory the number of bytes available for tiles
     */
    LargeDistances(Cell cell, int bits, double margin, IntFunction<RuntimeException> negativeCycle, long memory) {
        super("graph/dense/distances", Byte.MAX_VALUE, 0, memory);
        this.cell = cell;
        this.bits = bits;
        this.margin = margin;
        this.negativeCycle = negativeCycle;
    }

    @Override
    public boolean keepsLines() {
        return true;
    }

    @Override
    public void run(int stream, LargeTask task) {
        int own =
                switch (task.task().kernel()) {
                    case A -> module().constant("OWN_ROWS") | module().constant("OWN_COLUMNS");
                    case B -> module().constant("OWN_ROWS");
                    case C -> module().constant("OWN_COLUMNS");
                    case D -> 0;
                };
        int down = task.down() / DistancesOnGpu.EDGE;
        int across = task.across() / DistancesOnGpu.EDGE;
        if (own == 0) {
            launch(
                    stream,
                    "product",
                    down * across,
                    task.cells(),
                    task.columns(),
                    task.rows(),
                    (long) task.pitch(),
                    down,
                    across,
                    task.depth(),
                    margin);
            return;
        }
        int rows = own & module().constant("OWN_ROWS");
        int ownRows = rows == 0 ? 0 : 1;
        int ownColumns = own == rows ? 0 : 1;
        int first = task.task().target().row() * task.pitch();
        for (int round = 0; round < task.depth() / DistancesOnGpu.EDGE; round++) {
            large(stream, task, own, round, "DIAGONAL", ownRows * ownColumns, first);
            large(
                    stream,
                    task,
                    own,
                    round,
                    "CROSS",
                    ownRows * (across - ownColumns) + ownColumns * (down - ownRows),
                    first);
            large(stream, task, own, round, "REST", (down - ownRows) * (across - ownColumns), first);
        }
    }

    private void large(int stream, LargeTask task, int own, int round, String part, int blocks, int first) {
        launch(
                stream,
                "large",
                blocks,
                task.cells(),
                task.rows(),
                task.columns(),
                (long) task.pitch(),
                task.down() / DistancesOnGpu.EDGE,
                task.across() / DistancesOnGpu.EDGE,
                own,
                round,
                module().constant(part),
                first,
                failureFlagAddress(),
                bits,
                margin);
    }

    private void launch(int stream, String kernel, int blocks, Object... arguments) {
        Kernel found = module().kernel(cell.name(kernel));
        found.grid(blocks)
                .block(module().constant(cell.name("threads")))
                .sharedMemory(module().constant(cell.name("shared")))
                .on(stream(stream))
                .launch(arguments);
    }

    @Override
    protected boolean check() {
        int vertex = failureFlag();
        // the initial value of the failure flag, whose bytes are all the same
        if (vertex < 0x7f7f7f7f) {
            throw negativeCycle.apply(vertex);
        }
        return true;
    }
}
