package dev.bellman.large;

import dev.bellman.large.file.Strip;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.tiles.Tile;
import java.io.ByteArrayOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Groups the cells of an input by large tile, in a single shuffle, because the rows of the input may be in any order.
 */
final class TilePieces implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The number of bytes that a task collects before it emits the pieces that it has for each tile. */
    private static final int BATCH = 1 << 26;

    private final int edge;
    private final int side;

    private TilePieces(TileFolder<?> folder) {
        edge = folder.edge();
        side = folder.side();
    }

    /**
     * Returns the pieces for every tile of a table; a tile may have no pieces. The key is the number of the tile, where
     * tiles are counted row by row.
     */
    static <S extends Strip> JavaPairRDD<Integer, Iterable<byte[]>> of(
            JavaSparkContext context, JavaRDD<S> strips, TileFolder<?> folder) {
        TilePieces pieces = new TilePieces(folder);
        List<Integer> tiles = IntStream.range(0, pieces.side * pieces.side)
                .filter(tile -> folder.has(tile(tile, pieces.side)))
                .boxed()
                .toList();
        JavaPairRDD<Integer, byte[]> all = context.parallelize(
                        tiles, Math.min(tiles.size(), context.defaultParallelism()))
                .mapToPair(tile -> new Tuple2<>(tile, new byte[0]));
        return strips.mapPartitionsToPair(pieces::chunks)
                .union(all)
                .groupByKey(new HashPartitioner(Math.min(tiles.size(), 4 * context.defaultParallelism())));
    }

    static Tile tile(int number, int side) {
        return new Tile(number / side, number % side);
    }

    @FunctionalInterface
    interface Cell {
        /**
         * Receives a cell.
         *
         * @param row the row of the cell within the tile
         * @param column the column of the cell within the tile
         * @param value the buffer from which the 8 bytes of the value should be read
         */
        void of(int row, int column, ByteBuffer value);
    }

    /** Calls an action for every cell in the pieces of a tile. */
    static void forEach(Iterable<byte[]> chunks, Cell action) {
        for (byte[] chunk : chunks) {
            ByteBuffer pieces = ByteBuffer.wrap(chunk);
            while (pieces.hasRemaining()) {
                int row = pieces.getInt();
                int column = pieces.getInt();
                int end = column + pieces.getInt();
                for (; column < end; column++) {
                    action.of(row, column, pieces);
                }
            }
        }
    }

    /**
     * Splits strips into pieces, each of which belongs to one tile. A piece contains the row and the column within the
     * tile, the number of cells, and the cells.
     */
    private <S extends Strip> Iterator<Tuple2<Integer, byte[]>> chunks(Iterator<S> strips) {
        return Stream.generate(() -> batch(strips))
                .takeWhile(batch -> !batch.isEmpty())
                .flatMap(batch -> batch.entrySet().stream())
                .map(chunk -> new Tuple2<>(chunk.getKey(), chunk.getValue().toByteArray()))
                .iterator();
    }

    /** Returns the pieces of the next strips, keyed by tile; empty at the end. */
    private <S extends Strip> Map<Integer, ByteArrayOutputStream> batch(Iterator<S> strips) {
        Map<Integer, ByteArrayOutputStream> batch = new HashMap<>();
        for (long bytes = 0; bytes < BATCH && strips.hasNext(); ) {
            S strip = strips.next();
            int count;
            for (int from = 0; from < strip.count(); from += count) {
                int column = strip.column() + from;
                count = Math.min(strip.count() - from, edge - column % edge);
                ByteBuffer piece = ByteBuffer.allocate(3 * Integer.BYTES + count * Long.BYTES);
                piece.putInt(strip.row() % edge).putInt(column % edge).putInt(count);
                strip.write(from, count, piece);
                batch.computeIfAbsent(strip.row() / edge * side + column / edge, tile -> new ByteArrayOutputStream())
                        .writeBytes(piece.array());
                bytes += piece.capacity();
            }
        }
        return batch;
    }
}
