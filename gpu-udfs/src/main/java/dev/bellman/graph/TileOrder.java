package dev.bellman.graph;

import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.TileSparsity;
import java.io.Serializable;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The order into which {@link NestedDissection} puts a sparse graph's vertices, and the tiles of the table that are
 * empty in this order. With integer weights, paths do not depend on the order of the vertices; with DOUBLE weights,
 * sums do.
 */
public final class TileOrder implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The maximum fraction of vertex pairs with an edge. Graphs with more edges are treated as dense. */
    private static final double MAX_EDGES = 1.0 / 32;

    private final int[] vertices;
    private final int[] places;
    private final TileSparsity fill;

    private TileOrder(Graph graph, int tile) {
        vertices = NestedDissection.order(graph, tile);
        places = new int[vertices.length];
        for (int place = 0; place < places.length; place++) {
            places[vertices[place]] = place;
        }
        BitSet[] rows = new BitSet[Grid.tiles(graph.nodes, tile)];
        Arrays.setAll(rows, row -> new BitSet());
        for (int v = 0; v < graph.nodes; v++) {
            for (int e = graph.starts[v]; e < graph.starts[v + 1]; e++) {
                rows[places[v] / tile].set(places[graph.targets[e]] / tile);
            }
        }
        fill = new TileSparsity(rows);
    }

    /**
     * Returns an order of the vertices for tiles of this size. Returns null if the graph is dense, if the weights are
     * DOUBLE, if sums may need more than 64 bits, or if the order would save less than half of the work.
     *
     * @param next whether to find next vertices
     */
    static TileOrder of(Graph graph, boolean next, int tile) {
        if (!LongTable.fits(graph, next) || graph.edges() > MAX_EDGES * graph.nodes * graph.nodes) {
            return null;
        }
        TileOrder order = new TileOrder(graph, tile);
        return 2 * order.fill.tasks() <= order.fill.allTasks() ? order : null;
    }

    /** Returns the row and column of a vertex in the table. */
    int place(int vertex) {
        return places[vertex];
    }

    int vertex(int place) {
        return vertices[place];
    }

    public TileSparsity fill() {
        return fill;
    }
}
