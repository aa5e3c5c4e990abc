package dev.bellman.large.tiles;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A problem whose tiles may be in memory, in files or on other machines: the initial content of a tile, its kernels,
 * and its form in a file. Executors get copies of it.
 *
 * @param <T> a tile
 */
public interface TiledProblem<T> extends Serializable {
    Pattern pattern();

    /** Rows and columns of a tile. */
    int edge();

    /** Tiles per side of the table. */
    int side();

    /** Whether the table has a tile; others are never created, stored or visited. */
    default boolean has(Tile tile) {
        return tile.row() < side() && tile.column() < side();
    }

    /**
     * The empty tiles among large tiles of {@code parts} tiles per side.
     *
     * @return empty if there are none, or if the {@link #pattern} is not {@link Pattern#CLOSURE}
     */
    default Optional<TileSparsity> fill(int parts) {
        return Optional.empty();
    }

    /** A tile before any task. */
    T make(Tile tile);

    /**
     * Runs {@code task.kernel()}.
     *
     * @param sources in the order of {@code task.sources()}; not written. A panel written by {@link #writePanel} may
     * replace the tile itself
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

    /** Writes the part of a tile that other tasks read, right after the task that finished it. */
    void writePanel(TileKernel kernel, T tile, ByteBuffer to);

    /** Reads what {@link #writePanel} wrote. */
    T readPanel(TileKernel kernel, ByteBuffer from);

    /** Whether {@link #openGpu} opens a GPU. */
    default boolean runsOnGpu() {
        return false;
    }

    /** The number of values of a cell on a GPU: the first is the cell, which tasks change, the others are constant. */
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

    /** Reads what {@link #writeForGpu} wrote, possibly after tasks on a GPU. */
    default T readFromGpu(ByteBuffer from) {
        return read(from);
    }

    /** The minimum number of tiles per side of a large tile on a GPU; a power of 2. */
    default int fewestParts() {
        return 1;
    }

    /**
     * Throws the reason why the problem has no answer, after a task on a GPU found that. Called for the tiles on the
     * diagonal in ascending order.
     *
     * @throws RuntimeException if this tile has the reason, like {@link #run}
     */
    default void check(Tile tile, T content) {
        // tasks throw it themselves
    }

    /**
     * Opens the GPU of this thread's task, for a table of {@code large.levels}. There, a tile is stored in a large tile
     * by rows, as written by {@link #writeForGpu}; beyond the end of the table, a large tile has zeros.
     *
     * @param bytes the bytes of its memory
     */
    default TileGpu openGpu(long bytes) {
        throw new UnsupportedOperationException("this problem has no kernels for large tiles");
    }
}
