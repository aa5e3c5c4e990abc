package dev.bellman.chain;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.Wavefront;
import java.util.function.Supplier;

/**
 * The table that every problem in this package computes. There are {@code n} leaves, counted from 1. The cost of each
 * range of leaves, from {@code i} to {@code j}, is the minimum over all splits {@code k} of {@code cost(i, k) + cost(k
 * + 1, j) + w(i, k, j)}. Each subclass implements one weight {@code w} for one number type. Filling the table takes
 * O(n^3) time and {@code n (n + 1) / 2} cells of memory.
 *
 * <p><b>Layout.</b> The range {@code i} to {@code j} is in row {@code s = n - i} and column {@code c = n - j}, from 0
 * to {@code s}. A split {@code k} is then a column {@code t = n - k}, which combines one value of the row itself with
 * one other row: {@code cost(s, c) = min over c < t <= s of cost(s, t) + cost(t - 1, c) + w}. Both rows have the same
 * columns, so the compiler can use vector instructions in {@link #relax}.
 *
 * <p><b>By rows</b>: the textbook algorithm computes the rows from first to last, and each row from its last column to
 * its first.
 *
 * <p><b>By tiles</b>: a tile consists of {@link #PANEL} rows and a block of columns. The tile stays in the cache while
 * the rows that it reads stream past, once for the whole panel. This follows Javanmard et al., "Toward efficient
 * architecture-independent algorithms for dynamic programs" (2019): their C is {@link #relaxPanel}, B is the rest of
 * {@link #solveTile}, and A is {@link #solveTriangle}. A tile needs the tile with the next larger columns in the same
 * rows, and the tile with the same columns in the rows before. Therefore, all tiles of an antidiagonal can be solved at
 * once.
 *
 * <p>Splits are not stored. A split is determined on demand, as the smallest {@code k} whose candidate equals the cost.
 */
public abstract class ParenthesizationTable {
    /** The number of rows of a tile. */
    public static final int PANEL = 8;
    /**
     * The number of columns of a tile that are finished before their splits are applied to the tile's lower columns all
     * at once.
     */
    public static final int GROUP = 16;
    /**
     * The number of bytes in a row of a tile. A second-level cache holds several times {@link #PANEL} such rows, and
     * loops are long enough for vectors.
     */
    private static final int ROW_BYTES = 8192;
    /**
     * Loops over fewer columns are in a separate method, because the compiler does not vectorize a loop that has mostly
     * run for few iterations.
     */
    protected static final int SHORT = 32;
    /** The number of rows and columns of a tile in {@link #fillRWay}; each stands for a vertex. */
    private static final int EDGE = 128;
    /**
     * The minimum width of a tile, in columns. Tiles are made narrower to occupy all threads, but not narrower than
     * this width.
     */
    private static final int NARROWEST = 128;
    /**
     * The minimum number of leaves for which tiles are faster than rows in one thread; with several threads, half as
     * many suffice.
     */
    private static final int MIN_TILED = 2048;

    /** The number of bytes per leaf for results, rows and weights, and for finding splits. */
    private static final int BYTES_OF_A_LEAF = 200;

    public final int leaves;
    private final Cancellation cancellation = new Cancellation();

    protected ParenthesizationTable(int leaves) {
        this.leaves = leaves;
    }

    /**
     * @param cellBytes the number of bytes per cell, including all other data that is stored per cell
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if a table exceeds what remains of the task's share of
     *     memory
     */
    public static void takeMemory(
            String function, Supplier<String> instance, int leaves, int cellBytes, String remedy) {
        TaskMemory.take(
                function,
                (long) leaves * (leaves + 1) / 2 * cellBytes + (long) BYTES_OF_A_LEAF * leaves,
                remedy,
                () -> "the table of " + instance.get());
    }

    /**
     * Initializes a row: sets its last column to the leaf's cost, and the other columns to a value that marks the lack
     * of a candidate.
     */
    protected abstract void open(int row);

    /** Applies split {@code t} of a row to the columns {@code from} to {@code to - 1}, all below {@code t}. */
    protected abstract void relax(int row, int t, int from, int to);

    /**
     * Adds weights that do not depend on the split. Called for each cell that is not a leaf, after all of the cell's
     * splits have been applied.
     */
    protected void finish(int row, int column) {}

    /** Whether a split of the range {@code i} to {@code j} yields the range's cost. */
    protected abstract boolean isOptimal(int i, int k, int j);

    /** Returns the number of bytes per cell. */
    public abstract int cellBytes();

    /**
     * Returns the smallest column for which a split at {@code t} may be optimal. The result never decreases as the row
     * increases.
     */
    protected int lowest(int row, int t) {
        return 0;
    }

    /** Fills the table row by row, with every split of every range. */
    public final void fill() {
        for (int row = 0; row < leaves; row++) {
            open(row);
            for (int t = row; t >= 0; t--) {
                cancellation.count(t);
                if (t < row) {
                    finish(row, t);
                }
                if (t > 0) {
                    relax(row, t, 0, t);
                }
            }
        }
    }

    /**
     * Fills the table tile by tile, or row by row if it is small.
     *
     * @param threads the number of threads that solve tiles, including this one
     */
    public final void fill(int threads) {
        if (leaves < (threads == 1 ? MIN_TILED : MIN_TILED / 2)) {
            for (int row = 0; row < leaves; row++) {
                cancellation.count((long) row * row / 2);
                open(row);
                solveTriangle(row, 0);
            }
            return;
        }
        int width = ROW_BYTES / cellBytes();
        while (width > NARROWEST && leaves < 2L * threads * width) {
            width /= 2;
        }
        fillTiles(width, threads);
    }

