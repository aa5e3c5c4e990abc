package dev.bellman.large.tiles;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A problem whose tiles may be in memory, in files or on other machines: the initial content of a tile, the kernels,
 * and the file format of a tile. Executors receive copies of a problem.
 *
 * @param <T> a tile
 */
public interface TiledProblem<T> extends Serializable {
    Pattern pattern();

    /** Returns the number of rows of a tile, which is also the number of columns. */
    int edge();

    /** Returns the number of tiles per side of the table. */
    int side();

    /** Whether the table contains a tile. Tiles outside the table are never created, stored or visited. */
    default boolean has(Tile tile) {
        return tile.row() < side() && tile.column() < side();
    }

    /**
     * Returns which large tiles, each with {@code parts} tiles per side, are empty.
     *
     * @return the empty tiles; {@link Optional#empty} if there are none or if the {@link #pattern} is not {@link
     *     Pattern#CLOSURE}
     */
    default Optional<TileSparsity> fill(int parts) {
        return Optional.empty();
    }

    /** Creates a tile with its initial content, before any task. */
    T make(Tile tile);

    /**
     * Runs {@code task.kernel()} on a tile.
     *
     * @param sources the sources, in the order of {@code task.sources()}; they must not be changed. A panel written by
     *     {@link #writePanel} may replace the tile itself
     * @throws RuntimeException if the problem has no solution
     */
    void run(Task task, T target, List<T> sources);

    /** Returns the number of bytes that {@link #write} writes. */
    int bytes();

    /** Writes a tile; called only between tasks. */
    void write(T tile, ByteBuffer to);

    /** Reads a tile written by {@link #write}. */
    T read(ByteBuffer from);

    /** Returns the number of bytes that {@link #writePanel} writes after a task with this kernel. */
    default int panelBytes(TileKernel kernel) {
        return bytes();
    }

    /**
     * Writes the part of a tile that other tasks read, by default the whole tile, immediately after the task that
     * finished the tile.
     */
    default void writePanel(TileKernel kernel, T tile, ByteBuffer to) {
        write(tile, to);
    }

    /** Reads a panel written by {@link #writePanel}. */
    default T readPanel(TileKernel kernel, ByteBuffer from) {
        return read(from);
    }

    /**
     * Returns the number of values per cell on a GPU: the first value is the cell, which tasks change; the other values
     * are constant.
     */
    default int valuesOnGpu() {
        return 1;
    }

    /** Returns the number of bytes that {@link #writeForGpu} writes. */
    default int bytesOnGpu() {
        return bytes();
    }

    /** Writes a tile in the GPU's layout: for each value, all rows, in native byte order. */
    default void writeForGpu(T tile, ByteBuffer to) {
        write(tile, to);
    }

    /** Reads a tile written by {@link #writeForGpu}, possibly after tasks on a GPU. */
    default T readFromGpu(ByteBuffer from) {
        return read(from);
    }

    /** Returns the minimum number of tiles per side of a large tile on a GPU; a power of 2. */
    default int fewestParts() {
        return 1;
    }

    /**
     * Throws an exception with the reason why the problem has no solution, after a task on a GPU has detected this.
     * Called for the tiles on the diagonal in ascending order.
     *
     * @throws RuntimeException if this tile contains the reason, as in {@link #run}
     */
    default void check(Tile tile, T content) {
        // by default, tasks throw these exceptions themselves
    }

    /**
     * Opens the GPU of this thread's task for a table that the package {@code large.levels} stores. On the GPU, a large
     * tile contains the rows of its tiles as written by {@link #writeForGpu}, and zeros beyond the end of the table.
     *
     * @param bytes the number of bytes of memory to allocate
     */
    default TileGpu openGpu(long bytes) {
        throw new UnsupportedOperationException("this problem has no kernels for large tiles");
    }
}
