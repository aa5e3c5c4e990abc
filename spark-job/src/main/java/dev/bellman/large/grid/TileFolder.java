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
 * Gives tasks access to the tiles of a table in a run's folder, before the table's first step or after its last step.
 * Each large tile is stored in a file.
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
     * Creates the object for a folder; the folder need not exist yet.
     *
     * @param parts the number of tiles on each side of a large tile
     * @param folder the folder of the run
     * @param name the table's folder within the run's folder
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

    /** Returns the number of large tiles on each side of the table. */
    public int side() {
        return form.side();
    }

    /** Returns the number of cells on each side of a large tile. */
    public int edge() {
        return form.edge();
    }

    /** Whether at least one tile of a large tile is in the table. */
    public boolean has(Tile tile) {
        return form.has(tile);
    }

    private TileStore store() {
        return new TileStore(folder, hadoop.value());
    }

    /** Returns the note that was passed to {@link #complete}; empty if the folder has not been completed. */
    public Optional<String> note() {
        return store().exists(note)
                ? Optional.of(new String(store().read(note).array(), StandardCharsets.UTF_8))
                : Optional.empty();
    }

    /** Marks the folder as complete, and stores a note in it. */
    public void complete(String text) {
        store().replace(note, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Deletes all tiles. */
    public void clear() {
        store().delete(name);
    }

    /** Creates the initial content of a large tile; does not use the folder. */
    public Grid<T> make(Tile tile) {
        return form.make(tile);
    }

    /** Reads a large tile. */
    public Grid<T> read(Tile tile) {
        return form.isEmpty(tile) ? form.make(tile) : form.read(tile, store().read(file(name, tile)));
    }

    /** Writes a large tile, unless its file already exists. */
    public void write(Tile tile, Grid<T> tiles) {
        store().write(file(name, tile), form.write(tile, tiles));
    }

    /** Returns the name that a tile's file has in a {@link TileStore}. */
    static String file(String folder, Tile tile) {
        return "%s/%s-%s".formatted(folder, tile.row(), tile.column());
    }

    /**
     * Returns a function that finds any tile of the problem within those large tiles of a row whose columns are from
     * {@code begin} (inclusive) to {@code end} (exclusive).
     */
    public Function<Tile, T> tiles(int row, int begin, int end) {
        int parts = form.parts();
        List<Grid<T>> tiles = IntStream.range(begin, end)
                .mapToObj(column -> read(new Tile(row, column)))
                .toList();
        return tile -> tiles.get(tile.column() / parts - begin).get(tile.row() % parts, tile.column() % parts);
    }

    /**
     * Returns a function that finds any tile of the problem in the table; recently used tiles are cached. Half of the
     * memory is for large tiles. The other half is for the requested tiles inside them, so that a whole row or column
     * of the table can stay in memory even if its large tiles cannot. Not thread-safe.
     *
     * @param memory the maximum number of bytes of tiles that are cached; at least one large tile and one tile are
     *     cached
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
        /** The cached tiles; the least recently used one comes first. */
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
