package dev.bellman.large.grid;

import dev.bellman.large.tiles.LevelTable;
import dev.bellman.large.tiles.Tile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The work of a Spark task on a table on its GPU, which has all tiles: panels are there, and not in files. If the
 * executor is lost,
 * or a task fails, the table is made again, from the last checkpoint, and all steps since run again.
 *
 * @param <T> a tile of the problem
 */
final class LevelWorker<T> {
    /** The table of the last run in this process; null if there is none. */
    private static LevelWorker<?> last;

    private final TileWorker.Shared<T> shared;
    private final ScratchFolder folder;
    private final LevelTable<T> table;
    /** The last wave whose steps the table has been through. */
    private int wave;

    private LevelWorker(TileWorker.Shared<T> shared) {
        this.shared = shared;
        folder = ScratchFolder.in(shared.directory() == null ? TileCache.localFolder() : Path.of(shared.directory()));
        try {
            table = new LevelTable<>(
                    shared.form().problem(), shared.form().parts(), shared.gpuMemory(), shared.memory(), folder.path());
        } catch (Throwable e) {
            folder.close();
            throw e;
        }
    }

    /** Does a {@link TileWorker.Work}, whose steps may be of several waves, in ascending order. */
    @SuppressWarnings("unchecked")
    static synchronized <T> TileWorker.Done run(TileWorker.Shared<T> shared, TileWorker.Work work) {
        AtomicLong bytes = new AtomicLong();
        if (last != null && !last.shared.run().equals(shared.run())) {
            drop(last.shared.run());
        }
        try {
            if (last == null) {
                LevelWorker<T> made = new LevelWorker<>(shared);
                last = made;
                made.load(work.checkpoint(), bytes);
            }
            long start = System.nanoTime();
            long again = ((LevelWorker<T>) last).run(work);
            double seconds = (System.nanoTime() - start) / 1e9;
            ((LevelWorker<T>) last).save(work, bytes);
            return new TileWorker.Done(
                    work.slot(),
                    TileWorker.location(),
                    work.steps().stream()
                            .mapToDouble(step -> shared.form().operations(step.task()))
                            .sum(),
                    work.steps().isEmpty() ? 0 : seconds,
                    bytes.get(),
                    again,
                    new LinkedHashMap<>(last.table.moved()));
        } catch (Throwable e) {
            drop(shared.run());
            throw e;
        }
    }

    static synchronized void drop(String run) {
        if (last != null && last.shared.run().equals(run)) {
            LevelWorker<?> dropped = last;
            last = null;
            try {
                dropped.table.close();
            } finally {
                dropped.folder.close();
            }
        }
    }

    private List<Tile> tiles() {
        List<Tile> tiles = new ArrayList<>();
        for (int row = 0; row < shared.form().side(); row++) {
            for (int column = 0; column < shared.form().side(); column++) {
                Tile tile = new Tile(row, column);
                if (shared.form().has(tile)) {
                    tiles.add(tile);
                }
            }
        }
        return tiles;
    }

    private void load(int checkpoint, AtomicLong bytes) {
        TileStore store = shared.store();
        table.put(tiles(), tile -> shared.content(store, checkpoint, tile, bytes));
        wave = checkpoint;
    }

    /** Returns how many steps ran again. */
    private long run(TileWorker.Work work) {
        int before = work.steps().isEmpty() ? work.wave() : work.steps().get(0).wave() - 1;
        long[] again = {0};
        if (wave < before) {
            Step.run(shared.form(), (number, steps) -> {
                if (number > wave && number <= before) {
                    again[0] += steps.size();
                    run(number, steps);
                }
            });
        }
        work.steps().stream()
                .collect(Collectors.groupingBy(Step::wave, LinkedHashMap::new, Collectors.toList()))
                .forEach((number, steps) -> {
                    if (number > wave) {
                        run(number, steps);
                    }
                });
        table.finish();
        return again[0];
    }

    private void save(TileWorker.Work work, AtomicLong bytes) {
        TileStore store = shared.store();
        table.get(work.save().stream().map(TileWorker.Saved::tile).toList(), (tile, content) -> {
            ByteBuffer written = shared.form().write(tile, content);
            bytes.addAndGet(written.remaining());
            store.write(TileWorker.checkpoint(work.wave(), tile), written);
        });
    }

    private void run(int number, List<Step> steps) {
        table.run(steps.stream().map(Step::task).toList());
        wave = number;
    }
}
