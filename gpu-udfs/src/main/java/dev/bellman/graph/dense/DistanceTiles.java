package dev.bellman.graph.dense;

import dev.bellman.GpuSide;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileGpu;
import dev.bellman.large.tiles.TileKernel;
import dev.bellman.large.tiles.TiledProblem;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntToLongFunction;

/**
 * The table of {@link Distances}, divided into tiles that may be in memory, in files or on other machines. The results
 * are bit-for-bit the same as those of the undivided table.
 *
 * @param <T> the type of a tile of {@link Distances}
 */
public abstract class DistanceTiles<T> implements TiledProblem<T> {
    private static final long serialVersionUID = 1L;

    private final Cell cell;
    private final int bits;
    private final int vertices;
    private final double margin;
    /** An empty table, which provides the kernels. */
    private transient volatile Distances<T> kernels;

    /** Sets the cells of a tile. */
    @FunctionalInterface
    protected interface Cells {
        /**
         * Sets a cell.
         *
         * @param row the row within the tile
         * @param column the column within the tile
         * @param value the value, as an integer or as the bits of a double
         */
        void set(int row, int column, long value);
    }

    /**
     * Creates the tiles of a table.
     *
     * @param bits the number of key bits, as in {@link LongDistances}; 0 for lengths
     * @param margin the margin of {@link DoubleDistances}; 0 for integers
     */
    protected DistanceTiles(Cell cell, int bits, int vertices, double margin) {
        this.cell = cell;
        this.bits = bits;
        this.vertices = vertices;
        this.margin = margin;
    }

    /** Sets the initial values of a tile's cells, such as the lengths of edges; the other cells are unreached. */
    protected abstract void fill(Tile tile, Cells cells);

    /**
     * Returns the exception that {@link #run} throws if {@link Distances#solve} returns this vertex, which is on a
     * negative cycle.
     */
    protected abstract RuntimeException negativeCycle(int vertex);

    /**
     * Reads a part of a row of the table, starting from a column at a tile border, as integers or as the bits of
     * doubles.
     */
    protected final void getRow(int from, int begin, Function<Tile, T> tiles, long... to) {
        Distances<T> table = kernels();
        for (int first = 0; first < to.length; first += edge()) {
            T tile = tiles.apply(new Tile(from / edge(), (begin + first) / edge()));
            for (int i = first; i < Math.min(to.length, first + edge()); i++) {
                to[i] = table.cell(tile, from % edge(), i - first);
            }
        }
    }

    /** Sets a row of the table, given the value for each column as an integer or as the bits of a double. */
    protected final void setRow(int from, IntToLongFunction value, Function<Tile, T> tiles) {
        Distances<T> table = kernels();
        for (int first = 0; first < vertices; first += edge()) {
            T tile = tiles.apply(new Tile(from / edge(), first / edge()));
            for (int to = first; to < Math.min(vertices, first + edge()); to++) {
                table.setCell(tile, from % edge(), to - first, value.applyAsLong(to));
            }
        }
    }

    /**
     * Returns the table that provides the kernels. The caller of the constructor chooses the type of the cells and thus
     * of the tiles.
     */
    @SuppressWarnings("unchecked")
    private Distances<T> kernels() {
        Distances<T> made = kernels;
        if (made == null) {
            made = (Distances<T>)
                    switch (cell) {
                        case INT32 -> new IntDistances(0);
                        case INT64 -> new LongDistances(0, bits);
                        case DOUBLE -> new DoubleDistances(0, margin);
                    };
            kernels = made;
        }
        return made;
    }

    @Override
    public final Pattern pattern() {
        return Pattern.CLOSURE;
    }

    @Override
    public final int edge() {
        return Distances.EDGE;
    }

    @Override
    public final int side() {
        return (vertices + Distances.EDGE - 1) / Distances.EDGE;
    }

    @Override
    public final T make(Tile tile) {
        T made = kernels().make();
        fill(tile, (row, column, value) -> kernels().setCell(made, row, column, value));
        return made;
    }

    @Override
    public final void run(Task task, T target, List<T> sources) {
        int vertex = kernels().relax(task, target, sources);
        if (vertex != Distances.NONE) {
            throw negativeCycle(vertex);
        }
    }

    @Override
    public final TileGpu openGpu(long memory) {
        return GpuSide.get(DistancesGpu.class).open(cell, bits, margin, this::negativeCycle, memory);
    }

    @Override
    public final int bytes() {
        return Distances.EDGE * Distances.EDGE * cell.bytes();
    }

    @Override
    public final void write(T tile, ByteBuffer to) {
        kernels().write(tile, to);
    }

    @Override
    public final T read(ByteBuffer from) {
        return kernels().read(from);
    }

    @Override
    public final int panelBytes(TileKernel kernel) {
        return kernels().panels(kernel) * bytes();
    }

    @Override
    public final void writePanel(TileKernel kernel, T tile, ByteBuffer to) {
        kernels().writePanel(kernel, tile, to);
    }

    @Override
    public final T readPanel(TileKernel kernel, ByteBuffer from) {
        return kernels().readPanel(kernel, from);
    }
}
