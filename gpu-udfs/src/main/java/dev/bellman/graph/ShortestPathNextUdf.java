package dev.bellman.graph;

import dev.bellman.FunctionOptions;
import dev.bellman.graph.ShortestPaths.Strategy;

/** {@code shortest_path_next(nodes, edges)}. */
public final class ShortestPathNextUdf extends GraphUdf {
    private static final long serialVersionUID = 1L;

    private ShortestPathNextUdf(boolean doubles, Strategy strategy, FunctionOptions options) {
        super("shortest_path_next", doubles, true, strategy, options);
    }

    public static ShortestPathNextUdf ofLongs(Strategy strategy, FunctionOptions options) {
        return new ShortestPathNextUdf(false, strategy, options);
    }

    public static ShortestPathNextUdf ofDoubles(Strategy strategy, FunctionOptions options) {
        return new ShortestPathNextUdf(true, strategy, options);
    }

    @Override
    Object result(PathTable table, int nodes) {
        Integer[][] rows = new Integer[nodes][nodes];
        for (int i = 0; i < nodes; i++) {
            for (int j = 0; j < nodes; j++) {
                int vertex = table.next(i, j);
                rows[i][j] = vertex == PathTable.NONE ? null : Integer.valueOf(vertex);
            }
        }
        return rows;
    }

    @Override
    ShortestPathNextUdf with(FunctionOptions other) {
        return new ShortestPathNextUdf(doubles, strategy, other);
    }
}
