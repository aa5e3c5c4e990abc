package dev.bellman.graph;

import dev.bellman.BellmanException;

/** Shortest paths between all vertices, as {@link ShortestPaths} defines them. */
public interface PathTable {
    /** Stands for no vertex. */
    int NONE = -1;

    boolean reaches(int from, int to);

    /**
     * The length of the path, which exists: integers as they are, doubles as their bits.
     *
     * @throws BellmanException {@link dev.bellman.ErrorCode#BELLMAN_OVERFLOW} if it does not fit 64 bits
     */
    long length(int from, int to);

    /** The vertex behind the first on the path, {@link #NONE} where there is none. The table must have been made with next vertices. */
    int next(int from, int to);

    /** How many edges the path has, which exists. The table must have been made with next vertices. */
    int edges(int from, int to);
}
