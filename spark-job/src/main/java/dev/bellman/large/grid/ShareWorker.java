package dev.bellman.large.grid;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.large.tiles.DevicePartition;
import dev.bellman.large.tiles.Panel;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The work of a Spark task on a slot of a table that several GPUs compute together. The tiles are in the memory of its
 * GPU, and panels of others come through
 * files. A task ends when others can read its panels, and its products are put on the GPU's streams: they run while the
 * next tasks begin.
 *
 * <p>Nothing is computed again here. If the tiles are lost, with their executor or after a failure, the task says so,
 * and {@link TileRun} goes back to the last checkpoint with all slots: the others would wait for this one as long as
 * their own steps take.
 *
 * @param <T> a tile of the problem
 */
final class ShareWorker<T> {
    static final String FETCHING = "secondsFetching";
    static final String PUBLISHING = "secondsPublishing";

    /** The workers of the last run in this process, by slot. */
    private static final Map<Integer, ShareWorker<?>> WORKERS = new HashMap<>();

    private final TileWorker.Shared<T> shared;
    private final int slot;
    /** Null before it is loaded, and after a failure. */
    private DevicePartition<T> table;
    /** The last wave whose steps the tiles have been through. */
    private int wave;

    private String lost = "its executor was lost, or another one took the task";
    private BellmanException failure;
    private int failedAt;
    private long fetching;
    private long publishing;

    private ShareWorker(TileWorker.Shared<T> shared, int slot) {
        this.shared = shared;
        this.slot = slot;
    }

    static <T> TileWorker.Done run(TileWorker.Shared<T> shared, TileWorker.Work work) {
        return of(shared, work.slot()).run(work);
    }

    @SuppressWarnings("unchecked")
    private static synchronized <T> ShareWorker<T> of(TileWorker.Shared<T> shared, int slot) {
        WORKERS.values().stream()
                .filter(worker -> !worker.shared.run().equals(shared.run()))
                .map(worker -> worker.shared.run())
                .distinct()
                .toList()
                .forEach(ShareWorker::drop);
        return (ShareWorker<T>) WORKERS.computeIfAbsent(slot, each -> new ShareWorker<>(shared, slot));
    }

    static synchronized void drop(String run) {
        WORKERS.values().removeIf(worker -> {
            boolean found = worker.shared.run().equals(run);
            if (found) {
                worker.close();
            }
            return found;
        });
    }

    private synchronized void close() {
        if (table != null) {
            DevicePartition<T> closed = table;
            table = null;
            closed.close();
        }
    }

    private synchronized TileWorker.Done run(TileWorker.Work work) {
        AtomicLong bytes = new AtomicLong();
        AtomicLong panels = new AtomicLong();
        AtomicLong panelBytes = new AtomicLong();
        failure = null;
        boolean has = true;
        try {
            if (table == null && work.before() == work.checkpoint()) {
                load(work.checkpoint(), bytes);
            }
            has = table != null && wave >= work.before();
            if (has) {
                byWave(work).forEach((number, steps) -> {
                    run(steps, panels, panelBytes);
                    wave = number;
                });
                if (work.steps().isEmpty()) {
                    table.finish();
                }
                save(work, bytes);
            }
        } catch (BellmanException e) {
            if (!e.code().isRowError()) {
                fail(e);
                throw e;
            }
            failure = e;
        } catch (Throwable e) {
            fail(e);
            throw e;
        }
        LinkedHashMap<String, Double> seconds = new LinkedHashMap<>();
        seconds.put(FETCHING, fetching / 1e9);
        seconds.put(PUBLISHING, publishing / 1e9);
        return new TileWorker.Done(
                slot,
                TileWorker.location(),
                work.steps().stream()
                        .mapToDouble(step -> shared.form().operations(step.task()))
                        .sum(),
                0,
                panels.get(),
                panelBytes.get(),
                bytes.get() + panelBytes.get(),
                0,
                0,
                seconds,
                has ? null : lost,
                failure,
                failedAt);
    }

    /** The tiles may be anything now. */
    private void fail(Throwable failure) {
        lost = failure.toString();
        close();
    }

    private void load(int checkpoint, AtomicLong bytes) {
        LargeTiles<T> form = shared.form();
        TileStore store = shared.store();
        table = new DevicePartition<>(
                form.problem(), form.parts(), shared.slots().most(form.side()), shared.memory());
        table.put(shared.slots().tiles(slot, form.side()), tile -> shared.content(store, checkpoint, tile, bytes));
        wave = checkpoint;
    }

    /** The steps that did not run yet: a task whose result was lost runs again. */
    private Map<Integer, List<Step>> byWave(TileWorker.Work work) {
        return work.steps().stream()
                .filter(step -> step.wave() > wave)
                .collect(Collectors.groupingBy(Step::wave, LinkedHashMap::new, Collectors.toList()));
    }

    private void run(List<Step> steps, AtomicLong panels, AtomicLong panelBytes) {
        TileStore store = shared.panels();
        Map<Panel, String> names = new HashMap<>();
        steps.forEach(step -> step.sources().forEach(source -> {
            for (Panel.Lines lines : Panel.Lines.values()) {
                names.put(new Panel(lines, source.tile()), name(source, lines));
            }
        }));
        List<Task> wave = steps.stream().map(Step::task).toList();
        long start = System.nanoTime();
        table.fetch(wave, (panel, to) -> {
            store.read(names.get(panel), to);
            count(to, panels, panelBytes);
        });
        fetching += System.nanoTime() - start;
        table.run(wave);
        if (wave.get(0).kernel() != TileKernel.D) {
            Map<Panel, String> own = new HashMap<>();
            steps.forEach(step -> {
                for (Panel.Lines lines : Panel.Lines.values()) {
                    own.put(new Panel(lines, step.task().target()), name(step.panel(), lines));
                }
            });
            start = System.nanoTime();
            table.publish(wave, (panel, from) -> {
                store.write(own.get(panel), from);
                count(from, panels, panelBytes);
            });
            publishing += System.nanoTime() - start;
        }
    }

    private static String name(Step.Panel panel, Panel.Lines lines) {
        return panel.name() + (lines == Panel.Lines.ROWS ? "-rows" : "-columns");
    }

    private static void count(ByteBuffer panel, AtomicLong panels, AtomicLong panelBytes) {
        panels.incrementAndGet();
        panelBytes.addAndGet(panel.limit());
    }

    /** Writes a checkpoint, unless none is wanted, or the problem has no answer. */
    private void save(TileWorker.Work work, AtomicLong bytes) {
        if (work.save().isEmpty()) {
            return;
        }
        if (!table.finish()) {
            failedAt = Integer.MAX_VALUE;
            failure = new BellmanException(ErrorCode.BELLMAN_INTERNAL, "a task found no answer, and no tile tells why");
            for (Tile tile : shared.slots().tiles(slot, shared.form().side())) {
                if (tile.row() == tile.column()) {
                    failedAt = tile.row();
                    table.check(tile);
                }
            }
            failedAt = Integer.MAX_VALUE;
            return;
        }
        TileStore store = shared.store();
        table.get(work.save().stream().map(TileWorker.Saved::tile).toList(), (tile, content) -> {
            ByteBuffer written = shared.form().write(tile, content);
            bytes.addAndGet(written.remaining());
            store.write(TileWorker.checkpoint(work.wave(), tile), written);
        });
        wave = work.wave();
    }
}
