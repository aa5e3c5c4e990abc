package dev.bellman.align.gap;

import dev.bellman.columns.Cancellation;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Tile;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The table of a pair: for the first {@code i} letters of {@code a} and the first {@code j} letters of {@code b}, the
 * best scores
 *
 * <pre>{@code
 * pair(i, j)    = best(i - 1, j - 1) + score(a[i], b[j])                that end with a pair; 0 for the empty alignment
 * aGap(i, j)    = max over p < i of beforeA(p, j) - aCosts(i - p)       with a gap of letters of a
 * bGap(i, j)    = max over q < j of beforeB(i, q) - bCosts(j - q)       with a gap of letters of b
 * beforeA(i, j) = max(pair(i, j), bGap(i, j))                           that a gap of letters of a may follow
 * beforeB(i, j) = max(pair(i, j), aGap(i, j))                           that a gap of letters of b may follow
 * best(i, j)    = max(beforeA(i, j), beforeB(i, j))
 * }</pre>
 *
 * <p>The table stores {@code beforeA} and {@code beforeB}, from which the alignment is recovered.
 */
final class GapTable extends GapCells {
    /**
     * The number of rows and columns of a tile. One array of a tile takes 72 KiB, so the two arrays that a product
     * reads and writes fit in a 256 KiB cache.
     */
    private static final int EDGE = 96;

    /** A range of rows and columns, with exclusive ends. */
    private record Part(int top, int bottom, int left, int right) {}

    private final int rows;
    private final int columns;
    private final long[][] beforeA;
    private final long[][] beforeB;

    GapTable(int[] a, int[] b, GapScores scores) {
        super(a, b, scores);
        rows = a.length + 1;
        columns = b.length + 1;
        beforeA = new long[rows][columns];
        beforeB = new long[rows][columns];
    }

    @Override
    long beforeA(int i, int j) {
        return beforeA[i][j];
    }

    @Override
    long beforeB(int i, int j) {
        return beforeB[i][j];
    }

    void fill() {
        clear();
        finish(new Part(0, rows, 0, columns));
    }

    /**
     * Fills the table tile by tile, with the kernels of {@link Pattern#PREFIXES}, or row by row if it is small. Until a
     * tile is finished, its {@code beforeA} contains the contribution of finished tiles in its rows to {@code bGap},
     * and its {@code beforeB} contains the contribution of finished tiles in its columns to {@code aGap}. Both
     * contributions are (max, -) products of a tile and a matrix of costs that is constant along each diagonal.
     *
     * @param order creates the schedule for a number of tiles per side
     * @param threads the number of threads that work on tiles in parallel
     */
    void fill(IntFunction<Schedule> order, int threads) {
        if (Math.min(rows, columns) <= EDGE) {
            fill();
            return;
        }
        clear();
        int side = Grid.tiles(Math.max(rows, columns), EDGE);
        order.apply(side).execute(Pattern.PREFIXES, side, threads, task -> {
            Cancellation.check();
            Part target = part(task.target());
            if (target != null) {
                switch (task.kernel()) {
                    case A -> finish(target);
                    case B -> alongRows(part(task.sources().get(0)), target);
                    default -> alongColumns(part(task.sources().get(0)), target);
                }
            }
        });
    }

    private void clear() {
        for (int i = 0; i < rows; i++) {
            Arrays.fill(beforeA[i], NONE);
            Arrays.fill(beforeB[i], NONE);
        }
    }

    /** Returns the cells of a tile; null for a tile outside the table, which need not be square. */
    private Part part(Tile tile) {
        int top = tile.row() * EDGE;
        int left = tile.column() * EDGE;
        return top >= rows || left >= columns
                ? null
                : new Part(top, Math.min(top + EDGE, rows), left, Math.min(left + EDGE, columns));
    }

