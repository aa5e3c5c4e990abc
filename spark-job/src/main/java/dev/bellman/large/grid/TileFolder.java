package dev.bellman.large.grid;

import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Accesses the tiles of a table in a run's folder from tasks, before the table's first step or after its last one. Each
 * large tile is a file.
 *
 * @param <T> a tile of the problem
 */
public final class TileFolder<T> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final LargeTiles<T> form;
    private final String folder;
    private final String name;
    private final String note;
    private final SerializableConfiguration hadoop;

    /**
     * Creates the object for a folder, which may not exist yet.
     *
     * @param parts the number of tiles per side of a large tile
     * @param folder the folder of the run
     * @param name the folder of the table within the run's folder
     */
    public TileFolder(TiledProblem<T> problem, int parts, String folder, String name, Configuration hadoop) {
        this(new LargeTiles<>(problem, parts), folder, name, new SerializableConfiguration(hadoop));
    }

    TileFolder(LargeTiles<T> form, String folder, String name, SerializableConfiguration hadoop) {
        this.form = form;
        this.folder = folder;
        this.name = name;
        note = name + "/complete";
        this.hadoop = hadoop;
    }

    /** Returns the number of large tiles per side. */
    public int side() {
        return form.side();
    }

    /** Returns the number of cells per side of a large tile. */
    public int edge() {
        return form.edge();
    }

    /** Whether any part of a large tile is in the table. */
    public boolean has(Tile tile) {
        return form.has(tile);
    }

    private TileStore store() {
        return new TileStore(folder, hadoop.value());
    }

    /** Returns the note passed to {@link #complete}; empty if the folder is not complete. */
    public Optional<String> note() {
        return store().exists(note)
                ? Optional.of(new String(store().read(note).array(), StandardCharsets.UTF_8))
                : Optional.empty();
    }

    /** Marks the folder as complete, and stores a note about it. */
    public void complete(String text) {
        store().replace(note, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Deletes all tiles. */
    public void clear() {
        store().delete(name);
    }

    /** Creates the initial content of a large tile, without using the folder. */
    public Grid<T> make(Tile tile) {
        return form.make(tile);
    }

    /** Reads a large tile. */
    public Grid<T> read(Tile tile) {
        return form.isEmpty(tile) ? form.make(tile) : form.read(tile, store().read(file(name, tile)));
    }

    /** Writes a large tile unless it exists. */
    public void write(Tile tile, Grid<T> tiles) {
        store().write(file(name, tile), form.write(tile, tiles));
    }

    /** Returns the name of a tile's file in a {@link TileStore}. */
    static String file(String folder, Tile tile) {
        return "%s/%d-%d".formatted(folder, tile.row(), tile.column());
    }

    /**
     * Returns a function that finds a tile of the problem in the large tiles of a row whose columns are from {@code
     * begin} (inclusive) to {@code end} (exclusive).
     */
    public Function<Tile, T> tiles(int row, int begin, int end) {
        int parts = form.parts();
        List<Grid<T>> tiles = IntStream.range(begin, end)
                .mapToObj(column -> read(new Tile(row, column)))
                .toList();
        return tile -> tiles.get(tile.column() / parts - begin).get(tile.row() % parts, tile.column() % parts);
    }

    /**
     * Returns a function that finds any tile of the problem in the table and caches recently used tiles. Half of the
     * memory is for large tiles and half for their requested parts, because a row or a column of such parts is far
     * smaller. Not thread-safe.
     *
     * @param memory the maximum number of bytes of tiles to keep; at least one large tile and one part are kept
     */
    public Function<Tile, T> reader(long memory) {
        Recent<Grid<T>> large = new Recent<>(memory / 2, form::bytes, this::read);
        int parts = form.parts();
        Recent<T> small = new Recent<>(memory / 2, tile -> form.problem().bytes(), tile -> large.apply(
                        new Tile(tile.row() / parts, tile.column() / parts))
                .get(tile.row() % parts, tile.column() % parts));
        return small;
    }

    /** Caches the most recently used tiles. */
    private static final class Recent<V> implements Function<Tile, V> {
        private final long memory;
        private final ToLongFunction<Tile> size;
        private final Function<Tile, V> find;
        /** The cached tiles, least recently used first. */
        private final LinkedHashMap<Tile, V> kept = new LinkedHashMap<>(16, 0.75f, true);

        private long bytes;

        Recent(long memory, ToLongFunction<Tile> size, Function<Tile, V> find) {
            this.memory = memory;
            this.size = size;
            this.find = find;
        }

        @Override
        public V apply(Tile tile) {
            V found = kept.get(tile);
            if (found == null) {
                bytes += size.applyAsLong(tile);
                Iterator<Tile> oldest = kept.keySet().iterator();
                while (bytes > memory && oldest.hasNext()) {
                    bytes -= size.applyAsLong(oldest.next());
                    oldest.remove();
                }
                found = find.apply(tile);
                kept.put(tile, found);
            }
            return found;
        }
    }
}