    /** @param width the number of columns of a tile, a multiple of {@link #PANEL} */
    public final void fillTiles(int width, int threads) {
        for (int row = 0; row < leaves; row++) {
            open(row);
        }
        Tiles tiles = new Tiles(width);
        Wavefront.run(tiles.panels, tiles.blocks(tiles.panels - 1), threads, tiles::solve);
    }

    /**
     * Fills the table in the order of the 2-way recursion by Javanmard et al., Fig. 2, with line 7 of B corrected.
     * Cells are pairs of vertices {@code 0} to {@code n}: the range {@code i} to {@code j} is between the vertices
     * {@code i - 1} and {@code j}, a split {@code k} is a vertex between them, and a tile is a square of such pairs.
     *
     * @param threads the number of threads that work on tiles at the same time
     */
    public final void fillRWay(int threads) {
        for (int row = 0; row < leaves; row++) {
            open(row);
        }
        int side = Grid.tiles(leaves + 1L, EDGE);
        Schedule.twoWay(side).execute(Pattern.TRIANGLE, side, threads, task -> {
            Cancellation.check();
            Tile target = task.target();
            switch (task.kernel()) {
                case A -> solveDiagonal(target.row());
                case B -> solveSquare(target.row(), target.column());
                default -> takeSplits(target.row(), task.sources().get(0).column(), target.column());
            }
        });
    }

    private int firstVertex(int tile) {
        return tile * EDGE;
    }

    private int lastVertex(int tile) {
        return Math.min(leaves, tile * EDGE + EDGE - 1);
    }

    private void solveDiagonal(int tile) {
        for (int first = Math.min(leaves - 1, lastVertex(tile)); first >= firstVertex(tile); first--) {
            solveTriangle(leaves - 1 - first, leaves - lastVertex(tile));
        }
    }

    /**
     * Solves the ranges that begin at a vertex of one tile and end at a vertex of another. All splits at vertices of
     * the tiles between these two must have been applied.
     */
    private void solveSquare(int rows, int columns) {
        int from = leaves - lastVertex(columns);
        int to = leaves - firstVertex(columns) + 1;
        for (int first = lastVertex(rows); first >= firstVertex(rows); first--) {
            int row = leaves - 1 - first;
            for (int split = first + 1; split <= lastVertex(rows); split++) {
                take(row, leaves - split, from, to);
            }
            for (int t = to - 1; t >= from; t--) {
                if (t < row) {
                    finish(row, t);
                }
                take(row, t, from, t);
            }
        }
    }

    private void takeSplits(int rows, int splits, int columns) {
        for (int first = lastVertex(rows); first >= firstVertex(rows); first--) {
            for (int split = firstVertex(splits); split <= lastVertex(splits); split++) {
                take(
                        leaves - 1 - first,
                        leaves - split,
                        leaves - lastVertex(columns),
                        leaves - firstVertex(columns) + 1);
            }
        }
    }

    /**
     * Computes the columns of a row from its leaf down to {@code end}, using the splits from {@code end + 1} on, which
     * are all the splits of these columns.
     */
    private void solveTriangle(int row, int end) {
        for (int t = row; t >= end; t--) {
            if (t < row) {
                finish(row, t);
            }
            take(row, t, end, t);
        }
    }

    /** Applies a split of a row to those columns for which the split may be optimal. */
    private void take(int row, int t, int from, int to) {
        int begin = Math.max(from, lowest(row, t));
        if (begin < to) {
            relax(row, t, begin, to);
        }
    }

    /** Solves the rows {@code a} to {@code b - 1} in the columns {@code from} to {@code to - 1}. */
    private void solveTile(int a, int b, int from, int to) {
        relaxPanel(a, b, to, a, from, to);
        for (int end = to; end > from; end = Math.max(from, end - GROUP)) {
            int begin = Math.max(from, end - GROUP);
            for (int row = a; row < b; row++) {
                for (int t = row; t > a; t--) {
                    take(row, t, begin, end);
                }
                for (int t = end - 1; t >= begin; t--) {
                    finish(row, t);
                    take(row, t, begin, t);
                }
            }
            relaxPanel(a, b, begin, end - 1, from, begin);
        }
    }

    /** Applies the splits {@code first} to {@code last} to a panel. */
    private void relaxPanel(int a, int b, int first, int last, int from, int to) {
        for (int t = last; t >= first; t--) {
            if (lowest(a, t) < to) {
                for (int row = a; row < b; row++) {
                    take(row, t, from, to);
                }
            }
        }
    }

    private final class Tiles {
        /**
         * The number of columns of a block: a multiple of {@link #PANEL}, so that the leaves of a panel are in one
         * block.
         */
        private final int width;

        private final int panels = (leaves + PANEL - 1) / PANEL;

        Tiles(int width) {
            this.width = width;
        }

        /** Returns the number of blocks of columns in a panel. */
        private int blocks(int panel) {
            return panel * PANEL / width + 1;
        }

        private void solve(int panel, int column) {
            int block = blocks(panels - 1) - 1 - column;
            if (block >= blocks(panel)) {
                return;
            }
            Cancellation.check();
            int a = panel * PANEL;
            int b = Math.min(a + PANEL, leaves);
            int from = block * width;
            if (block + 1 == blocks(panel)) {
                for (int row = a + 1; row < b; row++) {
                    solveTriangle(row, a);
                }
            }
            solveTile(a, b, from, Math.min(from + width, a));
        }
    }

    /**
     * Returns the splits of an optimal tree in preorder: for each range of two or more leaves, the last leaf of its
     * left part, counted from 1.
     */
    public final int[] splits() {
        return Preorder.splits(leaves, (i, j) -> {
            int k = i;
            while (!isOptimal(i, k, j)) {
                k++;
            }
            cancellation.count(k - i);
            return k;
        });
    }
}
