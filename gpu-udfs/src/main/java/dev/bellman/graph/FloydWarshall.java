package dev.bellman.graph;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.graph.dense.DoubleDistances;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Runs the Floyd-Warshall algorithm for {@link ShortestPaths}, in tables of the narrowest type that can represent every
 * sum.
 */
final class FloydWarshall {
    private FloydWarshall() {}

    /** @param done receives the number of relaxations of each completed step */
    static PathTable solve(Graph graph, boolean next, LongConsumer done) {
        if (graph.longs == null) {
            return doubles(graph, next, done);
        }
        if (!next && LongTable.bound(graph, false) < IntTable.LIMIT) {
            return new IntTable(graph, done);
        }
        return LongTable.fits(graph, next) ? longs(graph, next, done) : new WideTable(graph, next, done);
    }

    /**
     * A table of path lengths in 32 bits. A vector register has room for twice as many 32-bit lengths as 64-bit
     * lengths.
     */
    private static final class IntTable implements PathTable {
        static final double LIMIT = 0x1p28;
        private static final int UNREACHED = 3 << 28;

        private final int[][] cells;

        IntTable(Graph graph, LongConsumer done) {
            Cancellation cancellation = new Cancellation();
            int n = graph.nodes;
            cells = new int[n][n];
            for (int i = 0; i < n; i++) {
                Arrays.fill(cells[i], UNREACHED);
                cells[i][i] = 0;
                for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                    cells[i][graph.targets[e]] = (int) graph.longs[e];
                }
            }
            for (int k = 0; k < n; k++) {
                cancellation.count((long) n * n);
                int[] pivot = cells[k];
                if (pivot[k] < 0) {
                    throw graph.negativeCycle(k);
                }
                for (int i = 0; i < n; i++) {
                    if (reaches(i, k)) {
                        relax(cells[i], cells[i][k], pivot);
                    }
                }
                done.accept((long) n * n);
            }
        }

        /**
         * Computes minima without branches. Differences do not overflow. Java 17's C2 compiler vectorizes this loop,
         * but not a loop with {@code Math.min}.
         */
        private static void relax(int[] row, int toPivot, int... pivot) {
            for (int j = 0; j < row.length; j++) {
                int difference = toPivot + pivot[j] - row[j];
                row[j] += difference & difference >> Integer.SIZE - 1;
            }
        }

        @Override
        public boolean reaches(int from, int to) {
            return cells[from][to] < LIMIT;
        }

        @Override
        public long length(int from, int to) {
            return cells[from][to];
        }

        @Override
        public int next(int from, int to) {
            throw new IllegalStateException("this table contains only path lengths");
        }

