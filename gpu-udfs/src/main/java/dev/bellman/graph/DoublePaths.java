package dev.bellman.graph;

/** Represents paths with DOUBLE lengths that an algorithm has computed. Next vertices are derived from the lengths. */
final class DoublePaths implements PathTable {
    /** The lengths of paths; infinity if there is no path. */
    @FunctionalInterface
    interface Lengths {
        double of(int from, int to);
    }

    private final Lengths lengths;
    private final PathTrees trees;

    DoublePaths(Graph graph, Lengths lengths, boolean next) {
        // the cells (k, k) represent cycles
        this.lengths = (from, to) -> from == to ? 0 : lengths.of(from, to);
        trees = next ? new PathTrees(graph, this.lengths) : null;
    }

    @Override
    public boolean reaches(int from, int to) {
        return lengths.of(from, to) != Double.POSITIVE_INFINITY;
    }

    @Override
    public long length(int from, int to) {
        return Double.doubleToRawLongBits(lengths.of(from, to));
    }

    @Override
    public int next(int from, int to) {
        return trees.next(from, to);
    }

    @Override
    public int edges(int from, int to) {
        return trees.edges(from, to);
    }
}
