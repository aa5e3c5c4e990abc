package dev.bellman.align.consensus;

import dev.bellman.BellmanException;
import dev.bellman.align.Characters;
import dev.bellman.align.Text;
import dev.bellman.align.scoring.GapCosts;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * Defines {@link Consensus} by recursive functions, which compute the order of nodes and the scores of the best
 * alignments with a prefix of a string. The traceback applies its rules in order of preference.
 */
final class ConsensusTextbook {
    private static final long NONE = Long.MIN_VALUE / 4;

    /** A piece of the costs of gaps; costs with one piece have two equal pieces. */
    private enum Piece {
        FIRST,
        SECOND;

        private int open(GapCosts costs) {
            return this == FIRST ? costs.open() : costs.open2();
        }

        private int extend(GapCosts costs) {
            return this == FIRST ? costs.extend() : costs.extend2();
        }

        private boolean isAffine(GapCosts costs) {
            return open(costs) != extend(costs);
        }
    }

    /** A character of the graph, or the start, which has no character and precedes the first characters. */
    private static final class Node {
        private int symbol;
        private int character;
        private final List<Node> before = new ArrayList<>();
        private final List<Node> after = new ArrayList<>();
        private final List<Node> mates = new ArrayList<>();
        /** For each predecessor, the number of strings in which it comes directly before this node. */
        private final Map<Node, Integer> weights = new HashMap<>();
    }

    /**
     * Identifies a score of the best alignments of a prefix that end at a node: either among all alignments, or among
     * those that end with a gap of some kind.
     */
    private record Cell(String kind, Node node, int prefix) {}

    private final Scoring scoring;
    private final Node start = new Node();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<Cell, Long> known = new HashMap<>();
    private int[] symbols;

    private ConsensusTextbook(Scoring scoring) {
        this.scoring = scoring;
    }

    static Object solve(InternalRow row) {
        ArrayData strings = row.getArray(0);
        ConsensusTextbook textbook;
        try {
            textbook = new ConsensusTextbook(Scoring.of("consensus", row.getString(1)));
        } catch (BellmanException e) {
            throw Values.invalid();
        }
        if (Values.hasNull(strings)) {
            throw Values.invalid();
        }
        for (int i = 0; i < strings.numElements(); i++) {
            textbook.add(Text.of(strings.getUTF8String(i).getBytes()), Characters.of(strings.getUTF8String(i)));
        }
        return textbook.nodes.isEmpty() ? Characters.text() : Characters.text(textbook.heaviest());
    }

    private void add(Text string, int... characters) {
        try {
            symbols = scoring.symbols("consensus", "sequences", string);
        } catch (BellmanException e) {
            throw Values.invalid();
        }
        known.clear();
        Node[] aligned = nodes.isEmpty() ? new Node[symbols.length] : aligned();
        Node before = null;
        for (int i = 0; i < symbols.length; i++) {
            Node node = node(aligned[i], symbols[i], characters[i]);
            if (before != null) {
                if (!node.before.contains(before)) {
                    node.before.add(before);
                    before.after.add(node);
                }
                node.weights.merge(before, 1, Integer::sum);
            }
            before = node;
        }
    }

    private Node node(Node aligned, int symbol, int character) {
        List<Node> column = new ArrayList<>();
        if (aligned != null) {
            column.addAll(aligned.mates);
            column.add(aligned);
        }
        for (Node node : column) {
            if (node.symbol == symbol) {
                return node;
            }
        }
        Node node = new Node();
        node.symbol = symbol;
        node.character = character;
        column.forEach(mate -> mate.mates.add(node));
        node.mates.addAll(column);
        nodes.add(node);
        return node;
    }

    /**
     * Returns the nodes in an order in which each node comes after its predecessors and next to the other nodes of its
     * column.
     */
    private List<Node> order() {
        List<Node> order = new ArrayList<>();
        Set<Node> listed = new HashSet<>();
        nodes.forEach(node -> list(node, order, listed));
        return order;
    }

    private static void list(Node node, List<Node> order, Set<Node> listed) {
        if (listed.contains(node)) {
            return;
        }
        List<Node> needed = new ArrayList<>(node.before);
        node.mates.forEach(mate -> needed.addAll(mate.before));
        for (int i = needed.size() - 1; i >= 0; i--) {
            list(needed.get(i), order, listed);
        }
        order.add(node);
        order.addAll(node.mates);
        listed.add(node);
        listed.addAll(node.mates);
    }

    private List<Node> before(Node node) {
        return node == start ? List.of() : node.before.isEmpty() ? List.of(start) : node.before;
    }

    private long once(String kind, Node node, int prefix, Supplier<Long> solve) {
        Cell cell = new Cell(kind, node, prefix);
        if (!known.containsKey(cell)) {
            known.put(cell, solve.get());
        }
        return known.get(cell);
    }

    private long matched(Node before, Node node, int j) {
        return best(before, j - 1) + scoring.score(symbols[j - 1], node.symbol);
    }

    private long best(Node node, int j) {
        return once("best", node, j, () -> {
            long best = node == start && j == 0 ? 0 : NONE;
            for (Piece piece : Piece.values()) {
                best = Math.max(best, Math.max(skip(piece, node, j), insert(piece, node, j)));
            }
            for (Node before : before(node)) {
                best = Math.max(best, j == 0 ? NONE : matched(before, node, j));
            }
            return best;
        });
    }

