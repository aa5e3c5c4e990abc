package dev.bellman.graph.dense;

import dev.bellman.columns.Cancellation;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.TileKernel;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Computes the lengths of paths between all vertices of a graph, in tiles in the heap, after Floyd, "Algorithm 97:
 * Shortest path", Communications of the ACM 5 (1962): for {@code k} from 0 on, {@code d(i, j) = min(d(i, j), d(i, k) +
 * d(k, j))} for all {@code i} and {@code j}. The result equals that of this loop for every schedule and every number of
 * threads.
 *
 * @param <T> the type of a tile, which has {@link #EDGE} rows and columns
 */
public abstract sealed class Distances<T> permits IntDistances, LongDistances, DoubleDistances {
    /**
     * The number of rows and columns of a tile. Three {@code int} tiles fit in a core's cache, and loops of this length
     * amortize their overhead.
     */
    public static final int EDGE = 256;

    /** The result if no vertex is on a negative cycle. */
    public static final int NONE = -1;

    private final Supplier<T> make;
    private final Grid<T> grid;
    private final AtomicInteger negative = new AtomicInteger(NONE);

    Distances(int vertices, Supplier<T> make) {
        this.make = make;
        grid = new Grid<>(Grid.tiles(vertices, EDGE), tile -> make.get());
    }

    /** Returns the number of tiles per side of the table, for its {@link Schedule}. */
    public final int side() {
        return grid.side();
    }

    final T tile(int from, int to) {
        return grid.get(from / EDGE, to / EDGE);
    }

    /**
     * Replaces edge lengths with path lengths. For a vertex and itself, the result is the length of the lightest cycle
     * through the vertex, or a smaller length that was set before.
     *
     * @param threads the number of threads that work together, including the caller
     * @return {@link #NONE}, or the first {@code k} for which the vertices 0 to {@code k} have a negative cycle, which
     *     contains {@code k}; in this case the content of the table is undefined
     */
    public final int solve(Schedule schedule, int threads) {
        return solve(schedule, threads, relaxations -> {});
    }

    /**
     * Replaces edge lengths with path lengths, and reports progress.
     *
     * @param done receives the number of relaxations of each completed wave of tiles
     */
    public final int solve(Schedule schedule, int threads, LongConsumer done) {
        schedule.execute(
                Pattern.CLOSURE, grid.side(), threads, this::run, wave -> done.accept(relaxations(wave.size())));
        return negative.get();
    }

    /** Returns the number of relaxations that the given number of tasks perform. */
    public static long relaxations(long tasks) {
        return tasks * EDGE * EDGE * EDGE;
    }

    private void run(Task task) {
        Cancellation.check();
        if (negative.get() != NONE) {
            return;
        }
        int k = relax(task, grid.get(task.target()), grid.get(task.sources()));
        if (k != NONE) {
            negative.set(k);
        }
    }

    /**
     * Runs a task.
     *
     * @return as {@link #solve}
     */
    final int relax(Task task, T target, List<T> sources) {
        switch (task.kernel()) {
            case A -> {
                int k = close(target);
                return k == NONE ? NONE : task.target().row() * EDGE + k;
            }
            case B -> finishRows(target, sources.get(0));
            case C -> finishColumns(target, sources.get(0));
            case D -> addProduct(target, sources.get(0), sources.get(1));
        }
        return NONE;
    }

    /** Creates a tile with no edges. */
    final T make() {
        return make.get();
    }

    /**
     * Relaxes a tile on the diagonal with the paths within it. Stops at the first {@code k} whose cell (k, k) is
     * negative, and returns this {@code k}.
     */
    abstract int close(T tile);

    /** Relaxes a tile with paths that begin in the pivot. */
    abstract void finishRows(T tile, T pivot);

    /** Relaxes a tile with paths that end in the pivot. */
    abstract void finishColumns(T tile, T pivot);

    /**
     * Relaxes a tile with paths through the vertices in the columns of {@code left}, which are the rows of {@code
     * above}.
     */
    abstract void addProduct(T tile, T left, T above);

    /** Returns a cell as an integer or as the bits of a double. */
    abstract long cell(T tile, int row, int column);

    abstract void setCell(T tile, int row, int column, long value);

    /** Writes a tile, as described in {@link dev.bellman.large.tiles.TiledProblem#write}. */
    abstract void write(T tile, ByteBuffer to);

    abstract T read(ByteBuffer from);

    /**
     * Writes a panel, as described in {@link dev.bellman.large.tiles.TiledProblem#writePanel}. By default, a panel is
     * the tile itself.
     */
    void writePanel(TileKernel kernel, T tile, ByteBuffer to) {
        write(tile, to);
    }

    T readPanel(TileKernel kernel, ByteBuffer from) {
        return read(from);
    }

    /** Returns the size of a panel, as a multiple of a tile's size. */
    int panels(TileKernel kernel) {
        return 1;
    }
}
