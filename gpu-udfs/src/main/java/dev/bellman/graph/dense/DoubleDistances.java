package dev.bellman.graph.dense;

import dev.bellman.large.tiles.TileKernel;
import dev.bellman.large.tiles.TileRows;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Computes distances in 64-bit floating-point arithmetic. Sums are rounded, so the operands must be those of Floyd's
 * loop: row and column {@code k} at step {@code k}, before later steps of the same tile shorten their distances. A tile
 * retains these rows and columns until all other tiles have used them.
 */
public final class DoubleDistances extends Distances<DoubleDistances.Cells> {
    /** The value for a missing edge or path. */
    public static final double UNREACHED = Double.POSITIVE_INFINITY;

    static final class Cells {
        /** The cells; null in a panel. */
        final double[][] now;
        /** The tile's rows: row k contains the values at step k. */
        volatile Kept rows;

        /** The tile's columns: column k contains the values at step k. */
        volatile Kept columns;

        Cells(double[][] now) {
            this.now = now;
        }

        Cells() {
            this(new double[EDGE][EDGE]);
            for (double[] row : now) {
                Arrays.fill(row, UNREACHED);
            }
        }

        double[][] keepRows(int users) {
            rows = new Kept(users);
            return rows.lines;
        }

        double[][] keepColumns(int users) {
            columns = new Kept(users);
            return columns.lines;
        }

        void rowsUsed() {
            if (rows.users.decrementAndGet() == 0) {
                rows = null;
            }
        }

        void columnsUsed() {
            if (columns.users.decrementAndGet() == 0) {
                columns = null;
            }
        }
    }

    private static final class Kept {
        final double[][] lines = new double[EDGE][EDGE];
        final AtomicInteger users;

        Kept(int users) {
            this.users = new AtomicInteger(users);
        }
    }

    private final double margin;

    /**
     * Creates a table with no edges.
     *
     * @param margin the amount by which a path must be shorter than a known path to replace it ({@link #margin(int,
     *     double)})
     */
    public DoubleDistances(int vertices, double margin) {
        super(vertices, Cells::new);
        this.margin = margin;
    }

    /**
     * Returns the amount by which a path must be shorter than a known path to replace it in a graph with negative
     * weights. The margin exceeds any difference that rounding can explain: it is {@code 2^-50 n^2} times the largest
     * magnitude of a negative weight, or 0 if no weight is negative.
     *
     * <p>Without a margin, rounding would make cycles whose weight is 0 in decimal fractions, such as 0.3 - 0.1 - 0.2,
     * slightly negative. Paths would go around these cycles, and each vertex could double the rounding errors of all
     * paths: in complete graphs of 100 vertices whose cycles all have weight 0, lengths would be off by 10^12.
     *
     * <p>The margin suffices. Let {@code N} be the largest magnitude of a negative weight, and {@code u = 2^-53}. The
     * weights of a path's negative edges sum to at least {@code -nN}. Therefore, on a cycle of weight 0, and on any
     * path that continues such a cycle, partial sums are at most {@code 2nN} in magnitude, except where a larger
     * weight, which no such cycle contains, is rounded. A sum of fewer than {@code n} edges, in any order, is off by at
     * most {@code 2n^2 N u} due to its additions, and by at most {@code 2nNu} because the weights are rounded decimal
     * fractions. A walk around such a cycle and the path without it differ by at most three such sums, which is less
     * than {@code 8 n^2 N u}, the margin. Therefore, the walk does not replace the path, and a cell (k, k) remains 0
     * unless a cycle through k is negative beyond rounding. Because no stored path has a cycle, no error doubles.
     *
     * @param vertices the number of vertices of the graph
     * @param least the smallest weight of an edge
     */
    public static double margin(int vertices, double least) {
        return 0x1p-50 * vertices * vertices * Math.max(0.0, -least);
    }

    public double get(int from, int to) {
        return tile(from, to).now[from % EDGE][to % EDGE];
    }

    /** Sets a length. Stores -0.0 as 0.0, so that no path length is -0.0. */
    public void set(int from, int to, double length) {
        tile(from, to).now[from % EDGE][to % EDGE] = length + 0.0;
    }