    /** Returns the best score of the alignments that end with a gap opposite the node. */
    private long skip(Piece piece, Node node, int j) {
        return once("skip" + piece, node, j, () -> before(node).stream()
                .mapToLong(before -> Math.max(skipOpened(piece, before, j), skipExtended(piece, before, j)))
                .max()
                .orElse(NONE));
    }

    private long skipOpened(Piece piece, Node before, int j) {
        return best(before, j) - piece.open(scoring.delete());
    }

    private long skipExtended(Piece piece, Node before, int j) {
        return skip(piece, before, j) - piece.extend(scoring.delete());
    }

    /** Returns the best score of the alignments that end with a gap opposite the last character. */
    private long insert(Piece piece, Node node, int j) {
        return once(
                "insert" + piece,
                node,
                j,
                () -> j == 0 ? NONE : Math.max(insertOpened(piece, node, j), insertExtended(piece, node, j)));
    }

    private long insertOpened(Piece piece, Node node, int j) {
        return best(node, j - 1) - piece.open(scoring.insert());
    }

    private long insertExtended(Piece piece, Node node, int j) {
        return insert(piece, node, j - 1) - piece.extend(scoring.insert());
    }

    private Node[] aligned() {
        int length = symbols.length;
        Node[] aligned = new Node[length];
        Node node = null;
        for (Node end : order()) {
            if (end.after.isEmpty() && (node == null || best(end, length) > best(node, length))) {
                node = end;
            }
        }
        int j = length;
        while (node != start && j > 0) {
            Node at = node;
            int prefix = j;
            Node matched = first(at, before -> matched(before, at, prefix) == best(at, prefix));
            if (matched != null) {
                aligned[--j] = node;
                node = matched;
            } else {
                Node skipped = skipped(node, j);
                j = skipped == null ? inserted(node, j) : j;
                node = skipped == null ? node : skipped;
            }
        }
        return aligned;
    }

    private Node first(Node node, Predicate<Node> isNext) {
        return before(node).stream().filter(isNext).findFirst().orElse(null);
    }

    /** Returns the node before the skipped nodes; null if no gap ends at this node. */
    private Node skipped(Node node, int j) {
        Node next = first(node, before -> Stream.of(Piece.values()).anyMatch(piece -> canSkip(piece, before, node, j)));
        if (next == null) {
            return null;
        }
        Piece piece = canSkip(Piece.FIRST, next, node, j) ? Piece.FIRST : Piece.SECOND;
        if (!piece.isAffine(scoring.delete()) || skipExtended(piece, next, j) != best(node, j)) {
            return next;
        }
        while (true) {
            Node at = next;
            long gap = skip(piece, at, j);
            next = first(at, before -> skipOpened(piece, before, j) == gap || skipExtended(piece, before, j) == gap);
            if (skipOpened(piece, next, j) == gap) {
                return next;
            }
        }
    }

    private boolean canSkip(Piece piece, Node before, Node node, int j) {
        return skipOpened(piece, before, j) == best(node, j) || skipExtended(piece, before, j) == best(node, j);
    }

    /** Returns the number of characters before the inserted ones. */
    private int inserted(Node node, int last) {
        Piece piece = insert(Piece.FIRST, node, last) == best(node, last) ? Piece.FIRST : Piece.SECOND;
        if (!piece.isAffine(scoring.insert()) || insertExtended(piece, node, last) != best(node, last)) {
            return last - 1;
        }
        int j = last - 1;
        while (insertExtended(piece, node, j) == insert(piece, node, j)) {
            j--;
        }
        return j - 1;
    }

    private int[] heaviest() {
        List<Node> order = order();
        Map<Node, Long> scores = new HashMap<>();
        Map<Node, Node> chosen = new HashMap<>();
        Node last = choose(order, scores, chosen, false);
        while (!last.after.isEmpty()) {
            Node at = last;
            last.after.forEach(after ->
                    after.before.stream().filter(before -> before != at).forEach(scores::remove));
            last = choose(order.subList(order.indexOf(last) + 1, order.size()), scores, chosen, true);
        }
        List<Integer> characters = new ArrayList<>();
        for (Node node = last; node != null; node = chosen.get(node)) {
            characters.add(0, node.character);
        }
        return characters.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Chooses an incoming edge for each of the nodes, and returns the node with the largest score. Nodes for which no
     * edge is chosen have no score.
     */
    private static Node choose(List<Node> nodes, Map<Node, Long> scores, Map<Node, Node> chosen, boolean onlyScored) {
        Node best = null;
        for (Node node : nodes) {
            scores.remove(node);
            chosen.remove(node);
            for (Node before : node.before) {
                Node other = chosen.get(node);
                int weight = node.weights.get(before);
                int least = other == null ? 0 : node.weights.get(other);
                boolean isBetter = weight > least
                        || weight == least && scores.getOrDefault(before, -1L) >= scores.getOrDefault(other, -1L);
                if (isBetter && !(onlyScored && !scores.containsKey(before))) {
                    chosen.put(node, before);
                }
            }
            Node before = chosen.get(node);
            if (before != null) {
                scores.put(node, node.weights.get(before) + scores.getOrDefault(before, -1L));
            }
            if (best == null || scores.getOrDefault(node, -1L) > scores.getOrDefault(best, -1L)) {
                best = node;
            }
        }
        return best;
    }
}
