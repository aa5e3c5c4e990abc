package dev.bellman.graph;

import dev.bellman.graph.dense.Cell;
import dev.bellman.graph.dense.DoubleDistances;
import dev.bellman.graph.dense.IntDistances;
import dev.bellman.graph.dense.LongDistances;

/**
 * Reads paths from a solved table of {@link IntDistances}, {@link LongDistances} or {@link DoubleDistances}, regardless
 * of where the cells are stored.
 */
abstract class CellPaths implements PathTable {
    private final Cell type;
    private final int bits;

    /**
     * @param bits the number of key bits, as in {@link LongDistances}; 0 for lengths, in which case only {@link
     *     #reaches} and {@link #length} may be called
     */
    CellPaths(Cell type, int bits) {
        this.type = type;
        this.bits = bits;
    }

    /** Returns the type of the cells for a graph whose lengths or keys fit in 64 bits. */
    static Cell type(Graph graph, boolean next) {
        if (graph.longs == null) {
            return Cell.DOUBLE;
        }
        return !next && LongTable.bound(graph, false) < IntDistances.UNREACHED / 2 ? Cell.INT32 : Cell.INT64;
    }

    /** Returns the number of key bits to pass to the constructor. */
    static int bits(Graph graph, boolean next) {
        return next && graph.longs != null ? LongTable.bits(graph.nodes) : 0;
    }

    /** Returns a stored cell, as an integer or as the bits of a double. */
    abstract long value(int from, int to);

    /**
     * Returns a cell, or 0 on the diagonal: the stored cells (k, k) represent cycles, whereas the path from a vertex to
     * itself has no edges.
     */
    private long cell(int from, int to) {
        return from == to ? 0 : value(from, to);
    }

    @Override
    public final boolean reaches(int from, int to) {
        return switch (type) {
            case INT32 -> IntDistances.reaches((int) cell(from, to));
            case INT64 -> LongDistances.reaches(cell(from, to));
            case DOUBLE -> Double.longBitsToDouble(cell(from, to)) != DoubleDistances.UNREACHED;
        };
    }

    @Override
    public final long length(int from, int to) {
        return cell(from, to) >> 2 * bits;
    }

    @Override
    public final int next(int from, int to) {
        return from == to || !reaches(from, to) ? NONE : (int) (cell(from, to) & (1L << bits) - 1);
    }

    @Override
    public final int edges(int from, int to) {
        return (int) (cell(from, to) >> bits & (1L << bits) - 1);
    }
}
