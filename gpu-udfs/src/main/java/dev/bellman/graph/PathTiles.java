package dev.bellman.graph;

import dev.bellman.graph.dense.Cell;
import dev.bellman.graph.dense.DistanceTiles;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileSparsity;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The table of {@link TiledPaths}, divided into tiles that may be in memory, in files or on other machines.
 *
 * @param <T> the type of a tile
 */
public final class PathTiles<T> extends DistanceTiles<T> {
    private static final long serialVersionUID = 1L;

    private final Graph graph;
    private final int bits;
    private final Cell type;

    private PathTiles(Graph graph, Cell type, int bits) {
        super(type, bits, graph.nodes, graph.margin());
        this.graph = graph;
        this.type = type;
        this.bits = bits;
    }

    /**
     * Creates the tiles of a graph.
     *
     * @param next whether to find next vertices in addition to lengths; not supported for DOUBLE ({@link #fits})
     */
    public static PathTiles<?> of(Graph graph, boolean next) {
        if (!fits(graph, next)) {
            throw new IllegalArgumentException("tiles do not support this graph: either its path lengths (or the "
                    + "keys, if next vertices are requested) may not fit in 64 bits, or next vertices are requested "
                    + "for DOUBLE weights, which requires the whole table");
        }
        return new PathTiles<>(graph, CellPaths.type(graph, next), CellPaths.bits(graph, next));
    }

    /**
     * Whether the paths can be found in tiles: lengths or keys must fit in 64 bits, and next vertices must not be
     * requested for DOUBLE weights, because next vertices need the whole table.
     */
    public static boolean fits(Graph graph, boolean next) {
        return graph.longs == null ? !next : LongTable.fits(graph, next);
    }

    public Graph graph() {
        return graph;
    }

    @Override
    public Optional<TileSparsity> fill(int parts) {
        int tile = parts * edge();
        BitSet[] rows = new BitSet[Grid.tiles(graph.nodes, tile)];
        Arrays.setAll(rows, row -> new BitSet());
        for (int v = 0; v < graph.nodes; v++) {
            for (int e = graph.starts[v]; e < graph.starts[v + 1]; e++) {
                rows[v / tile].set(graph.targets[e] / tile);
            }
        }
        TileSparsity fill = new TileSparsity(rows);
        return fill.tasks() < fill.allTasks() ? Optional.of(fill) : Optional.empty();
    }

    @Override
    protected void fill(Tile tile, Cells cells) {
        int firstRow = tile.row() * edge();
        int firstColumn = tile.column() * edge();
        for (int row = 0; row < edge() && firstRow + row < graph.nodes; row++) {
            int from = firstRow + row;
            if (tile.row() == tile.column() && bits == 0) {
                cells.set(row, row, 0);
            }
            for (int e = graph.starts[from]; e < graph.starts[from + 1]; e++) {
                int column = graph.targets[e] - firstColumn;
                if (column >= 0 && column < edge()) {
                    cells.set(
                            row,
                            column,
                            graph.longs == null
                                    ? Double.doubleToRawLongBits(graph.doubles[e])
                                    : LongTable.ofEdge(graph, e, bits));
                }
            }
        }
    }

    @Override
    protected RuntimeException negativeCycle(int vertex) {
        return graph.negativeCycle(vertex);
    }

    /**
     * Copies the paths that start at a vertex into tiles.
     *
     * @param paths the paths of this graph, as {@link ShortestPaths#solve} finds them for a plan with {@link
     *     ShortestPaths.Plan#shared}
     * @param tiles maps a position to the tile to write
     */
    public void copy(PathTable paths, int from, Function<Tile, T> tiles) {
        CellPaths cells = (CellPaths) paths;
        setRow(from, to -> cells.value(from, to), tiles);
    }

    /** Returns the paths in finished tiles. Paths are read fastest if grouped by their first vertex. */
    public PathTable paths(Function<Tile, T> tiles) {
        return paths(tiles, 0, graph.nodes);
    }

    /**
     * Returns the paths from the given vertices to all vertices, copied from finished tiles.
     *
     * @param sources the vertices in ascending order, all in one row of tiles
     * @param width the number of columns to read at once, a multiple of {@link #edge}
     * @param tiles maps a column to the function that finds the tiles from this column on
     */
    public PathTable rows(int[] sources, int width, IntFunction<Function<Tile, T>> tiles) {
        long[][] rows = new long[sources.length][graph.nodes];
        for (int begin = 0; begin < graph.nodes; begin += width) {
            Function<Tile, T> read = tiles.apply(begin);
            long[] part = new long[Math.min(width, graph.nodes - begin)];
            for (int i = 0; i < sources.length; i++) {
                getRow(sources[i], begin, read, part);
                System.arraycopy(part, 0, rows[i], begin, part.length);
            }
        }
        return new CellPaths(type, bits) {
            @Override
            long value(int from, int to) {
                return rows[Arrays.binarySearch(sources, from)][to];
            }
        };
    }

    /**
     * Returns the paths to a range of vertices, read from finished tiles. Paths are read fastest if grouped by their
     * first vertex.
     *
     * @param begin the first vertex of the range, at a tile border
     * @param end one past the last vertex of the range
     */
    public PathTable paths(Function<Tile, T> tiles, int begin, int end) {
        return new CellPaths(type, bits) {
            private final long[] row = new long[end - begin];
            private int of = NONE;

            @Override
            long value(int from, int to) {
                if (from != of) {
                    getRow(from, begin, tiles, row);
                    of = from;
                }
                return row[to - begin];
            }
        };
    }
}
