package dev.bellman.align.consensus;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.consensus.Consensus.Strategy;
import dev.bellman.align.consensus.PartialOrderGraph.Edge;
import dev.bellman.align.consensus.PartialOrderGraph.Node;
import dev.bellman.align.scoring.GapCosts;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.Cancellation;
import java.util.Arrays;
import java.util.List;

/**
 * Aligns a string globally with a graph: finds the path from a node without predecessors to a node without successors
 * whose alignment with the string has the highest score. The table has a row for each node, in the order of nodes, and
 * a row 0 for the start, which precedes the nodes without predecessors. O. Gotoh's recurrences (1982) apply to each
 * predecessor of a node:
 *
 * <pre>{@code
 * skip(i, j)   = max over predecessors p of max(best(p, j) - delete.open, skip(p, j) - delete.extend)
 * insert(i, j) = max(best(i, j - 1) - insert.open, insert(i, j - 1) - insert.extend)
 * best(i, j)   = max(max over predecessors p of best(p, j - 1) + score(i, j), skip(i, j), insert(i, j))
 * }</pre>
 *
 * <p>If gap costs have two pieces, each piece has its own {@code skip} or {@code insert}.
 *
 * <p>Ties: among the nodes without successors, the path ends at the first one, in the order of nodes, that has the
 * highest score. From there, the traceback prefers to align a character with the node, then a gap opposite the node,
 * then a gap opposite the character. It tries predecessors in the order in which their edges were added. When the
 * traceback enters a gap, it first tries to extend the gap beyond one letter. After that, it follows a gap opposite
 * nodes to the first predecessor at which the gap can end or continue, and ends the gap there if possible. It makes a
 * gap opposite characters as long as possible. If all letters of a gap cost the same, the traceback treats each letter
 * as a separate gap. If the score allows either piece of the costs, the traceback uses the first one.
 */
final class GraphAlignment {
    private static final int NONE = -(1 << 30);

    /** The number of cached rows of scores; each row contains the scores for one symbol. */
    private static final int PROFILES = 16;

    private static final int[] START = {0};
    private static final RowSteps PLAIN = new PlainRows();

    private final Scoring scoring;
    private final GapCosts insert;
    private final GapCosts delete;
    private final List<Node> order;
    private final int[] symbols;
    private final int n;
    /** For each row, the rows of the predecessors of its node. */
    private final int[][] predecessors;

    private final int[][] best;
    private final int[][] skip;
    /** The scores of gaps with the second piece of {@link #delete}; the same as {@link #skip} if there is one piece. */
    private final int[][] skip2;

    private final int[][] profiles = new int[PROFILES][];
    private final int[] profiled = new int[PROFILES];

    private GraphAlignment(PartialOrderGraph graph, int[] symbols, Scoring scoring) {
        this.scoring = scoring;
        this.symbols = symbols;
        insert = scoring.insert();
        delete = scoring.delete();
        order = graph.order();
        n = symbols.length;
        int rows = order.size() + 1;
        predecessors = new int[rows][];
        best = new int[rows][n + 1];
        skip = new int[rows][n + 1];
        Arrays.fill(skip[0], NONE);
        skip2 = delete.hasTwoPieces() ? new int[rows][n + 1] : skip;
        Arrays.fill(skip2[0], NONE);
        for (int j = 1; j <= n; j++) {
            best[0][j] = (int) -insert.of(j);
        }
        for (Node node : order) {
            List<Edge> in = node.in;
            int[] rowsBefore = in.isEmpty() ? START : new int[in.size()];
            for (int k = 0; k < in.size(); k++) {
                rowsBefore[k] = in.get(k).from.rank + 1;
            }
            predecessors[node.rank + 1] = rowsBefore;
        }
    }

    /** Returns the number of bytes that the table takes. */
    static long bytes(long nodes, long length, Scoring scoring) {
        long tables = scoring.delete().hasTwoPieces() ? 3 : 2;
        return tables * Integer.BYTES * (nodes + 1) * (length + 5);
    }

