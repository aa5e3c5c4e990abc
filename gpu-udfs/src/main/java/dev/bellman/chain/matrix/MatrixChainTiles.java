package dev.bellman.chain.matrix;

import static dev.bellman.chain.CostArithmetic.product;
import static dev.bellman.chain.CostArithmetic.sum;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.chain.ChainSolver;
import dev.bellman.chain.LongTiles;
import dev.bellman.large.tiles.Tile;
import java.util.Arrays;
import java.util.function.Function;

/**
 * The table of one long matrix chain, divided into tiles that may be in memory, in files or on other machines. The
 * resulting order is the same as in {@link MatrixChain}. As in {@link ChainTable}, splits that are never optimal are
 * skipped, and each candidate is checked if any candidate could exceed 63 bits.
 */
public final class MatrixChainTiles extends LongTiles {
    private static final long serialVersionUID = 1L;

    private final long[] dims;
    /**
     * The dimensions for each column of tiles. The indices are the same as in the tiles, which allows vector
     * instructions.
     */
    private final long[][] columnDims;

    private final boolean checked;
    /** For each vertex, the nearest vertex before it with a smaller dimension, or -1. */
    private final int[] smallerBefore;

    /** For each vertex, the nearest vertex after it with a smaller dimension, or {@code n + 1}. */
    private final int[] smallerAfter;

    private MatrixChainTiles(long bound, long... dims) {
        super(dims.length - 1, bound == Long.MAX_VALUE ? ChainSolver.OVERFLOW : Long.MAX_VALUE, false, bound);
        this.dims = dims.clone();
        checked = bound == Long.MAX_VALUE;
        columnDims = new long[side()][];
        Arrays.setAll(columnDims, tile -> Arrays.copyOfRange(dims, tile * EDGE, (tile + 1) * EDGE));
        smallerBefore = new int[dims.length];
        smallerAfter = new int[dims.length];
        for (int k = 0; k < dims.length; k++) {
            int at = k - 1;
            while (at >= 0 && dims[at] >= dims[k]) {
                at = smallerBefore[at];
            }
            smallerBefore[k] = at;
        }
        for (int k = leaves; k >= 0; k--) {
            int at = k + 1;
            while (at <= leaves && dims[at] >= dims[k]) {
                at = smallerAfter[at];
            }
            smallerAfter[k] = at;
        }
    }

    /**
     * Creates the tiles of a chain.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} for the same inputs as {@link MatrixChain}
     */
    public static MatrixChainTiles of(long... dims) {
        MatrixChain.check(MatrixChainFunctions.ONE_CHAIN.name(), dims);
        return new MatrixChainTiles(ChainTable.bound(dims), dims);
    }

    /** Returns the number of matrices. */
    public int matrices() {
        return leaves;
    }

    @Override
    protected long[] weights() {
        return dims;
    }

    @Override
    public long[][] make(Tile tile) {
        long[][] made = super.make(tile);
        for (int i = tile.row() * EDGE; i < Math.min(leaves, (tile.row() + 1) * EDGE); i++) {
            if ((i + 1) / EDGE == tile.column()) {
                made[i % EDGE][(i + 1) % EDGE] = 0;
            }
        }
        return made;
    }

    @Override
    protected void relax(long[][] target, int i, long[][] left, int k, long[][] right, int from, int to) {
        int end = smallerBefore[k] > i ? Math.min(to, smallerAfter[k] + 1) : to;
        if (from >= end) {
            return;
        }
        long[] columns = columnDims[from / EDGE];
        int begin = from % EDGE;
        int count = end - from;
        if (checked) {
            relaxChecked(
                    target[i % EDGE],
                    begin,
                    begin + count,
                    cost(left, i, k),
                    right[k % EDGE],
                    product(dims[i], dims[k]),
                    columns);
        } else {
            relaxMany(
                    target[i % EDGE],
                    begin,
                    begin + count,
                    cost(left, i, k),
                    right[k % EDGE],
                    dims[i] * dims[k],
                    columns);
        }
    }

    private static void relaxMany(long[] row, int from, int to, long left, long[] right, long factor, long[] dims) {
        for (int c = from; c < to; c++) {
            long gain = left + right[c] + factor * dims[c] - row[c];
            row[c] += gain & gain >> 63;
        }
    }

    private static void relaxChecked(long[] row, int from, int to, long left, long[] right, long factor, long[] dims) {
        for (int c = from; c < to; c++) {
            long candidate = sum(sum(left, right[c]), product(factor, dims[c]));
            if (candidate >= 0 && (row[c] < 0 || candidate < row[c])) {
                row[c] = candidate;
            }
        }
    }

    @Override
    protected boolean isOptimal(long[][] whole, long[][] left, long[][] right, int i, int k, int j) {
        long product = product(product(dims[i], dims[k]), dims[j]);
        return sum(sum(cost(left, i, k), cost(right, k, j)), product) == cost(whole, i, j);
    }

    /**
     * Returns the number of scalar multiplications that an optimal order needs.
     *
     * @param tiles returns a finished tile
     * @throws BellmanException {@link ErrorCode#BELLMAN_OVERFLOW} if the cost exceeds 63 bits
     */
    public long cost(Function<Tile, long[][]> tiles) {
        long cost = cost(whole(tiles), 0, leaves);
        if (cost == ChainSolver.OVERFLOW) {
            throw MatrixChain.overflow(MatrixChainFunctions.ONE_CHAIN.name(), dims);
        }
        return cost;
    }

    /** Returns the order and its splits, as {@link MatrixChain} defines them. */
    public MatrixChain.Solution solution(Function<Tile, long[][]> tiles) {
        long cost = cost(tiles);
        int[] splits = splits(tiles);
        return new MatrixChain.Solution(cost, MatrixChain.text(leaves, splits), splits);
    }
}
