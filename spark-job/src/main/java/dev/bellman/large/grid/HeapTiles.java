package dev.bellman.large.grid;

import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Keeps a slot's tiles in the memory of its executor or on its disk. If a tile is missing, rebuilds it from the last
 * checkpoint and the panels that were written after it.
 *
 * @param <T> a tile of the problem
 */
final class HeapTiles<T> implements TileStorage {
    private final TileWorker.Shared<T> shared;
    private final TileStore store;
    /** Null before the first task. */
    private TileCache<T> cache;

    private int checkpoint;
    private long spills;

    HeapTiles(TileWorker.Shared<T> shared) {
        this.shared = shared;
        store = shared.store();
    }

    @Override
    public String prepare(TileWorker.Work work, Outcome outcome) {
        cache = TileCache.of(shared.run(), shared.form(), shared.memory());
        checkpoint = work.checkpoint();
        spills = cache.spills();
        return null;
    }

    @Override
    public void run(List<Step> steps, Outcome outcome) {
        try (WriteBehind files = new WriteBehind(store)) {
            for (Step step : steps) {
                run(step, files, outcome);
            }
            files.finish();
        }
    }

    private void run(Step step, WriteBehind files, Outcome outcome) {
        Tile tile = step.task().target();
        TileCache.Held<T> held = tile(tile, step.previous(), outcome);
        if (held.wave() < step.wave()) {
            ByteBuffer panel = apply(step, held.tiles(), outcome);
            if (panel != null) {
                outcome.panel(panel.remaining());
                files.write(step.panel().name(), panel);
                // other steps on this executor read the panel, too
                cache.panel(step.panel(), () -> read(step.panel(), panel));
            }
            held = new TileCache.Held<>(step.wave(), held.tiles());
        }
        cache.put(tile, held);
    }

    @Override
    public void finish(TileWorker.Work work, Outcome outcome) {
        try (WriteBehind files = new WriteBehind(store)) {
            for (TileWorker.Saved saved : work.save()) {
                save(saved, work.wave(), files, outcome);
            }
            files.finish();
        }
        outcome.spills = cache.spills() - spills;
    }

    private void save(TileWorker.Saved saved, int wave, WriteBehind files, Outcome outcome) {
        TileCache.Held<T> held = tile(saved.tile(), saved.written(), outcome);
        ByteBuffer content = shared.form().write(saved.tile(), held.tiles());
        outcome.bytes.addAndGet(content.remaining());
        files.write(TileWorker.checkpoint(wave, saved.tile()), content);
        // the tile includes all steps up to the checkpoint, so it is still valid after the checkpoint
        cache.put(saved.tile(), new TileCache.Held<>(wave, held.tiles()));
    }

    /** Returns a tile to which all steps up to a wave have been applied. The caller must put the tile back. */
    private TileCache.Held<T> tile(Tile tile, int written, Outcome outcome) {
        TileCache.Held<T> held = cache.take(tile)
                // a copy from before the checkpoint, left behind when a different executor took over, is useless,
                // because the panels have been deleted
                .filter(found -> found.wave() >= checkpoint)
                .orElseGet(
                        () -> new TileCache.Held<>(checkpoint, shared.content(store, checkpoint, tile, outcome.bytes)));
        if (held.wave() >= written) {
            return held;
        }
        Step.run(shared.form(), (wave, steps) -> {
            if (wave > held.wave() && wave <= written) {
                for (Step step : steps) {
                    if (step.task().target().equals(tile)) {
                        outcome.again++;
                        // the step already wrote its panel when it first ran
                        apply(step, held.tiles(), outcome);
                    }
                }
            }
        });
        return new TileCache.Held<>(written, held.tiles());
    }

    /** Runs a step. Returns the panel that the step writes; null if no other step reads the panel. */
    private ByteBuffer apply(Step step, Grid<T> target, Outcome outcome) {
        LargeTiles<T> form = shared.form();
        List<Grid<T>> sources = step.sources().stream()
                .map(panel -> cache.panel(panel, () -> {
                    ByteBuffer content = store.read(panel.name());
                    outcome.panel(content.remaining());
                    return read(panel, content);
                }))
                .toList();
        long start = System.nanoTime();
        form.run(step.task(), target, sources);
        outcome.nanoseconds += System.nanoTime() - start;
        outcome.operations += form.operations(step.task());
        return form.problem().pattern().isRead(step.task().kernel())
                ? form.writePanel(step.task().kernel(), step.task().target(), target)
                : null;
    }

    private Grid<T> read(Step.Panel panel, ByteBuffer content) {
        return shared.form().readPanel(panel.kernel(), panel.tile(), content);
    }

    /** Drops the steps' targets. All steps must run again, because panels of finished steps may be missing. */
    @Override
    public void fail(TileWorker.Work work, Throwable failure) {
        if (cache != null) {
            work.steps().forEach(step -> cache.take(step.task().target()));
        }
    }

    @Override
    public void close() {
        TileCache.drop(shared.run());
    }
}
