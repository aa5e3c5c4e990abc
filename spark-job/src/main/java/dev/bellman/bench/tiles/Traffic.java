package dev.bellman.bench.tiles;

import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Counts the work of a schedule: how often it runs each kernel, and how many tiles it moves between a memory and a
 * smaller, faster memory, which keeps the most recently used tiles. Theorem 1 of Javanmard et al. (2019) gives bounds
 * for this traffic: with a fast memory of M cells, n^3 operations on n^2 cells move on the order of n^3 / sqrt(M)
 * cells. Pass an instance to {@link Schedule#run}; no table is needed.
 */
public final class Traffic implements Consumer<List<Task>> {
    private final long capacity;
    private final Map<TileKernel, Long> runs = new EnumMap<>(TileKernel.class);
    /** The tiles in the fast memory, least recently used first. The value shows whether a tile has been written to. */
    private final LinkedHashMap<Tile, Boolean> resident = new LinkedHashMap<>(16, 0.75f, true);

    private long loads;
    private long stores;

    /** @param capacity the number of tiles that fit in the fast memory; at least as many as one task uses */
    public Traffic(long capacity) {
        this.capacity = capacity;
    }

    @Override
    public void accept(List<Task> wave) {
        for (Task task : wave) {
            runs.merge(task.kernel(), 1L, Long::sum);
            task.sources().forEach(source -> touch(source, false));
            touch(task.target(), true);
        }
    }

    private void touch(Tile tile, boolean write) {
        Boolean written = resident.get(tile);
        if (written == null) {
            loads++;
        }
        if (written == null || write && !written) {
            resident.put(tile, write);
        }
        if (resident.size() > capacity) {
            Iterator<Boolean> oldest = resident.values().iterator();
            if (oldest.next()) {
                stores++;
            }
            oldest.remove();
        }
    }

    /** Returns how many times the kernel ran. */
    public long runs(TileKernel kernel) {
        return runs.getOrDefault(kernel, 0L);
    }

    /** Returns the number of tiles read into the fast memory. */
    public long loads() {
        return loads;
    }

    /** Returns the number of tiles written back, including those that were still in the fast memory at the end. */
    public long stores() {
        return stores + resident.values().stream().filter(written -> written).count();
    }
}
