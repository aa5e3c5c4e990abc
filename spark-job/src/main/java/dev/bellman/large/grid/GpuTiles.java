package dev.bellman.large.grid;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.levels.Panel;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps a slot's tiles on a GPU.
 *
 * <p>If one GPU computes the table, panels stay on this GPU instead of being written to files. After a failure, or if
 * tasks move to a different executor, the table is rebuilt from the last checkpoint, and all later steps run again.
 *
 * <p>If several GPUs compute the table, each GPU reads the other GPUs' panels from files. A task ends as soon as its
 * panels are available to other GPUs and its products have been enqueued on the GPU's streams, where they run while the
 * next tasks begin. A slot does not repeat steps on its own. If a slot loses tiles, its task reports this, and
 * {@link TileRun} returns all slots to the last checkpoint, because the other slots would have to wait for this one in
 * any case.
 *
 * @param <T> a tile of the problem
 */
final class GpuTiles<T> implements TileStorage {
    static final String FETCHING = "secondsFetching";
    static final String PUBLISHING = "secondsPublishing";

    private final TileWorker.Shared<T> shared;
    private final int slot;
    private final boolean isAlone;
    /** Null before the table has been loaded, and after a failure. */
    private LevelTable<T> table;
    /** The folder for tiles that are stored in files; null if no files are used. */
    private ScratchFolder folder;
    /** The last wave whose steps the tiles include. */
    private int wave;

    private boolean isClosed;
    private String lost = "its executor was lost, or a different executor ran the task";
    private long fetching;
    private long publishing;

    GpuTiles(TileWorker.Shared<T> shared, int slot) {
        this.shared = shared;
        this.slot = slot;
        isAlone = shared.slots().count() == 1;
    }

    @Override
    public String prepare(TileWorker.Work work, Outcome outcome) {
        if (isClosed) {
            return "another run used the GPU's memory";
        }
        if (table == null && (isAlone || work.before() == work.checkpoint())) {
            load(work.checkpoint(), outcome);
        }
        if (isAlone && wave < work.before()) {
            Step.run(shared.form(), (number, steps) -> {
                if (number > wave && number <= work.before()) {
                    outcome.again += steps.size();
                    table.run(tasks(steps));
                    wave = number;
                }
            });
        }
        return table != null && wave >= work.before() ? null : lost;
    }

    private void load(int checkpoint, Outcome outcome) {
        LargeTiles<T> form = shared.form();
        TileStore store = shared.store();
        if (isAlone) {
            folder = ScratchFolder.in(
                    shared.directory() == null ? TileCache.localFolder() : Path.of(shared.directory()));
            table = new LevelTable<>(form.problem(), form.parts(), shared.gpuMemory(), shared.memory(), folder.path());
        } else {
            table = LevelTable.share(
                    form.problem(), form.parts(), shared.slots().most(form.side()), shared.memory());
        }
        table.put(tiles(), tile -> shared.content(store, checkpoint, tile, outcome.bytes));
        wave = checkpoint;
    }

    private List<Tile> tiles() {
        return shared.slots().tiles(slot, shared.form().side()).stream()
                .filter(shared.form()::has)
                .toList();
    }

    private static List<Task> tasks(List<Step> steps) {
        return steps.stream().map(Step::task).toList();
    }

    @Override
    public void run(List<Step> steps, Outcome outcome) {
        int number = steps.get(0).wave();
        // a task runs again if its result was lost; the tiles then already include its steps
        if (number > wave) {
            if (isAlone) {
                table.run(tasks(steps));
            } else {
                exchange(steps, outcome);
            }
            wave = number;
        }
        steps.forEach(step -> outcome.operations += shared.form().operations(step.task()));
    }

    /** Runs steps that use the panels of other slots, and publishes the panels of this slot. */
    private void exchange(List<Step> steps, Outcome outcome) {
        TileStore store = shared.panels();
        Map<Panel, String> names = new HashMap<>();
        for (Step step : steps) {
            step.sources().forEach(source -> addNames(source, names));
            addNames(step.panel(), names);
        }
        List<Task> tasks = tasks(steps);
        long start = System.nanoTime();
        table.fetch(tasks, (panel, to) -> {
            store.read(names.get(panel), to);
            outcome.panel(to.limit());
        });
        fetching += System.nanoTime() - start;
        table.run(tasks);
        start = System.nanoTime();
        table.publish(tasks, (panel, from) -> {
            store.write(names.get(panel), from);
            outcome.panel(from.limit());
        });
        publishing += System.nanoTime() - start;
    }

    private static void addNames(Step.Panel panel, Map<Panel, String> to) {
        to.put(new Panel(Panel.Lines.ROWS, panel.tile()), panel.name() + "-rows");
        to.put(new Panel(Panel.Lines.COLUMNS, panel.tile()), panel.name() + "-columns");
    }

    @Override
    public void finish(TileWorker.Work work, Outcome outcome) {
        if (isAlone || work.steps().isEmpty()) {
            long start = System.nanoTime();
            if (!table.finish()) {
                findFailure(outcome);
                return;
            }
            outcome.nanoseconds += work.steps().isEmpty() ? 0 : System.nanoTime() - start;
            save(work, outcome);
        }
        if (isAlone) {
            outcome.moved.putAll(table.moved());
        } else {
            outcome.moved.put(FETCHING, fetching / 1e9);
            outcome.moved.put(PUBLISHING, publishing / 1e9);
        }
    }

    /**
     * Throws the reason why the problem has no solution if one of this slot's tiles shows it; otherwise, reports an
     * internal error.
     */
    private void findFailure(Outcome outcome) {
        for (Tile tile : tiles()) {
            if (tile.row() == tile.column()) {
                outcome.failedAt = tile.row();
                table.check(tile);
            }
        }
        outcome.failedAt = Integer.MAX_VALUE;
        outcome.failure = new BellmanException(
                ErrorCode.BELLMAN_INTERNAL,
                "a task found no solution, but no tile on the table's diagonal shows the reason");
    }

    private void save(TileWorker.Work work, Outcome outcome) {
        TileStore store = shared.store();
        table.get(work.save().stream().map(TileWorker.Saved::tile).toList(), (tile, content) -> {
            ByteBuffer written = shared.form().write(tile, content);
            outcome.bytes.addAndGet(written.remaining());
            store.write(TileWorker.checkpoint(work.wave(), tile), written);
        });
    }

    /** Declares the tiles lost, and frees their memory. */
    @Override
    public void fail(TileWorker.Work work, Throwable failure) {
        lost = failure.toString();
        free();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        free();
    }

    private void free() {
        LevelTable<T> closed = table;
        ScratchFolder left = folder;
        table = null;
        folder = null;
        try {
            if (closed != null) {
                closed.close();
            }
        } finally {
            if (left != null) {
                left.close();
            }
        }
    }
}