    /**
     * Returns the node with which each character is aligned, or null if the character is opposite a gap.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if scores could exceed 30 bits
     */
    static Node[] of(String function, PartialOrderGraph graph, int[] symbols, Scoring scoring, Strategy strategy) {
        if ((graph.size() + symbols.length + 2L) * scoring.magnitude() >= -NONE / 2) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("%s: scores for a string of %,d characters and a graph of %,d nodes could exceed 30 bits, because "
                                    + "the scoring contains the number %,d. Use smaller scores, or shorter strings")
                            .formatted(function, symbols.length, graph.size(), scoring.magnitude()));
        }
        GraphAlignment alignment = new GraphAlignment(graph, symbols, scoring);
        RowSteps steps = strategy == Strategy.AUTO ? RowSteps.VECTORS.orElse(PLAIN) : PLAIN;
        Cancellation cancellation = new Cancellation();
        for (int i = 1; i < alignment.best.length; i++) {
            cancellation.count(steps.steps() * (long) alignment.n * alignment.predecessors[i].length);
            alignment.firstColumn(i);
            if (strategy == Strategy.SERIAL) {
                alignment.cells(i);
            } else {
                alignment.row(i, steps);
            }
        }
        return alignment.aligned();
    }

    private void firstColumn(int i) {
        int one = NONE;
        int two = NONE;
        for (int p : predecessors[i]) {
            one = Math.max(one, Math.max(best[p][0] - delete.open(), skip[p][0] - delete.extend()));
            two = Math.max(two, Math.max(best[p][0] - delete.open2(), skip2[p][0] - delete.extend2()));
        }
        skip[i][0] = one;
        skip2[i][0] = two;
        best[i][0] = Math.max(one, two);
    }

    private void cells(int i) {
        int symbol = order.get(i - 1).symbol;
        int inserted = NONE;
        int inserted2 = NONE;
        for (int j = 1; j <= n; j++) {
            int aligned = NONE;
            int skipped = NONE;
            int skipped2 = NONE;
            for (int p : predecessors[i]) {
                aligned = Math.max(aligned, best[p][j - 1] + scoring.score(symbols[j - 1], symbol));
                skipped = Math.max(skipped, Math.max(best[p][j] - delete.open(), skip[p][j] - delete.extend()));
                skipped2 = Math.max(skipped2, Math.max(best[p][j] - delete.open2(), skip2[p][j] - delete.extend2()));
            }
            inserted = Math.max(best[i][j - 1] - insert.open(), inserted - insert.extend());
            inserted2 = Math.max(best[i][j - 1] - insert.open2(), inserted2 - insert.extend2());
            skip[i][j] = skipped;
            skip2[i][j] = skipped2;
            best[i][j] = Math.max(aligned, Math.max(Math.max(skipped, skipped2), Math.max(inserted, inserted2)));
        }
    }

    /** Computes a row with one loop over all columns for each predecessor, and one for gaps opposite characters. */
    private void row(int i, RowSteps steps) {
        int[] profile = profile(order.get(i - 1).symbol);
        int[] before = predecessors[i];
        steps.first(best[i], skip[i], best[before[0]], skip[before[0]], profile, delete);
        for (int k = 1; k < before.length; k++) {
            steps.next(best[i], skip[i], best[before[k]], skip[before[k]], profile, delete);
        }
        if (delete.hasTwoPieces()) {
            Arrays.fill(skip2[i], 1, n + 1, NONE);
            for (int p : before) {
                steps.skip(best[i], skip2[i], best[p], skip2[p], delete.second());
            }
        }
        steps.insert(best[i], insert);
        if (insert.hasTwoPieces()) {
            steps.insert(best[i], insert.second());
        }
    }

    /** Returns the scores for aligning a symbol with each character of the string, starting at index 1. */
    private int[] profile(int symbol) {
        int at = symbol & PROFILES - 1;
        if (profiles[at] != null && profiled[at] == symbol) {
            return profiles[at];
        }
        if (profiles[at] == null) {
            profiles[at] = new int[n + 1];
        }
        profiled[at] = symbol;
        for (int j = 1; j <= n; j++) {
            profiles[at][j] = scoring.score(symbols[j - 1], symbol);
        }
        return profiles[at];
    }

    private Node[] aligned() {
        int i = 0;
        for (Node node : order) {
            if (node.out.isEmpty() && (i == 0 || best[node.rank + 1][n] > best[i][n])) {
                i = node.rank + 1;
            }
        }
        Node[] aligned = new Node[n];
        int j = n;
        while (i > 0 && j > 0) {
            Node node = order.get(i - 1);
            int p = before(i, j, best[i][j] - scoring.score(symbols[j - 1], node.symbol));
            if (p >= 0) {
                aligned[j - 1] = node;
                i = p;
                j--;
                continue;
            }
            p = skipped(i, j);
            if (p >= 0) {
                i = p;
            } else {
                j = inserted(i, j);
            }
        }
        return aligned;
    }

    /**
     * Returns the row of the first predecessor whose best score in column {@code j - 1} is {@code score}; -1 if there
     * is none.
     */
    private int before(int i, int j, int score) {
        for (int p : predecessors[i]) {
            if (best[p][j - 1] == score) {
                return p;
            }
        }
        return -1;
    }

    /**
     * Returns the row before a gap opposite nodes that ends in the cell; -1 if no such gap has the cell's best score.
     */
    private int skipped(int i, int j) {
        boolean isAffine = delete.open() != delete.extend();
        int score = best[i][j];
        for (int p : predecessors[i]) {
            if (isAffine && score == skip[p][j] - delete.extend()) {
                return begin(p, j, skip, delete);
            }
            if (score == best[p][j] - delete.open()) {
                return p;
            }
            if (delete.hasTwoPieces() && score == skip2[p][j] - delete.extend2()) {
                return begin(p, j, skip2, delete.second());
            }
        }
        return -1;
    }

    /**
     * Returns the row before the gap that ends at the given row's node.
     *
     * @param gaps the best scores of alignments that end with a gap that has the costs {@code piece}
     */
    private int begin(int row, int j, int[][] gaps, GapCosts piece) {
        int i = row;
        while (true) {
            int next = -1;
            for (int k = 0; next < 0; k++) {
                int p = predecessors[i][k];
                if (gaps[i][j] == best[p][j] - piece.open()) {
                    return p;
                }
                if (gaps[i][j] == gaps[p][j] - piece.extend()) {
                    next = p;
                }
            }
            i = next;
        }
    }

    /** Returns the column before the gap opposite characters that ends in the cell. */
    private int inserted(int i, int last) {
        int[] row = best[i];
        if (insert.open() == insert.extend() && row[last] == row[last - 1] - insert.open()) {
            return last - 1;
        }
        int j = longest(row, last, insert);
        return j >= 0 ? j : longest(row, last, insert.second());
    }

    /**
     * Returns the column before the longest gap opposite characters that ends in a column and has the column's score;
     * -1 if there is none.
     */
    private static int longest(int[] row, int last, GapCosts piece) {
        int j = 0;
        while (j < last && row[last] != row[j] - piece.open() - (last - 1 - j) * piece.extend()) {
            j++;
        }
        return j < last ? j : -1;
    }
}