    /**
     * Finishes a part of the table row by row: the {@code beforeB} of a row depends only on the rows above, and
     * determines the row's {@code beforeA}.
     */
    private void finish(Part part) {
        Cancellation cancellation = new Cancellation();
        for (int i = part.top; i < part.bottom; i++) {
            for (int p = part.top; p < i; p++) {
                cancellation.count(part.right - part.left);
                relaxRow(beforeB[i], beforeA[p], aCosts[i - p - 1], part.left, part.right);
            }
            long[] row = beforeB[i];
            for (int j = part.left; j < part.right; j++) {
                row[j] = Math.max(pair(i, j), row[j]);
            }
            for (int q = part.left; q < part.right; q++) {
                cancellation.count(part.right - q);
                relaxByCosts(beforeA[i], row[q], bCosts, -q - 1, q + 1, part.right);
            }
            for (int j = part.left; j < part.right; j++) {
                beforeA[i][j] = Math.max(pair(i, j), beforeA[i][j]);
            }
        }
    }

    private void alongRows(Part from, Part to) {
        for (int i = to.top; i < to.bottom; i++) {
            for (int q = from.left; q < from.right; q++) {
                relaxByCosts(beforeA[i], beforeB[i][q], bCosts, -q - 1, to.left, to.right);
            }
        }
    }

    private void alongColumns(Part from, Part to) {
        for (int i = to.top; i < to.bottom; i++) {
            for (int p = from.top; p < from.bottom; p++) {
                relaxRow(beforeB[i], beforeA[p], aCosts[i - p - 1], to.left, to.right);
            }
        }
    }

    static void relaxRow(long[] to, long[] from, long cost, int left, int right) {
        for (int j = left; j < right; j++) {
            to[j] = Math.max(to[j], from[j] - cost);
        }
    }

    /**
     * Extends a gap of letters of {@code b} from one column to each of several columns.
     *
     * @param shift the difference between the index of a cost and the index of its column
     */
    static void relaxByCosts(long[] to, long from, long[] costs, int shift, int left, int right) {
        for (int j = left; j < right; j++) {
            to[j] = Math.max(to[j], from - costs[j + shift]);
        }
    }

    /** Fills the table for affine costs: a gap either opens or continues from the previous cell. */
    void fillAffine() {
        long aExtension = GapScores.extension(aCosts, a.length);
        long bExtension = GapScores.extension(bCosts, b.length);
        long[] aGap = new long[columns];
        Arrays.fill(aGap, NONE);
        Cancellation cancellation = new Cancellation();
        for (int i = 0; i < rows; i++) {
            cancellation.count(columns);
            long bGap = NONE;
            for (int j = 0; j < columns; j++) {
                if (i > 0) {
                    aGap[j] = Math.max(beforeA[i - 1][j] - aCosts[0], aGap[j] - aExtension);
                }
                if (j > 0) {
                    bGap = Math.max(beforeB[i][j - 1] - bCosts[0], bGap - bExtension);
                }
                put(i, j, aGap[j], bGap);
            }
        }
    }

    /** Fills the table for concave costs, with {@link Candidates} for the current row and for each column. */
    void fillConcave() {
        Candidates[] above = new Candidates[columns];
        Arrays.setAll(above, j -> new Candidates(aCosts, a.length));
        Candidates left = new Candidates(bCosts, b.length);
        Cancellation cancellation = new Cancellation();
        for (int i = 0; i < rows; i++) {
            left.clear();
            for (int j = 0; j < columns; j++) {
                cancellation.count(1);
                put(i, j, i > 0 ? above[j].best(i) : NONE, j > 0 ? left.best(j) : NONE);
                above[j].add(i, beforeA[i][j]);
                left.add(j, beforeB[i][j]);
            }
        }
    }

    private void put(int i, int j, long aGap, long bGap) {
        long pair = pair(i, j);
        beforeA[i][j] = Math.max(pair, bGap);
        beforeB[i][j] = Math.max(pair, aGap);
    }
}
