package dev.bellman.order;

import dev.bellman.columns.Cancellation;
import dev.bellman.order.JoinOrder.Strategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds a cheap, not necessarily the cheapest, join tree by iterative dynamic programming: IDP2 by Kossmann and
 * Stocker, "Iterative dynamic programming: a new class of query optimization algorithms" (2000).
 *
 * <p>The first tree is greedy: it always joins the two adjacent parts whose join has the fewest rows (Fegaras, "A new
 * heuristic for optimizing large queries", 1998). Ties: the smallest first part, then the smallest second part,
 * compared by their lowest-numbered relations. Then the most expensive subtree with at most a given number of leaves is
 * replaced with the cheapest tree over the same leaves, and becomes a leaf itself. This is repeated until the whole
 * tree is a leaf. Ties: the subtree with the most relations, then the smallest bit set, read as a number.
 */
final class JoinBlocks {
    private static final Comparator<JoinTree> ORDER = Comparator.comparingDouble(JoinTree::cost)
            .thenComparing(tree -> Long.bitCount(tree.set()))
            .thenComparing(JoinTree::set, Comparator.reverseOrder());

    private final JoinGraph graph;
    private final Cancellation cancellation = new Cancellation();
    /** The sets of the subtrees that have become leaves. */
    private final Set<Long> leaves = new HashSet<>();

    private JoinBlocks(JoinGraph graph) {
        this.graph = graph;
    }

    /** Solves the graph in blocks of at most {@code size} leaves; {@code size} is at least 2. */
    static JoinOrder.Solution solve(JoinGraph graph, int size, Strategy strategy) {
        JoinBlocks blocks = new JoinBlocks(graph);
        JoinTree tree = blocks.greedy();
        int sets = 0;
        while (!blocks.isLeaf(tree)) {
            JoinTree block = tree.joins()
                    .filter(join ->
                            !blocks.isLeaf(join) && blocks.leavesOf(join).size() <= size)
                    .max(ORDER)
                    .orElseThrow();
            List<JoinTree> parts = blocks.leavesOf(block);
            parts.sort(Comparator.comparing(part -> Long.numberOfTrailingZeros(part.set())));
            JoinOrder.Solution solution = JoinOrder.solve(graph.joined(parts), strategy, true);
            sets += solution.sets();
            tree = blocks.replace(tree, blocks.expand(solution.tree(), parts));
            blocks.leaves.add(block.set());
        }
        return new JoinOrder.Solution(tree, sets);
    }

    private JoinTree greedy() {
        List<JoinTree> parts = new ArrayList<>();
        for (int r = 0; r < graph.relations(); r++) {
            parts.add(JoinTree.of(r));
        }
        while (parts.size() > 1) {
            int first = -1;
            int second = -1;
            double least = 0;
            for (int a = 0; a < parts.size(); a++) {
                long neighbours = graph.neighbours(parts.get(a).set());
                for (int b = a + 1; b < parts.size(); b++) {
                    if ((neighbours & parts.get(b).set()) != 0) {
                        cancellation.count(graph.relations());
                        double rows =
                                graph.rows(parts.get(a).set() | parts.get(b).set());
                        if (first < 0 || rows < least) {
                            first = a;
                            second = b;
                            least = rows;
                        }
                    }
                }
            }
            // the parts stay in ascending order of their lowest-numbered relations
            JoinTree right = parts.remove(second);
            parts.set(first, JoinTree.join(graph, parts.get(first), right));
        }
        return parts.get(0);
    }

    private boolean isLeaf(JoinTree tree) {
        return tree.isRelation() || leaves.contains(tree.set());
    }

    private List<JoinTree> leavesOf(JoinTree tree) {
        List<JoinTree> found = new ArrayList<>();
        if (isLeaf(tree)) {
            found.add(tree);
        } else {
            found.addAll(leavesOf(tree.left()));
            found.addAll(leavesOf(tree.right()));
        }
        return found;
    }

    /** Replaces the relations in a tree with the parts that they represent. */
    private JoinTree expand(JoinTree tree, List<JoinTree> parts) {
        return tree.isRelation()
                ? parts.get(Long.numberOfTrailingZeros(tree.set()))
                : JoinTree.join(graph, expand(tree.left(), parts), expand(tree.right(), parts));
    }

    /** Replaces the subtree that has the same relations as the new subtree. */
    private JoinTree replace(JoinTree tree, JoinTree subtree) {
        if ((tree.set() & subtree.set()) == 0) {
            return tree;
        }
        return tree.set() == subtree.set()
                ? subtree
                : JoinTree.join(graph, replace(tree.left(), subtree), replace(tree.right(), subtree));
    }
}
