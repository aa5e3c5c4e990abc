package dev.bellman.chain;

import dev.bellman.large.tiles.Tile;
import java.util.function.Function;

/** {@link SumTiles} with integers. Candidates are not checked if a bound shows that none can exceed 63 bits. */
final class LongSumTiles extends LongTiles implements SumTiles<long[][]> {
    private static final long serialVersionUID = 1L;

    private final boolean checked;

    LongSumTiles(int leaves, long largest) {
        // use the initial cost of a checked table, because tiles are written before the largest number is known
        super(leaves, ChainSolver.OVERFLOW, true, bound(leaves, largest));
        checked = LongSumTable.isChecked(bound(leaves, largest));
    }

    private static long bound(int leaves, long largest) {
        return CostArithmetic.product(largest, 2L * leaves);
    }

    @Override
    public void set(long[][] tile, int i, int j, long bits) {
        tile[j == i + 1 ? i % EDGE : EDGE + i % EDGE][j % EDGE] = bits;
    }

    private static long weight(long[][] tile, int i, int j) {
        return tile[EDGE + i % EDGE][j % EDGE];
    }

    @Override
    protected void relax(long[][] target, int i, long[][] left, int k, long[][] right, int from, int to) {
        int begin = from % EDGE;
        long[] row = target[i % EDGE];
        if (checked) {
            LongSumTable.relaxChecked(row, begin, begin + to - from, cost(left, i, k), right[k % EDGE]);
        } else {
            relaxMany(row, begin, begin + to - from, cost(left, i, k), right[k % EDGE]);
        }
    }

    /**
     * Relaxes a row. Until a cost has a candidate, it is negative; with the sign bit cleared, it is larger than any
     * candidate.
     */
    private static void relaxMany(long[] row, int from, int to, long left, long[] right) {
        for (int c = from; c < to; c++) {
            long cost = row[c] & Long.MAX_VALUE;
            long gain = left + right[c] - cost;
            row[c] = cost + (gain & gain >> 63);
        }
    }

    @Override
    protected void finish(long[][] target, int i, int j) {
        long cost = CostArithmetic.sum(cost(target, i, j), weight(target, i, j));
        target[i % EDGE][j % EDGE] = Math.max(ChainSolver.OVERFLOW, cost);
    }

    @Override
    protected boolean isOptimal(long[][] whole, long[][] left, long[][] right, int i, int k, int j) {
        long parts = CostArithmetic.sum(cost(left, i, k), cost(right, k, j));
        return CostArithmetic.sum(parts, weight(whole, i, j)) == cost(whole, i, j);
    }

    @Override
    public Number cost(Function<Tile, long[][]> tiles) {
        return cell(whole(tiles), 0, leaves);
    }

    @Override
    public Number cell(long[][] tile, int i, int j) {
        return cost(tile, i, j);
    }
}
