package dev.bellman.linear;

import dev.bellman.GpuSide;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileGpu;
import dev.bellman.large.tiles.TileRows;
import dev.bellman.large.tiles.TiledProblem;
import dev.bellman.linear.Elimination.Strategy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The elimination of one large matrix that is divided into tiles, which may be in memory, in files or on other
 * machines. The results are bit-for-bit the same as in {@link Elimination}. A right-hand side is an additional last
 * column. A tile is stored by rows; tiles at the end are padded with zeros.
 *
 * <p>A step cannot be repeated: it must be applied to a tile exactly once, after all earlier steps. A {@link
 * TiledProblem} may rely on this order.
 */
public final class EliminationTiles implements TiledProblem<double[][]> {
    private static final long serialVersionUID = 1L;

    private static final int EDGE = MatrixPart.EDGE;

    /** The number of rows and columns of a tile on a GPU. */
    static final int GPU_EDGE = 128;

    private final EliminationErrorContext context;
    private final EliminationPivots pivots;
    private final double largest;
    private final int n;
    private final int columns;

    /**
     * Describes the tiles of a matrix.
     *
     * @param n the number of rows, which is also the number of columns without the right-hand side
     * @param solves whether there is a right-hand side
     * @param largest the largest magnitude in the matrix, with which pivots are compared
     */
    public EliminationTiles(EliminationErrorContext context, int n, boolean solves, double largest) {
        this.context = context;
        this.n = n;
        this.largest = largest;
        columns = solves ? n + 1 : n;
        pivots = new EliminationPivots(context, n, solves, largest, false);
    }

    /** Returns the number of rows of the matrix. */
    public int rows() {
        return n;
    }

    /** Returns the number of columns of the matrix, including the right-hand side. */
    public int columns() {
        return columns;
    }

    @Override
    public Pattern pattern() {
        return Pattern.ELIMINATION;
    }

    @Override
    public int edge() {
        return EDGE;
    }

    @Override
    public int side() {
        return Grid.tiles(columns, EDGE);
    }

    /**
     * Returns the minimum number of tiles per side of a large tile: 4 tiles of 96 rows, as on the CPU, have as many
     * rows as 3 tiles of 128 rows, as on a GPU.
     */
    @Override
    public int fewestParts() {
        return 4;
    }

    @Override
    public TileGpu openGpu(long memory) {
        return GpuSide.get(EliminationGpu.class).open(n, columns, largest, memory);
    }

    /**
     * Checks the pivots of a tile on the diagonal. A pivot depends only on earlier steps, so the first bad pivot has
     * the value that the definition specifies.
     */
    @Override
    public void check(Tile tile, double[][] rows) {
        for (int i = 0; i < EDGE && tile.row() * EDGE + i < n; i++) {
            pivots.check(tile.row() * EDGE + i, rows[i][i]);
        }
    }

    /** Creates a tile of zeros, because the matrix itself is provided as tiles. */
    @Override
    public double[][] make(Tile tile) {
        return new double[EDGE][EDGE];
    }

    private MatrixPart part(Tile tile, double[][] rows) {
        return new MatrixPart(
                rows,
                0,
                Math.max(0, Math.min(EDGE, n - tile.row() * EDGE)),
                0,
                Math.min(EDGE, columns - tile.column() * EDGE));
    }

    @Override
    public void run(Task task, double[][] target, List<double[][]> sources) {
        MatrixPart of = part(task.target(), target);
        List<MatrixPart> read = IntStream.range(0, sources.size())
                .mapToObj(i -> part(task.sources().get(i), sources.get(i)))
                .toList();
        MatrixPart.run(task.kernel(), of, read, pivots, task.target().row() * EDGE);
    }

    /**
     * Performs the elimination on a whole matrix in memory.
     *
     * @param matrix the matrix's rows, each followed by its right-hand side if there is one
     * @throws dev.bellman.BellmanException as for {@link Elimination#lu}
     */
    public void eliminate(double[][] matrix, Strategy strategy, int threads) {
        Elimination.eliminate(new EliminationTable(pivots, matrix), n, strategy, threads);
    }

    /**
     * Performs the elimination with partial pivoting on a whole matrix in memory, on one core. Pivots may be zero
     * unless there is a right-hand side.
     *
     * @param matrix as for {@link #eliminate}
     * @return for each row of the result, the index of the matrix row from which it was computed
     * @throws dev.bellman.BellmanException as {@link Elimination#lu}
     */
    public int[] eliminatePivoting(double[][] matrix, Strategy strategy) {
        EliminationPivots exchanged = new EliminationPivots(context, n, columns > n, largest, true);
        EliminationTable table = new EliminationTable(exchanged, matrix);
        table.eliminatePivoting(true, strategy.panel(n));
        return table.permutation();
    }

    /**
     * Returns the number of bytes that a matrix may take on the task's GPU, or 0 if the GPU has too little shared
     * memory.
     */
    public static long gpuMemory() {
        return GpuSide.get(EliminationGpu.class).memory();
    }

    /** Returns the size of this matrix on a GPU in bytes. */
    public long gpuBytes() {
        return (long) Double.BYTES * padded(n) * padded(columns);
    }

    /** Returns the number of rows or columns, including the padding of the last tile on a GPU. */
    static int padded(int cells) {
        return Grid.tiles(cells, GPU_EDGE) * GPU_EDGE;
    }

    /**
     * Creates the matrix, filled with zeros, on the task's GPU.
     *
     * @param rows the number of rows of a large tile
     */
    public EliminationGpu.Matrix onGpu(int rows) {
        return GpuSide.get(EliminationGpu.class).matrix(pivots, n, columns, largest, rows);
    }

    /**
     * Solves {@code U x = y} within a large tile on the diagonal, or subtracts the products of a tile above the
     * diagonal. Must be called for the diagonal tile of the last column of large tiles, then for the tiles above it,
     * then in the same order for the previous column.
     *
     * @param tiles the finished large tile
     * @param row the index in the matrix of the tile's first row
     * @param column the index in the matrix of the tile's first column
     * @param y contains x where x is already known, and otherwise the right-hand side after the elimination
     */
    public void substitute(Grid<double[][]> tiles, int row, int column, double[] y) {
        int edge = tiles.side() * EDGE;
        for (int i = Math.min(n, row + edge) - 1; i >= row; i--) {
            double rest = y[i];
            for (int k = Math.min(n, column + edge) - 1; k >= Math.max(column, i + 1); k--) {
                rest = Math.fma(-cell(tiles, i - row, k - column), y[k], rest);
            }
            if (i >= column) {
                rest /= cell(tiles, i - row, i - column);
                pivots.checkFinite(rest);
            }
            y[i] = rest;
        }
    }

    /** Returns a cell of a large tile, with row and column counted within the tile. */
    public static double cell(Grid<double[][]> tiles, int row, int column) {
        return tiles.get(row / EDGE, column / EDGE)[row % EDGE][column % EDGE];
    }

    /** Sets a cell of a large tile, with row and column counted within the tile. */
    public static void setCell(Grid<double[][]> tiles, int row, int column, double value) {
        tiles.get(row / EDGE, column / EDGE)[row % EDGE][column % EDGE] = value;
    }

    @Override
    public int bytes() {
        return EDGE * EDGE * Double.BYTES;
    }

    @Override
    public void write(double[][] tile, ByteBuffer to) {
        TileRows.write(tile, to);
    }

    @Override
    public double[][] read(ByteBuffer from) {
        return TileRows.read(new double[EDGE][EDGE], from);
    }
}
