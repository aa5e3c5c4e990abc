package dev.bellman.graph;

import dev.bellman.BellmanException;

/** Shortest paths between all vertices, as {@link ShortestPaths} defines them. */
public interface PathTable extends AutoCloseable {
    /** No vertex. */
    int NONE = -1;

    boolean reaches(int from, int to);

    /**
     * The length of the path, which must exist: an integer itself, a double as its bits.
     *
     * @throws BellmanException {@link dev.bellman.ErrorCode#BELLMAN_OVERFLOW} if it does not fit 64 bits
     */
    long length(int from, int to);

    /**
     * The second vertex of the path, or {@link #NONE}. The table must include next vertices.
     */
    int next(int from, int to);

    /** The number of edges of the path, which must exist. The table must include next vertices. */
    int edges(int from, int to);

    /** Frees what the table holds outside the heap. */
    @Override
    default void close() {}
}
