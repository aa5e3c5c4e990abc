package dev.bellman.align.consensus;

import dev.bellman.CellCounter;
import dev.bellman.align.Text;
import dev.bellman.align.consensus.PartialOrderGraph.Node;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.TaskMemory;
import java.util.List;

/**
 * Computes the consensus of several strings by partial order alignment (Lee, Grasso and Sharlow, "Multiple sequence
 * alignment using partial order graphs", 2002), as spoa does. Aligns each string with the graph of the previous
 * strings, adds the string to the graph, and finally reads the {@link HeaviestBundle}. Empty strings are ignored.
 */
final class Consensus {
    /** All strategies return the same consensus. */
    public enum Strategy {
        /** Computes the table row by row, with vector instructions if possible. */
        AUTO,
        /** Computes the table cell by cell. */
        SERIAL
    }

    private Consensus() {}

    /**
     * Returns the consensus; empty if all strings are empty.
     *
     * @param cells receives the number of cells in the tables of all alignments
     */
    static Text of(String function, List<Text> strings, Scoring scoring, Strategy strategy, CellCounter cells) {
        PartialOrderGraph graph = new PartialOrderGraph();
        long taken = 0;
        for (Text string : strings) {
            int length = string.length();
            if (length == 0) {
                continue;
            }
            taken += take(function, graph.bytesWith(length) - taken);
            int[] symbols = scoring.symbols(function, "sequences", string);
            int nodes = graph.size();
            Node[] aligned = new Node[length];
            if (nodes > 0) {
                long bytes = GraphAlignment.bytes(nodes, length, scoring);
                TaskMemory.take(function, bytes, "", () -> "the table for %,d characters and a graph of %,d nodes"
                        .formatted(length, nodes));
                aligned = GraphAlignment.of(function, graph, symbols, scoring, strategy);
                TaskMemory.release(bytes);
            }
            graph.add(symbols, string.characters(), aligned);
            cells.add((long) nodes * length);
        }
        return graph.size() == 0 ? Text.of("") : characters(HeaviestBundle.of(graph));
    }

    /**
     * Reserves at least {@code more} bytes for the graph, if this number is positive, and returns the number of
     * reserved bytes.
     */
    private static long take(String function, long more) {
        if (more <= 0) {
            return 0;
        }
        // TaskMemory ignores smaller reservations
        long bytes = Math.max(more, TaskMemory.MIN_BYTES);
        TaskMemory.take(function, bytes, "", () -> "the graph of the strings");
        return bytes;
    }

    private static Text characters(int... characters) {
        return Text.of(characters, 0, characters.length);
    }
}
