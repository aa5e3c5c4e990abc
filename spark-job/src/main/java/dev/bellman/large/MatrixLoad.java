package dev.bellman.large;

import dev.bellman.large.file.MatrixStrip;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import dev.bellman.linear.EliminationTiles;
import java.io.Serializable;
import java.util.BitSet;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/** Writes a matrix as tiles; the right-hand side, if there is one, becomes an additional column. */
final class MatrixLoad implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int n;
    private final boolean complete;
    private final boolean completeB;
    private final int edge;
    private final int side;

    private MatrixLoad(MatrixInput matrix, Optional<MatrixInput> b, TileFolder<double[][]> folder) {
        n = matrix.rows();
        complete = matrix.isComplete();
        completeB = b.isPresent() && b.get().isComplete();
        edge = folder.edge();
        side = folder.side();
    }

    /**
     * Writes all tiles, and returns the largest magnitude of an entry of the matrix.
     *
     * @throws dev.bellman.BellmanException if a row or an entry of the right-hand side is missing, or if an entry
     *     occurs twice
     */
    static double load(
            JavaSparkContext context, MatrixInput matrix, Optional<MatrixInput> b, TileFolder<double[][]> folder) {
        MatrixLoad load = new MatrixLoad(matrix, b, folder);
        Broadcast<TileFolder<double[][]>> shared = context.broadcast(folder);
        JavaRDD<MatrixStrip> strips =
                b.map(column -> matrix.strips().union(column.strips())).orElse(matrix.strips());
        return TilePieces.of(context, strips, folder)
                .map(tile -> load.write(shared.value(), TilePieces.tile(tile._1, load.side), tile._2))
                .reduce(Math::max);
    }

    /** Writes a tile, and returns the largest magnitude of a matrix entry in it. */
    private double write(TileFolder<double[][]> folder, Tile place, Iterable<byte[]> chunks) {
        Grid<double[][]> tiles = folder.make(place);
        int top = place.row() * edge;
        int left = place.column() * edge;
        BitSet given = new BitSet(edge * edge);
        double[] largest = {0};
        TilePieces.forEach(chunks, (row, column, cell) -> {
            double value = cell.getDouble();
            EliminationTiles.setCell(tiles, row, column, value);
            if (given.get(row * edge + column)) {
                throw MatrixInput.invalid(
                        left + column == n
                                ? "rhs has more than one entry for row %,d".formatted(top + row + 1)
                                : "the entry in row %,d, column %,d of the matrix occurs more than once"
                                        .formatted(top + row + 1, left + column + 1));
            }
            given.set(row * edge + column);
            if (left + column < n) {
                largest[0] = Math.max(largest[0], Math.abs(value));
            }
        });
        for (int row = 0; row < Math.min(edge, n - top); row++) {
            if (complete && left < n && !given.get(row * edge)) {
                throw MatrixInput.invalid("row %,d of the matrix is missing".formatted(top + row + 1));
            }
            if (completeB && left <= n && n < left + edge && !given.get(row * edge + n - left)) {
                throw MatrixInput.invalid("rhs has no entry for row %,d".formatted(top + row + 1));
            }
        }
        folder.write(place, tiles);
        return largest[0];
    }
}
