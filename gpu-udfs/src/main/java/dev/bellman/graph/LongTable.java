package dev.bellman.graph;

/** A table of path lengths or path keys, as {@code long} values. */
final class LongTable implements PathTable {
    /** Marks a missing path. Sums with this value exceed all lengths and do not overflow. */
    static final long UNREACHED = 3L << 60;

    /** All computed lengths and keys have a smaller magnitude than this. */
    private static final double LIMIT = 0x1p60;

    private final long[][] cells;
    /** The number of bits of a key that represent a vertex; 0 if the table contains lengths. */
    private final int bits;

    /**
     * Creates a table of lengths or keys.
     *
     * @param bits the number of bits that a key reserves for the number of edges, and the same number for the next
     *     vertex; 0 if the table contains lengths
     */
    LongTable(int bits, long[]... cells) {
        this.cells = cells;
        this.bits = bits;
    }

    static boolean fits(Graph graph, boolean next) {
        return graph.longs != null && bound(graph, next) < LIMIT;
    }

    /** Returns an upper bound on the magnitude of lengths, or of keys if {@code next} is set. */
    static double bound(Graph graph, boolean next) {
        double lengths = graph.nodes * graph.largestMagnitude();
        return next ? Math.scalb(lengths + 1, 2 * bits(graph.nodes)) : lengths;
    }

    /** Returns a number of bits that is enough for the number of edges on any cycle and for any vertex. */
    static int bits(int nodes) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(nodes);
    }

    /** Returns the length of an edge, or its key. */
    static long ofEdge(Graph graph, int edge, int bits) {
        long weight = graph.longs[edge];
        return bits == 0 ? weight : (((weight << bits) + 1) << bits) + graph.targets[edge];
    }

    @Override
    public boolean reaches(int from, int to) {
        return cells[from][to] < LIMIT;
    }

    @Override
    public long length(int from, int to) {
        return cells[from][to] >> 2 * bits;
    }

    @Override
    public int next(int from, int to) {
        // only the path from a vertex to itself has the key 0
        return cells[from][to] == 0 || !reaches(from, to) ? NONE : (int) (cells[from][to] & (1L << bits) - 1);
    }

    @Override
    public int edges(int from, int to) {
        return (int) (cells[from][to] >> bits & (1L << bits) - 1);
    }
}
