package dev.bellman.chain;

import dev.bellman.GpuSide;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileGpu;
import dev.bellman.large.tiles.TileKernel;
import dev.bellman.large.tiles.TiledProblem;
import java.util.List;
import java.util.function.Function;

/**
 * The table of a {@link ParenthesizationTable}, divided into tiles that may be in memory, in files or on other
 * machines. The costs and splits are the same as in the undivided table.
 *
 * <p>Rows and columns are the vertices {@code 0} to {@code n} between the leaves: the cell {@code (i, j)} is the range
 * from leaf {@code i + 1} to leaf {@code j}, and a split is a vertex between {@code i} and {@code j}. Only cells above
 * the diagonal have values, so there are no tiles below it. The kernels follow {@link Pattern#TRIANGLE}.
 *
 * @param <T> the type of a tile
 */
public abstract class ParenthesizationTiles<T> implements TiledProblem<T> {
    private static final long serialVersionUID = 1L;

    /**
     * The number of rows and columns of a tile: three tiles fit in a second-level cache, and loops over a row are long
     * enough for vectors.
     */
    public static final int EDGE = 128;

    protected final int leaves;

    protected ParenthesizationTiles(int leaves) {
        this.leaves = leaves;
    }

    /**
     * Applies a split to a row of a target tile.
     *
     * @param i the row's vertex
     * @param left the tile that contains the range {@code (i, k)}
     * @param k the split
     * @param right the tile that contains the ranges {@code (k, j)}
     * @param from the first vertex {@code j}
     * @param to one past the last vertex
     */
    protected abstract void relax(T target, int i, T left, int k, T right, int from, int to);

    /** Called for each range of two or more leaves, after all of the range's splits have been applied. */
    protected void finish(T target, int i, int j) {}

    /** Whether a split of the range {@code (i, j)} yields the range's cost. */
    protected abstract boolean isOptimal(T whole, T left, T right, int i, int k, int j);

    /** Returns the kind of table that a GPU computes. */
    protected abstract TableKind kind();

    /** Returns the weights of a chain's vertices, or an empty array for other kinds of tables. */
    protected long[] weights() {
        return new long[0];
    }

    /**
     * Returns the number of bytes available to a table on a task's GPU, or 0 if the GPU has too little shared memory.
     */
    public static long gpuMemory() {
        return GpuSide.get(ParenthesizationGpu.class).memory();
    }

    @Override
    public final TileGpu openGpu(long memory) {
        return GpuSide.get(ParenthesizationGpu.class).open(kind(), leaves, memory, weights());
    }

    @Override
    public final int valuesOnGpu() {
        return kind().isChain() ? 1 : 2;
    }

    @Override
    public final int bytesOnGpu() {
        return valuesOnGpu() * EDGE * EDGE * kind().bytes();
    }

    @Override
    public final Pattern pattern() {
        return Pattern.TRIANGLE;
    }

    @Override
    public final int edge() {
        return EDGE;
    }

    @Override
    public final int side() {
        return Grid.tiles(leaves + 1L, EDGE);
    }

    @Override
    public final boolean has(Tile tile) {
        return tile.row() <= tile.column() && tile.column() < side();
    }

    private static int first(int tile) {
        return tile * EDGE;
    }

    private int end(int tile) {
        return Math.min(leaves + 1, tile * EDGE + EDGE);
    }

    @Override
    public final void run(Task task, T target, List<T> sources) {
        int rows = task.target().row();
        int columns = task.target().column();
        switch (task.kernel()) {
            case A -> solve(target, rows, target, columns, target);
            case B -> solve(target, rows, sources.get(0), columns, sources.get(1));
            default -> {
                int splits = task.sources().get(0).column();
                for (int i = first(rows); i < end(rows); i++) {
                    for (int k = first(splits); k < end(splits); k++) {
                        relax(target, i, sources.get(0), k, sources.get(1), first(columns), end(columns));
                    }
                }
            }
        }
    }

    /**
     * Applies the splits at the vertices of the target's own rows and columns, row by row from the last row; the splits
     * in between must already have been applied.
     */
    private void solve(T target, int rows, T ofRows, int columns, T ofColumns) {
        for (int i = end(rows) - 1; i >= first(rows); i--) {
            if (rows != columns) {
                for (int k = i + 1; k < end(rows); k++) {
                    relax(target, i, ofRows, k, target, first(columns), end(columns));
                }
            }
            for (int j = Math.max(i + 1, first(columns)); j < end(columns); j++) {
                if (j > i + 1) {
                    finish(target, i, j);
                }
                if (j + 1 < end(columns)) {
                    relax(target, i, target, j, ofColumns, j + 1, end(columns));
                }
            }
        }
    }

    /**
     * Returns the splits of an optimal tree, like {@link ChainSolver#splits}. For each range in the tree, this method
     * reads the row and the column up to the smallest optimal split.
     *
     * @param tiles returns a finished tile
     */
    public final int[] splits(Function<Tile, T> tiles) {
        return Preorder.splits(leaves, (first, last) -> smallest(tiles, first - 1, last));
    }

    private int smallest(Function<Tile, T> tiles, int i, int j) {
        T whole = tiles.apply(tile(i, j));
        T left = null;
        T right = null;
        for (int k = i + 1; k < j; k++) {
            if (left == null || k % EDGE == 0) {
                left = tiles.apply(tile(i, k));
                right = tiles.apply(tile(k, j));
            }
            if (isOptimal(whole, left, right, i, k, j)) {
                return k;
            }
        }
        throw new IllegalStateException(
                "no split of the range from %d to %d yields the cost of the range".formatted(i + 1, j));
    }

    private static Tile tile(int i, int j) {
        return new Tile(i / EDGE, j / EDGE);
    }

    /** Returns the tile that contains the cost of the tree over all leaves. */
    protected final T whole(Function<Tile, T> tiles) {
        return tiles.apply(tile(0, leaves));
    }

    @Override
    public final int panelBytes(TileKernel kernel) {
        return EDGE * EDGE * Long.BYTES;
    }
}
