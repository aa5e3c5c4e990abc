package dev.bellman.align.distance;

import dev.bellman.BellmanException;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * An ordered tree with labels. Nodes are numbered in preorder: each node before its children, and the children from
 * left to right.
 *
 * @param labels the number of each node's label; equal labels have equal numbers
 * @param sizes the number of nodes in the subtree below each node, including the node
 * @param places the postorder number of each node: children from left to right, then their parent
 */
record LabelTree(int[] labels, int[] sizes, int[] places) {
    /** The number of bytes per node, for its arrays, the parser's copies and an entry in the map of labels. */
    private static final int BYTES_OF_A_NODE = 200;

    /**
     * A tree in postorder.
     *
     * @param leftmost the number of the leftmost leaf below each node
     * @param keyRoots the root and all nodes with a sibling to their left, in ascending order
     */
    record Ordered(int[] labels, int[] leftmost, int[] keyRoots) {
        /** Returns the total number of nodes in the subtrees of all key roots. */
        long work() {
            return Arrays.stream(keyRoots)
                    .mapToLong(root -> root - leftmost[root] + 1)
                    .sum();
        }
    }

    /**
     * Parses bracket notation: <code>{root{child}{child{grandchild}}}</code>.
     *
     * @param name the parameter's name, for messages
     * @param numbers the labels found so far, with their numbers; new labels are added
     */
    static LabelTree of(String function, String name, UTF8String text, Map<String, Integer> numbers) {
        return new Parser(function, name, TaskMemory.bytesOf(text), numbers).tree();
    }

    int size() {
        return sizes.length;
    }

    /** Returns the tree in postorder, or its mirror image, whose children are in reverse order. */
    Ordered ordered(boolean isMirrored) {
        int n = size();
        int[] ordered = new int[n];
        int[] leftmost = new int[n];
        int[] last = new int[n];
        Arrays.fill(last, -1);
        for (int v = 0; v < n; v++) {
            int place = isMirrored ? n - 1 - v : places[v];
            ordered[place] = labels[v];
            leftmost[place] = place - sizes[v] + 1;
            last[leftmost[place]] = Math.max(last[leftmost[place]], place);
        }
        int[] keyRoots = Arrays.stream(last).filter(root -> root >= 0).sorted().toArray();
        return new Ordered(ordered, leftmost, keyRoots);
    }

    /** Reads one tree. */
    private static final class Parser {
        private final String function;
        private final String name;
        private final byte[] text;
        private final Map<String, Integer> numbers;
        private final Cancellation cancellation = new Cancellation();

        private final int[] labels;
        private final int[] sizes;
        private final int[] places;
        /** The nodes whose brackets are open. */
        private final int[] open;

        private final ByteArrayOutputStream label = new ByteArrayOutputStream();
        private boolean isInLabel;
        private int depth;
        private int nodes;
        private int closed;

        Parser(String function, String name, byte[] text, Map<String, Integer> numbers) {
            this.function = function;
            this.name = name;
            this.text = text;
            this.numbers = numbers;
            int most = 0;
            for (byte each : text) {
                most += each == '{' ? 1 : 0;
            }
            int count = most;
            TaskMemory.take(function, (long) BYTES_OF_A_NODE * count, "", () -> "a tree of %,d nodes".formatted(count));
            labels = new int[count];
            sizes = new int[count];
            places = new int[count];
            open = new int[count];
        }

        LabelTree tree() {
            for (int at = 0; at < text.length; at++) {
                cancellation.count(1);
                switch (text[at]) {
                    case '{' -> open(at);
                    case '}' -> close(at);
                    default -> {
                        boolean isEscape = text[at] == '\\';
                        if (isInLabel && !(isEscape && at + 1 == text.length)) {
                            at += isEscape ? 1 : 0;
                            label.write(text[at]);
                        } else if (" \t\r\n".indexOf(text[at]) < 0) {
                            throw invalid(at, "a character outside a label");
                        }
                    }
                }
            }
            if (depth > 0 || nodes == 0) {
                throw invalid(
                        text.length, nodes == 0 ? "no tree" : "the end of the string instead of a closing bracket");
            }
            // escaped brackets do not delimit nodes
            return new LabelTree(
                    Arrays.copyOf(labels, nodes), Arrays.copyOf(sizes, nodes), Arrays.copyOf(places, nodes));
        }

        private void open(int at) {
            if (depth == 0 && nodes > 0) {
                throw invalid(at, "a second tree");
            }
            endLabel();
            open[depth++] = nodes++;
            isInLabel = true;
        }

        private void close(int at) {
            if (depth == 0) {
                throw invalid(at, "a closing bracket without an opening bracket");
            }
            endLabel();
            int node = open[--depth];
            sizes[node] = nodes - node;
            places[node] = closed++;
        }

        private void endLabel() {
            if (isInLabel) {
                String key = label.toString(StandardCharsets.ISO_8859_1);
                labels[nodes - 1] = numbers.computeIfAbsent(key, unused -> numbers.size());
                label.reset();
                isInLabel = false;
            }
        }

        private BellmanException invalid(int at, String found) {
            return BellmanException.inRow(
                    function,
                    ("`%s`: found %s at byte %,d; expected one tree in brackets, such as {root{child}{child}}, with a "
                                    + "backslash before each bracket or backslash in a label")
                            .formatted(name, found, at + 1));
        }
    }
}
