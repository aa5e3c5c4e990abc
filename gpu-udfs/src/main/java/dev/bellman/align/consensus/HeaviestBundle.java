package dev.bellman.align.consensus;

import dev.bellman.align.consensus.PartialOrderGraph.Edge;
import dev.bellman.align.consensus.PartialOrderGraph.Node;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Finds the consensus in a graph with the heaviest bundle algorithm: Lee, "Generating consensus sequences from partial
 * order multiple sequence alignment graphs" (2003). In the order of nodes, each node chooses its heaviest incoming
 * edge. The score of a node is the weight of the chosen edge plus the score of the edge's source, or -1 without a
 * chosen edge. The consensus ends at the node with the highest score. While edges leave this node, the bundle is
 * extended: the other predecessors of its successors lose their scores, all later nodes choose again among the edges
 * from nodes with a score, and the consensus then ends at the later node with the highest score.
 *
 * <p>Ties: among equally heavy edges, the edge from the node with the highest score is chosen; among these, the edge
 * that was added last. If several nodes have the highest score, the consensus ends at the first of them.
 */
final class HeaviestBundle {
    /** The score of a node that chose no edge or lost its score. */
    private static final long NONE = -1;

    private final List<Node> order;
    /** The scores of the nodes, indexed by rank. */
    private final long[] scores;
    /** The source of the incoming edge that each node chose, indexed by rank; null if the node chose no edge. */
    private final Node[] before;

    private HeaviestBundle(List<Node> order) {
        this.order = order;
        scores = new long[order.size()];
        before = new Node[order.size()];
        Arrays.fill(scores, NONE);
    }

    /** Returns the characters of the consensus of a graph with at least one node. */
    static int[] of(PartialOrderGraph graph) {
        HeaviestBundle bundle = new HeaviestBundle(graph.order());
        Node last = bundle.choose(0, false);
        while (!last.out.isEmpty()) {
            last = bundle.extended(last);
        }
        Deque<Node> nodes = new ArrayDeque<>();
        for (Node node = last; node != null; node = bundle.before[node.rank]) {
            nodes.push(node);
        }
        return nodes.stream().mapToInt(node -> node.character).toArray();
    }

    private Node extended(Node last) {
        for (Edge leaving : last.out) {
            for (Edge other : leaving.to.in) {
                if (other.from != last) {
                    scores[other.from.rank] = NONE;
                }
            }
        }
        return choose(last.rank + 1, true);
    }

    /**
     * Chooses an incoming edge for each node, starting at rank {@code first}, and returns the first of these nodes that
     * has the highest score.
     *
     * @param onlyScored whether to ignore edges from nodes without a score
     */
    private Node choose(int first, boolean onlyScored) {
        Node best = null;
        for (Node node : order.subList(first, order.size())) {
            int rank = node.rank;
            scores[rank] = NONE;
            before[rank] = null;
            for (Edge edge : node.in) {
                long score = scores[edge.from.rank];
                if (onlyScored && score == NONE) {
                    continue;
                }
                if (scores[rank] < edge.weight || scores[rank] == edge.weight && scores[before[rank].rank] <= score) {
                    scores[rank] = edge.weight;
                    before[rank] = edge.from;
                }
            }
            if (before[rank] != null) {
                scores[rank] += scores[before[rank].rank];
            }
            if (best == null || scores[best.rank] < scores[rank]) {
                best = node;
            }
        }
        return best;
    }
}
