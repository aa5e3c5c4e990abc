package dev.bellman.large.tiles;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A problem whose tiles may be in memory, in files and on other machines: the content of a tile at the beginning, its
 * kernels, and its form in a file. Executors get copies of it.
 *
 * @param <T> a tile
 */
public interface TiledProblem<T> extends Serializable {
    Pattern pattern();

    /** Rows and columns of a tile. */
    int edge();

    /** Tiles per side of the table. */
    int side();

    /** Whether the table has a tile: others are never made, stored or visited. */
    default boolean has(Tile tile) {
        return tile.row() < side() && tile.column() < side();
    }

    /**
     * The tiles that are empty, of those that have {@code parts} tiles per side each.
     *
     * @return empty if no tile is, or the {@link #pattern} is not {@link Pattern#CLOSURE}
     */
    default Optional<TileSparsity> fill(int parts) {
        return Optional.empty();
    }

    /** A tile before any task. */
    T make(Tile tile);

    /**
     * Runs {@code task.kernel()}.
     *
     * @param sources in the order of {@code task.sources()}; not written. Those that {@link #writePanel} wrote are as
     *     good as the tiles themselves
     * @throws RuntimeException if the problem has no answer
     */
    void run(Task task, T target, List<T> sources);

    /** The size of {@link #write}. */
    int bytes();

    /** Writes a tile, between tasks. */
    void write(T tile, ByteBuffer to);

    /** Reads what {@link #write} wrote. */
    T read(ByteBuffer from);

    /** The size of {@link #writePanel} after a task with this kernel. */
    int panelBytes(TileKernel kernel);

    /** Writes what other tasks read of a tile, right after the task that finished it. */
    void writePanel(TileKernel kernel, T tile, ByteBuffer to);

    /** Reads what {@link #writePanel} wrote. */
    T readPanel(TileKernel kernel, ByteBuffer from);

    /** Whether {@link #openGpu} opens a GPU. */
    default boolean runsOnGpu() {
        return false;
    }

    /** How many values a cell has on a GPU: the first is the cell, which tasks change, the others are given. */
    default int valuesOnGpu() {
        return 1;
    }

    /** The size of {@link #writeForGpu}. */
    default int bytesOnGpu() {
        return bytes();
    }

    /** Writes a tile as it is on a GPU: all its rows for each value, in native byte order. */
    default void writeForGpu(T tile, ByteBuffer to) {
        write(tile, to);
    }

    /** Reads what {@link #writeForGpu} wrote, after any tasks on a GPU. */
    default T readFromGpu(ByteBuffer from) {
        return read(from);
    }

    /** The fewest tiles per side of a large tile on a GPU; a power of 2. */
    default int fewestParts() {
        return 1;
    }

    /**
     * Tells why the problem has no answer, after a task on a GPU found that. Called for the tiles on the diagonal in
     * ascending order.
     *
     * @throws RuntimeException if this tile shows it, as {@link #run}
     */
    default void check(Tile tile, T content) {
        // tasks tell it themselves
    }

    /**
     * The GPU of this thread's task, for a table of {@code large.levels}. There, a tile in a large one is its rows as
     * {@link #writeForGpu} writes them; where the table ends, a large tile has zeros.
     *
     * @param bytes of its memory
     */
    default TileGpu openGpu(long bytes) {
        throw new UnsupportedOperationException("this problem has no kernels for large tiles");
    }
}
