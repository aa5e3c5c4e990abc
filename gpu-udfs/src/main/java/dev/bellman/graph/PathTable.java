package dev.bellman.graph;

import dev.bellman.BellmanException;

/** Shortest paths between all pairs of vertices, as {@link ShortestPaths} defines them. */
public interface PathTable extends AutoCloseable {
    /** The value for a missing vertex. */
    int NONE = -1;

    boolean reaches(int from, int to);

    /**
     * Returns the length of the path, which must exist, as an integer or as the bits of a double.
     *
     * @throws BellmanException {@link dev.bellman.ErrorCode#BELLMAN_OVERFLOW} if the length does not fit in 64 bits
     */
    long length(int from, int to);

    /** Returns the second vertex of the path, or {@link #NONE}. The table must include next vertices. */
    int next(int from, int to);

    /** Returns the number of edges of the path, which must exist. The table must include next vertices. */
    int edges(int from, int to);

    /** Frees the memory that the table holds outside the heap. */
    @Override
    default void close() {}
}
