package dev.bellman.align.paper;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Tile;
import java.util.function.IntUnaryOperator;

/**
 * Computes a table whose cells depend only on their three neighbours, in the order of the 2-way recursion in Table 1 of
 * Javanmard et al., "Toward efficient architecture-independent algorithms for dynamic programs" (2019). Only the last
 * computed value of each row and of each column, and one value per tile, are stored.
 */
public final class RWayTable {
    /** Returns the value of the cell after row {@code i} and column {@code j}, given the values of its neighbours. */
    @FunctionalInterface
    public interface Cell {
        int value(int i, int j, int diagonal, int above, int left);
    }

    private static final int EDGE = 256;

    private final int n;
    private final int m;
    private final Cell cell;
    /** For each column, the value in the last row computed so far. */
    private final int[] bottom;

    /** For each row, the value in the last column computed so far. */
    private final int[] right;
    /**
     * For each tile, the last value of its upper left neighbour. Initially, row 0 and column 0 of this array contain
     * border values; computing a tile sets the entry of the tile below and to the right.
     */
    private final int[][] corners;

    private final Cancellation cancellation = new Cancellation();

    private RWayTable(int n, int m, IntUnaryOperator border, Cell cell) {
        this.n = n;
        this.m = m;
        this.cell = cell;
        int down = Grid.tiles(n, EDGE);
        int across = Grid.tiles(m, EDGE);
        TaskMemory.take(
                Integer.BYTES * ((long) n + m + (down + 1L) * (across + 1L)),
                () -> "storing the tile borders of a table for %,d by %,d characters".formatted(n, m));
        bottom = new int[m];
        right = new int[n];
        corners = new int[down + 1][across + 1];
        for (int j = 0; j < m; j++) {
            bottom[j] = border.applyAsInt(j + 1);
        }
        for (int i = 0; i < n; i++) {
            right[i] = border.applyAsInt(i + 1);
        }
        for (int tile = 0; tile <= across; tile++) {
            corners[0][tile] = border.applyAsInt(Math.min(m, tile * EDGE));
        }
        for (int tile = 0; tile <= down; tile++) {
            corners[tile][0] = border.applyAsInt(Math.min(n, tile * EDGE));
        }
    }

    /**
     * Returns the last value of a table with {@code n} rows and {@code m} columns; both numbers must be positive.
     *
     * @param border maps {@code k} to the value above column {@code k}, which is also the value left of row {@code k},
     *     counted from 1; maps 0 to the value at the corner
     */
    public static int fill(int n, int m, IntUnaryOperator border, Cell cell) {
        RWayTable table = new RWayTable(n, m, border, cell);
        int side = Math.max(Grid.tiles(n, EDGE), Grid.tiles(m, EDGE));
        Schedule.twoWay(side).execute(Pattern.NEIGHBOURS, side, 1, task -> table.solve(task.target()));
        return table.bottom[m - 1];
    }

    private void solve(Tile tile) {
        cancellation.count(EDGE * EDGE);
        int top = tile.row() * EDGE;
        int first = tile.column() * EDGE;
        // the table need not be square
        if (top >= n || first >= m) {
            return;
        }
        int end = Math.min(m, first + EDGE);
        int corner = corners[tile.row()][tile.column()];
        for (int i = top; i < Math.min(n, top + EDGE); i++) {
            int diagonal = corner;
            int left = right[i];
            corner = left;
            for (int j = first; j < end; j++) {
                int above = bottom[j];
                left = cell.value(i, j, diagonal, above, left);
                bottom[j] = left;
                diagonal = above;
            }
            right[i] = left;
        }
        corners[tile.row() + 1][tile.column() + 1] = bottom[end - 1];
    }
}
