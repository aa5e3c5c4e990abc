package dev.bellman.large.grid;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkEnv;

/**
 * The tiles of a run that one executor holds. When memory is full, evicts the least recently used entries: panels are
 * dropped, because the {@link TileStore} also contains them; tiles are moved to the executor's disk.
 *
 * @param <T> a tile of the problem; a large tile consists of a grid of these
 */
final class TileCache<T> {
    /** A tile, and the last wave whose steps it includes. */
    record Held<T>(int wave, Grid<T> tiles) {}

    private record Entry<T>(Held<T> held, long bytes) {}

    /** The prefix of the names of folders that {@link #makeFolder} creates. */
    static final String PREFIX = "bellman-tiles";

    private static final Map<String, TileCache<?>> CACHES = new HashMap<>();

    private final LargeTiles<T> form;
    private final long budget;
    private final Path folder;
    private final TileStore spilled;
    /**
     * The tiles and panels in memory; the least recently used one comes first. The key is a {@link Tile} or a
     * {@link Step.Panel}.
     */
    private final LinkedHashMap<Object, Entry<T>> memory = new LinkedHashMap<>(16, 0.75f, true);
    /** The waves of those tiles that are on disk. */
    private final Map<Tile, Integer> disk = new HashMap<>();

    private final Object[] locks = Stream.generate(Object::new).limit(64).toArray();

    private long bytes;
    private long spills;

    private TileCache(LargeTiles<T> form, long budget) {
        this.form = form;
        this.budget = budget;
        folder = makeFolder(localFolder());
        spilled = new TileStore(folder.toUri().toString(), new Configuration());
    }

    /** Returns a folder that Spark deletes together with the executor. */
    static Path localFolder() {
        return SparkEnv.get().blockManager().diskBlockManager().localDirs()[0].toPath();
    }

    /** Creates a folder for tiles inside the given folder. */
    static Path makeFolder(Path parent) {
        try {
            return Files.createTempDirectory(parent, PREFIX);
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                    ("cannot create a folder for tiles in %s, on the disk of an executor: %s. Fix the problem, then "
                                    + "rerun with --resume")
                            .formatted(parent, e),
                    e);
        }
    }

    /**
     * Returns the tiles that this process holds for a run. Drops the tiles of all other runs, which either have ended
     * or can find their tiles in the store.
     */
    @SuppressWarnings("unchecked")
    static synchronized <T> TileCache<T> of(String run, LargeTiles<T> form, long budget) {
        if (!CACHES.containsKey(run)) {
            List.copyOf(CACHES.keySet()).forEach(TileCache::drop);
            CACHES.put(run, new TileCache<>(form, budget));
        }
        return (TileCache<T>) CACHES.get(run);
    }

    static synchronized void drop(String run) {
        TileCache<?> cache = CACHES.remove(run);
        if (cache != null) {
            FileUtils.deleteQuietly(cache.folder.toFile());
        }
    }

    /**
     * Removes a tile from the cache, if the cache contains it, and returns it. The caller must put the tile back when
     * the tile is complete. Until then, the tile counts as lost, so that no task uses a tile that a killed task left
     * incomplete.
     */
    Optional<Held<T>> take(Tile tile) {
        synchronized (this) {
            Entry<T> entry = memory.remove(tile);
            if (entry != null) {
                bytes -= entry.bytes;
                return Optional.of(entry.held);
            }
            Integer wave = disk.remove(tile);
            if (wave == null) {
                return Optional.empty();
            }
            try {
                Grid<T> read = form.read(tile, spilled.read(name(tile, wave)));
                spilled.delete(name(tile, wave));
                return Optional.of(new Held<>(wave, read));
            } catch (BellmanException e) {
                // the tile can still be read from the store
                return Optional.empty();
            }
        }
    }

    /** Puts a tile back, unless the cache already contains a later version. */
    synchronized void put(Tile tile, Held<T> held) {
        Entry<T> other = memory.get(tile);
        if ((other == null || other.held.wave < held.wave) && disk.getOrDefault(tile, Step.NONE) < held.wave) {
            Integer older = disk.remove(tile);
            if (older != null) {
                spilled.delete(name(tile, older));
            }
            add(tile, new Entry<>(held, form.bytes(tile)));
        }
    }

    /**
     * Returns a panel, which must not be changed. If several tasks request the same panel, only the first one loads it.
     */
    Grid<T> panel(Step.Panel panel, Supplier<Grid<T>> load) {
        synchronized (locks[Math.floorMod(panel.hashCode(), locks.length)]) {
            synchronized (this) {
                Entry<T> entry = memory.get(panel);
                if (entry != null) {
                    return entry.held.tiles;
                }
            }
            Grid<T> loaded = load.get();
            add(panel, new Entry<>(new Held<>(panel.wave(), loaded), form.panelBytes(panel.kernel(), panel.tile())));
            return loaded;
        }
    }

    private synchronized void add(Object key, Entry<T> entry) {
        Entry<T> old = memory.put(key, entry);
        bytes += entry.bytes - (old == null ? 0 : old.bytes);
        Iterator<Map.Entry<Object, Entry<T>>> oldest = memory.entrySet().iterator();
        while (bytes > budget && oldest.hasNext()) {
            Map.Entry<Object, Entry<T>> next = oldest.next();
            if (next.getKey() instanceof Tile tile) {
                spill(tile, next.getValue().held);
            }
            bytes -= next.getValue().bytes;
            oldest.remove();
        }
    }

    private void spill(Tile tile, Held<T> held) {
        spilled.write(name(tile, held.wave), form.write(tile, held.tiles));
        disk.put(tile, held.wave);
        spills++;
    }

    synchronized long spills() {
        return spills;
    }

    private static String name(Tile tile, int wave) {
        return "%s-%s.%s".formatted(tile.row(), tile.column(), wave);
    }
}
