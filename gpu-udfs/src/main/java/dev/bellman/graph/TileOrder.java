package dev.bellman.graph;

import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.TileSparsity;
import java.io.Serializable;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The vertices of a sparse graph in the order of a {@link NestedDissection}, and which tiles of its table then are
 * empty. Integers have the same paths in any order of the vertices; sums of DOUBLE do not.
 */
public final class TileOrder implements Serializable {
    private static final long serialVersionUID = 1L;

    /** A graph with more edges, as a share of all pairs of vertices, has no empty tiles. */
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
     * An order of the vertices for tiles of this many; null if there is none that saves at least half of the work, or
     * sums depend on the order.
     *
     * @param next whether paths with next vertices are wanted
     */
    static TileOrder of(Graph graph, boolean next, int tile) {
        if (!LongTable.fits(graph, next) || graph.edges() > MAX_EDGES * graph.nodes * graph.nodes) {
            return null;
        }
        TileOrder order = new TileOrder(graph, tile);
        return 2 * order.fill.tasks() <= order.fill.allTasks() ? order : null;
    }

    /** The row and column of a vertex in the table. */
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
