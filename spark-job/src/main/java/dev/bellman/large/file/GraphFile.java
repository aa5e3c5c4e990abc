package dev.bellman.large.file;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.graph.Graph;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * A graph that is read from a {@code .gr} file of the 9th DIMACS Implementation Challenge, or from a file in
 * MatrixMarket's coordinate format. Vertices are numbered from 1 in the file, but from 0 in this class. Either
 * {@code longs} or {@code doubles} is null.
 *
 * <p>In a {@code .gr} file, the line {@code p sp NODES ARCS} precedes the lines for arcs, {@code a FROM TO WEIGHT}.
 * Lines whose first word is {@code c} are comments. A MatrixMarket file contains a square matrix of integers or real
 * numbers, in which each entry is an edge; in a symmetric matrix, each entry is one edge in each direction. In a
 * pattern, all edges have weight 1.
 */
public record GraphFile(int nodes, int[] sources, int[] targets, long[] longs, double[] doubles) {
    /**
     * Reads a file, which may be compressed.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_FORMAT} if a line is malformed,
     *     {@link ErrorCode#BELLMAN_INPUT_READ} if the file cannot be read to its end, {@link ErrorCode#BELLMAN_LIMIT}
     *     if the graph does not fit in the heap
     */
    public static GraphFile read(Configuration configuration, Path path, boolean matrix) {
        try (NumberLines lines = NumberLines.open(configuration, path)) {
            return matrix ? matrix(lines) : arcs(lines);
        }
    }

    private static int vertex(NumberLines lines, String text, int nodes) {
        return lines.index("vertex", text, nodes);
    }

    private static double real(NumberLines lines, String text) {
        double value = NumberLines.real(text);
        if (!Graph.isWeight(value)) {
            throw lines.malformed("found '%s' where a number of at most %s in magnitude is expected"
                    .formatted(text, Graph.MAX_WEIGHT));
        }
        return value;
    }

    /** Before the arrays are allocated, rejects a graph that cannot fit in the heap. */
    private static void checkMemory(NumberLines lines, int nodes, long edges) {
        long bytes = nodes * (long) (Long.BYTES + 2 * Integer.BYTES) + edges * (2L * Integer.BYTES + Long.BYTES);
        long heap = Runtime.getRuntime().maxMemory();
        if (bytes > heap) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    lines.place(("%,d vertices and %,d edges take more than %,d bytes, but the heap has %,d; "
                                    + "use more memory (BELLMAN_DRIVER_MEMORY)")
                            .formatted(nodes, edges, bytes, heap)));
        }
    }

    private static GraphFile arcs(NumberLines lines) {
        int nodes = -1;
        int[] sources = {};
        int[] targets = {};
        long[] weights = {};
        int count = 0;
        while (lines.next()) {
            List<String> words = lines.words();
            String kind = words.isEmpty() ? "c" : words.get(0);
            if (kind.equals("c")) {
                continue;
            }
            if (kind.equals("p")
                    && nodes < 0
                    && words.size() == 4
                    && words.get(1).equals("sp")) {
                nodes = lines.count(words.get(2));
                int arcs = lines.count(words.get(3));
                checkMemory(lines, nodes, arcs);
                sources = new int[arcs];
                targets = new int[arcs];
                weights = new long[arcs];
            } else if (kind.equals("a") && nodes >= 0 && words.size() == 4) {
                if (count == weights.length) {
                    throw lines.malformed("the file has more arcs than its p line declares (%d)".formatted(count));
                }
                sources[count] = vertex(lines, words.get(1), nodes);
                targets[count] = vertex(lines, words.get(2), nodes);
                weights[count++] = lines.whole(words.get(3));
            } else {
                throw lines.malformed("found '%s'; expected a comment or '%s'"
                        .formatted(lines.line(), nodes < 0 ? "p sp NODES ARCS" : "a FROM TO WEIGHT"));
            }
        }
        if (nodes < 0 || count < weights.length) {
            throw lines.malformed(
                    nodes < 0
                            ? "the file ends without a line 'p sp NODES ARCS'"
                            : "the file ends after %d of %d arcs; it is truncated".formatted(count, weights.length));
        }
        return new GraphFile(nodes, sources, targets, weights, null);
    }

    private static GraphFile matrix(NumberLines lines) {
        MatrixHeader header = MatrixHeader.read(lines, true);
        if (header.rows() != header.columns()) {
            throw lines.malformed(("found '%s'; expected NODES NODES ENTRIES: the number of rows, the same number "
                            + "of columns, and the number of entries")
                    .formatted(lines.line()));
        }
        return entries(lines, header);
    }

    private static GraphFile entries(NumberLines lines, MatrixHeader header) {
        int nodes = header.rows();
        int entries = (int) header.entries();
        boolean integers = header.integers();
        int each = header.symmetric() ? 2 : 1;
        checkMemory(lines, nodes, (long) each * entries);
        int[] sources = new int[each * entries];
        int[] targets = new int[each * entries];
        long[] longs = integers ? new long[each * entries] : null;
        double[] doubles = integers ? null : new double[each * entries];
        int read = 0;
        while (lines.next()) {
            List<String> words = lines.words();
            if (words.isEmpty()) {
                continue;
            }
            if (words.size() != (header.pattern() ? 2 : 3) || read == entries) {
                throw lines.malformed(
                        read == entries
                                ? "the file has more entries than the size line declares (%d)".formatted(entries)
                                : "found '%s'; expected ROW COLUMN%s"
                                        .formatted(lines.line(), header.pattern() ? "" : " VALUE"));
            }
            int row = vertex(lines, words.get(0), nodes);
            int column = vertex(lines, words.get(1), nodes);
            for (int copy = 0; copy < each; copy++) {
                int at = each * read + copy;
                sources[at] = copy == 0 ? row : column;
                targets[at] = copy == 0 ? column : row;
                if (integers) {
                    longs[at] = header.pattern() ? 1 : lines.whole(words.get(2));
                } else {
                    doubles[at] = real(lines, words.get(2));
                }
            }
            read++;
        }
        if (read < entries) {
            throw lines.malformed("the file ends after %d of %d entries; it is truncated".formatted(read, entries));
        }
        return new GraphFile(nodes, sources, targets, longs, doubles);
    }
}
