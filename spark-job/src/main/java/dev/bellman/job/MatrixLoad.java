package dev.bellman.job;

import dev.bellman.grid.TileFolder;
import dev.bellman.job.text.MatrixStrip;
import dev.bellman.linear.EliminationTiles;
import dev.bellman.tiles.Grid;
import dev.bellman.tiles.Tile;
import java.io.ByteArrayOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import scala.Tuple2;

/** Writes a matrix, and its right-hand side as one more column, into tiles: one shuffle, as rows of the input may be in any order. */
final class MatrixLoad implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Bytes that a task collects before it hands out the pieces of each tile together. */
    private static final int BATCH = 1 << 26;

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
     * Writes all tiles; returns the largest magnitude in the matrix.
     *
     * @throws dev.bellman.BellmanException for a row that is missing, or an entry that is given twice
     */
    static double load(
            JavaSparkContext context, MatrixInput matrix, Optional<MatrixInput> b, TileFolder<double[][]> folder) {
        MatrixLoad load = new MatrixLoad(matrix, b, folder);
        Broadcast<TileFolder<double[][]>> shared = context.broadcast(folder);
        JavaRDD<MatrixStrip> strips =
                b.map(column -> matrix.strips().union(column.strips())).orElse(matrix.strips());
        int tiles = load.side * load.side;
        // a tile without entries is written, too
        JavaPairRDD<Integer, byte[]> all = context.parallelize(
                        IntStream.range(0, tiles).boxed().toList(), Math.min(tiles, context.defaultParallelism()))
                .mapToPair(tile -> new Tuple2<>(tile, new byte[0]));
        return strips.mapPartitionsToPair(load::chunks)
                .union(all)
                .groupByKey(new HashPartitioner(Math.min(tiles, 4 * context.defaultParallelism())))
                .map(tile -> load.write(shared.value(), tile._1, tile._2))
                .reduce(Math::max);
    }

    /** The pieces of strips in each tile: row and column within the tile, how many entries, and these. */
    private Iterator<Tuple2<Integer, byte[]>> chunks(Iterator<MatrixStrip> strips) {
        return Stream.generate(() -> batch(strips))
                .takeWhile(batch -> !batch.isEmpty())
                .flatMap(batch -> batch.entrySet().stream())
                .map(chunk -> new Tuple2<>(chunk.getKey(), chunk.getValue().toByteArray()))
                .iterator();
    }

    /** The pieces of the next strips by tile; none at the end. */
    private Map<Integer, ByteArrayOutputStream> batch(Iterator<MatrixStrip> strips) {
        Map<Integer, ByteArrayOutputStream> batch = new HashMap<>();
        for (long bytes = 0; bytes < BATCH && strips.hasNext(); ) {
            MatrixStrip strip = strips.next();
            int count;
            for (int from = 0; from < strip.values().length; from += count) {
                int column = strip.column() + from;
                count = Math.min(strip.values().length - from, edge - column % edge);
                ByteBuffer piece = ByteBuffer.allocate(3 * Integer.BYTES + count * Double.BYTES);
                piece.putInt(strip.row() % edge).putInt(column % edge).putInt(count);
                piece.asDoubleBuffer().put(strip.values(), from, count);
                batch.computeIfAbsent(strip.row() / edge * side + column / edge, tile -> new ByteArrayOutputStream())
                        .writeBytes(piece.array());
                bytes += piece.capacity();
            }
        }
        return batch;
    }

    /** Writes a tile; returns the largest magnitude of its entries of the matrix. */
    private double write(TileFolder<double[][]> folder, int tile, Iterable<byte[]> chunks) {
        Tile place = new Tile(tile / side, tile % side);
        Grid<double[][]> tiles = folder.make(place);
        int top = place.row() * edge;
        int left = place.column() * edge;
        BitSet given = new BitSet(edge * edge);
        double largest = 0;
        for (byte[] chunk : chunks) {
            ByteBuffer pieces = ByteBuffer.wrap(chunk);
            while (pieces.hasRemaining()) {
                int row = pieces.getInt();
                int column = pieces.getInt();
                int end = column + pieces.getInt();
                for (; column < end; column++) {
                    double value = pieces.getDouble();
                    EliminationTiles.setCell(tiles, row, column, value);
                    if (given.get(row * edge + column)) {
                        throw MatrixInput.invalid(
                                left + column == n
                                        ? "b has more than one entry for row %,d".formatted(top + row + 1)
                                        : "the entry in row %,d, column %,d of the matrix is given more than once"
                                                .formatted(top + row + 1, left + column + 1));
                    }
                    given.set(row * edge + column);
                    if (left + column < n) {
                        largest = Math.max(largest, Math.abs(value));
                    }
                }
            }
        }
        for (int row = 0; row < Math.min(edge, n - top); row++) {
            if (complete && left < n && !given.get(row * edge)) {
                throw MatrixInput.invalid("row %,d of the matrix is missing".formatted(top + row + 1));
            }
            if (completeB && left <= n && n < left + edge && !given.get(row * edge + n - left)) {
                throw MatrixInput.invalid("b has no entry for row %,d".formatted(top + row + 1));
            }
        }
        folder.write(place, tiles);
        return largest;
    }
}
