package dev.bellman.graph;

import dev.bellman.FunctionOptions;
import dev.bellman.graph.ShortestPaths.Strategy;

/** {@code shortest_paths(nodes, edges)}. */
public final class ShortestPathsUdf extends GraphUdf {
    private static final long serialVersionUID = 1L;

    private ShortestPathsUdf(boolean doubles, Strategy strategy, FunctionOptions options) {
        super("shortest_paths", doubles, false, strategy, options);
    }

    public static ShortestPathsUdf ofLongs(Strategy strategy, FunctionOptions options) {
        return new ShortestPathsUdf(false, strategy, options);
    }

    public static ShortestPathsUdf ofDoubles(Strategy strategy, FunctionOptions options) {
        return new ShortestPathsUdf(true, strategy, options);
    }

    @Override
    Object result(PathTable table, int nodes) {
        Object[][] rows = new Object[nodes][nodes];
        for (int i = 0; i < nodes; i++) {
            for (int j = 0; j < nodes; j++) {
                if (table.reaches(i, j)) {
                    long length = table.length(i, j);
                    // not a conditional expression, which would turn both into a double
                    if (doubles) {
                        rows[i][j] = Double.longBitsToDouble(length);
                    } else {
                        rows[i][j] = length;
                    }
                }
            }
        }
        return rows;
    }

    @Override
    ShortestPathsUdf with(FunctionOptions other) {
        return new ShortestPathsUdf(doubles, strategy, other);
    }
}