    @Override
    long cell(Cells tile, int row, int column) {
        return Double.doubleToRawLongBits(tile.now[row][column]);
    }

    @Override
    void setCell(Cells tile, int row, int column, long value) {
        tile.now[row][column] = Double.longBitsToDouble(value) + 0.0;
    }

    @Override
    void write(Cells tile, ByteBuffer to) {
        TileRows.write(tile.now, to);
    }

    @Override
    Cells read(ByteBuffer from) {
        Cells tile = new Cells();
        TileRows.read(tile.now, from);
        return tile;
    }

    /** Writes the rows or columns that the tile retains, or both, and removes them from the tile. */
    @Override
    void writePanel(TileKernel kernel, Cells tile, ByteBuffer to) {
        if (kernel != TileKernel.C) {
            TileRows.write(tile.rows.lines, to);
            tile.rows = null;
        }
        if (kernel != TileKernel.B) {
            TileRows.write(tile.columns.lines, to);
            tile.columns = null;
        }
    }

    @Override
    Cells readPanel(TileKernel kernel, ByteBuffer from) {
        Cells panel = new Cells(null);
        if (kernel != TileKernel.C) {
            TileRows.read(panel.keepRows(Integer.MAX_VALUE), from);
        }
        if (kernel != TileKernel.B) {
            TileRows.read(panel.keepColumns(Integer.MAX_VALUE), from);
        }
        return panel;
    }

    @Override
    int panels(TileKernel kernel) {
        return kernel == TileKernel.A ? 2 : 1;
    }

    @Override
    int close(Cells tile) {
        double[][] rows = tile.keepRows(side() - 1);
        double[][] columns = tile.keepColumns(side() - 1);
        for (int k = 0; k < EDGE; k++) {
            if (tile.now[k][k] < 0) {
                return k;
            }
            System.arraycopy(tile.now[k], 0, rows[k], 0, EDGE);
            for (int i = 0; i < EDGE; i++) {
                columns[i][k] = tile.now[i][k];
                relax(tile.now[i], columns[i][k], rows[k]);
            }
        }
        return NONE;
    }

    @Override
    void finishRows(Cells tile, Cells pivot) {
        double[][] rows = tile.keepRows(side() - 1);
        for (int k = 0; k < EDGE; k++) {
            System.arraycopy(tile.now[k], 0, rows[k], 0, EDGE);
            for (int i = 0; i < EDGE; i++) {
                relax(tile.now[i], pivot.columns.lines[i][k], rows[k]);
            }
        }
        pivot.columnsUsed();
    }

    @Override
    void finishColumns(Cells tile, Cells pivot) {
        double[][] columns = tile.keepColumns(side() - 1);
        for (int i = 0; i < EDGE; i++) {
            for (int k = 0; k < EDGE; k++) {
                columns[i][k] = tile.now[i][k];
                relax(tile.now[i], columns[i][k], pivot.rows.lines[k]);
            }
        }
        pivot.rowsUsed();
    }

    @Override
    void addProduct(Cells tile, Cells left, Cells above) {
        double[][] columns = left.columns.lines;
        double[][] rows = above.rows.lines;
        for (int i = 0; i < EDGE; i++) {
            for (int k = 0; k < EDGE; k++) {
                relax(tile.now[i], columns[i][k], rows[k]);
            }
        }
        left.columnsUsed();
        above.rowsUsed();
    }

    private void relax(double[] row, double left, double... above) {
        relax(row, left, above, margin);
    }

    /** Shortens paths: {@code left} leads to a vertex, and {@code above} continues from it. */
    public static void relax(double[] row, double left, double[] above, double margin) {
        // without a margin, the loop compiles to vector instructions
        if (margin == 0) {
            for (int j = 0; j < row.length; j++) {
                row[j] = Math.min(row[j], left + above[j]);
            }
            return;
        }
        for (int j = 0; j < row.length; j++) {
            if (left + (above[j] + margin) < row[j]) {
                row[j] = left + above[j];
            }
        }
    }
}