        @Override
        public int edges(int from, int to) {
            throw new IllegalStateException("this table contains only path lengths");
        }
    }

    private static LongTable longs(Graph graph, boolean next, LongConsumer done) {
        int n = graph.nodes;
        int bits = next ? LongTable.bits(n) : 0;
        long[][] cells = new long[n][n];
        for (int i = 0; i < n; i++) {
            Arrays.fill(cells[i], LongTable.UNREACHED);
            cells[i][i] = 0;
            for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                cells[i][graph.targets[e]] = LongTable.ofEdge(graph, e, bits);
            }
        }
        LongTable table = new LongTable(bits, cells);
        long[] pivot = new long[n];
        Cancellation cancellation = new Cancellation();
        for (int k = 0; k < n; k++) {
            cancellation.count((long) n * n);
            if (cells[k][k] < 0) {
                throw graph.negativeCycle(k);
            }
            for (int j = 0; j < n; j++) {
                pivot[j] = cells[k][j] >> bits << bits;
            }
            for (int i = 0; i < n; i++) {
                if (i != k && table.reaches(i, k)) {
                    relax(cells[i], cells[i][k], pivot);
                }
            }
            done.accept((long) n * n);
        }
        return table;
    }

    /** Like {@link IntTable#relax}, for {@code long}. */
    private static void relax(long[] row, long toPivot, long... pivot) {
        for (int j = 0; j < row.length; j++) {
            long difference = toPivot + pivot[j] - row[j];
            row[j] += difference & difference >> Long.SIZE - 1;
        }
    }

    private static DoublePaths doubles(Graph graph, boolean next, LongConsumer done) {
        int n = graph.nodes;
        double[][] cells = new double[n][n];
        for (int i = 0; i < n; i++) {
            Arrays.fill(cells[i], Double.POSITIVE_INFINITY);
            cells[i][i] = 0;
            for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                cells[i][graph.targets[e]] = graph.doubles[e];
            }
        }
        Cancellation cancellation = new Cancellation();
        double margin = graph.margin();
        for (int k = 0; k < n; k++) {
            cancellation.count((long) n * n);
            double[] pivot = cells[k];
            if (pivot[k] < 0) {
                throw graph.negativeCycle(k);
            }
            for (double[] row : cells) {
                if (row[k] != Double.POSITIVE_INFINITY) {
                    DoubleDistances.relax(row, row[k], pivot, margin);
                }
            }
            done.accept((long) n * n);
        }
        return new DoublePaths(graph, (from, to) -> cells[from][to], next);
    }

    /** A table of lengths or keys with 124 bits, stored as {@code high * 2^62 + low}; {@code low} is not negative. */
    private static final class WideTable implements PathTable {
        private static final int LOW_BITS = 62;
        private static final long LOW_MASK = (1L << LOW_BITS) - 1;
        private static final long UNREACHED = Long.MAX_VALUE / 2;

        private final ErrorContext context;
        private final int bits;
        private final long[][] high;
        private final long[][] low;

        WideTable(Graph graph, boolean next, LongConsumer done) {
            context = graph.context;
            int n = graph.nodes;
            bits = next ? LongTable.bits(n) : 0;
            high = new long[n][n];
            low = new long[n][n];
            for (int i = 0; i < n; i++) {
                Arrays.fill(high[i], UNREACHED);
                high[i][i] = 0;
                for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                    int j = graph.targets[e];
                    high[i][j] = graph.longs[e] >> LOW_BITS - 2 * bits;
                    low[i][j] = graph.longs[e] << 2 * bits & LOW_MASK;
                    if (next) {
                        low[i][j] |= (1L << bits) + j;
                    }
                }
            }
            Cancellation cancellation = new Cancellation();
            for (int k = 0; k < n; k++) {
                cancellation.count((long) n * n);
                if (high[k][k] < 0) {
                    throw graph.negativeCycle(k);
                }
                for (int i = 0; i < n; i++) {
                    if (i != k && reaches(i, k)) {
                        relax(i, k);
                    }
                }
                done.accept((long) n * n);
            }
        }

        private void relax(int i, int k) {
            long withoutNext = -1L << bits;
            for (int j = 0; j < high.length; j++) {
                long lowSum = low[i][k] + (low[k][j] & withoutNext);
                long highSum = high[i][k] + high[k][j] + (lowSum >>> LOW_BITS);
                lowSum &= LOW_MASK;
                if (highSum < high[i][j] || highSum == high[i][j] && lowSum < low[i][j]) {
                    high[i][j] = highSum;
                    low[i][j] = lowSum;
                }
            }
        }

        @Override
        public boolean reaches(int from, int to) {
            return high[from][to] < UNREACHED / 2;
        }

        @Override
        public long length(int from, int to) {
            long top = high[from][to];
            long length = top << LOW_BITS - 2 * bits | low[from][to] >> 2 * bits;
            if (length >> LOW_BITS - 2 * bits != top) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_OVERFLOW,
                        "%s: the length of the path from %s to %s does not fit in a BIGINT; %s"
                                .formatted(
                                        context.caller(),
                                        context.vertex(from),
                                        context.vertex(to),
                                        context.narrowing()));
            }
            return length;
        }

        @Override
        public int next(int from, int to) {
            return from == to || !reaches(from, to) ? NONE : (int) (low[from][to] & (1L << bits) - 1);
        }

        @Override
        public int edges(int from, int to) {
            return (int) (low[from][to] >> bits & (1L << bits) - 1);
        }
    }
}
