package dev.bellman.large.grid;

import dev.bellman.BellmanException;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkEnv;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.Utils;

/**
 * The work of a Spark task on tiles. It finds a tile in its executor's memory or on its disk; otherwise it makes it
 * again, from the last checkpoint and
 * the panels written since. Steps may run twice, on one executor or on two: all copies have the same content.
 *
 * @param <T> a tile of the problem
 */
final class TileWorker<T> {
    /** The common data of all tasks of a run. Not a record, which Kryo cannot serialize. */
    static final class Shared<T> implements Serializable {
        private static final long serialVersionUID = 1L;

        /** Another one for each attempt. */
        private final String run = UUID.randomUUID().toString();

        private final LargeTiles<T> form;
        private final String folder;
        private final String given;
        private final SerializableConfiguration hadoop;
        private final long memory;
        private final long gpuMemory;
        private final String directory;
        private final Slots slots;
        private final String panels;

        /**
         * The common data of all tasks of a run.
         *
         * @param folder of the {@link TileStore}
         * @param given the folder of the tiles before any step; null if the problem makes them
         * @param memory bytes of tiles that an executor keeps in memory
         * @param gpuMemory bytes of tiles that a GPU keeps; 0 if there is none
         * @param directory the local folder for tiles that a GPU and its host have no memory for; null for Spark's
         * @param slots of several GPUs; null if there are not several
         * @param panels of the {@link TileStore} for panels of several GPUs
         */
        Shared(
                LargeTiles<T> form,
                String folder,
                String given,
                SerializableConfiguration hadoop,
                long memory,
                long gpuMemory,
                String directory,
                Slots slots,
                String panels) {
            this.form = form;
            this.folder = folder;
            this.given = given;
            this.hadoop = hadoop;
            this.memory = memory;
            this.gpuMemory = gpuMemory;
            this.directory = directory;
            this.slots = slots;
            this.panels = panels;
        }

        Shared(LargeTiles<T> form, String folder, String given, SerializableConfiguration hadoop, long memory) {
            this(form, folder, given, hadoop, memory, 0, null, null, null);
        }

        String run() {
            return run;
        }

        LargeTiles<T> form() {
            return form;
        }

        long memory() {
            return memory;
        }

        long gpuMemory() {
            return gpuMemory;
        }

        String directory() {
            return directory;
        }

        Slots slots() {
            return slots;
        }

        TileStore store() {
            return new TileStore(folder, hadoop.value());
        }

        TileStore panels() {
            return new TileStore(panels, hadoop.value());
        }

        /** The file of a tile in a checkpoint, or before any step; null if the problem makes it. */
        String file(int checkpoint, Tile tile) {
            if (checkpoint != Step.NONE) {
                return checkpoint(checkpoint, tile);
            }
            return given == null ? null : TileFolder.file(given, tile);
        }

        /**
         * A tile of a checkpoint, or before any step.
         *
         * @param bytes counts the bytes of files
         */
        Grid<T> content(TileStore store, int checkpoint, Tile tile, AtomicLong bytes) {
            String file = file(checkpoint, tile);
            if (file == null) {
                return form.make(tile);
            }
            ByteBuffer content = store.read(file);
            bytes.addAndGet(content.remaining());
            return form.read(tile, content);
        }
    }

    /**
     * The work of a task.
     *
     * @param slot which share of the tiles this is
     * @param checkpoint the wave of the last checkpoint; {@link Step#NONE} if there is none
     * @param before the last wave before these in which the slot had steps, or the wave of the checkpoint if it is
     *     later
     * @param steps in the order of their waves
     * @param save tiles to write to a new checkpoint; no steps then
     * @param wave the last wave before the new checkpoint
     */
    record Work(int slot, int checkpoint, int before, List<Step> steps, List<Saved> save, int wave)
            implements Serializable {}

    /** A tile and the last wave that wrote it. */
    record Saved(Tile tile, int written) implements Serializable {}

    /**
     * The outcome of a task.
     *
     * @param location of its executor, for Spark
     * @param operations of its steps
     * @param seconds that it computed
     * @param panels panels that it read or wrote
     * @param panelBytes of these
     * @param bytes of all files that it read and wrote
     * @param again steps that ran again, for lost tiles
     * @param moved of a {@link LevelWorker} or a {@link ShareWorker}, since it began; empty without one
     * @param lost why a {@link ShareWorker} does not have the tiles of its slot any more; null if it has, and did the
     *     work
     * @param failure why the problem has no answer; null if nothing is known
     * @param failedAt the tile on the diagonal that tells it: of several, the first is right
     */
    record Done(
            int slot,
            String location,
            double operations,
            double seconds,
            long panels,
            long panelBytes,
            long bytes,
            long again,
            long spills,
            LinkedHashMap<String, Double> moved,
            String lost,
            BellmanException failure,
            int failedAt)
            implements Serializable {
        /** Without files, and with its tiles. */
        Done(
                int slot,
                String location,
                double operations,
                double seconds,
                long bytes,
                long again,
                LinkedHashMap<String, Double> moved) {
            this(slot, location, operations, seconds, 0, 0, bytes, again, 0, moved, null, null, 0);
        }
    }

    static final String CHECKPOINTS = "checkpoints";

    private final Shared<T> shared;
    private final int checkpoint;
    private final TileCache<T> cache;
    private final TileStore store;
    private final WriteBehind files;
    private double operations;
    private long nanoseconds;
    private long panels;
    private long panelBytes;
    private long bytes;
    private long again;

    private TileWorker(Shared<T> shared, int checkpoint) {
        this.shared = shared;
        this.checkpoint = checkpoint;
        cache = TileCache.of(shared.run, shared.form, shared.memory);
        store = shared.store();
        files = new WriteBehind(store);
    }

    /** Does a {@link Work} and returns a {@link Done}, both as bytes, as Kryo may be Spark's serializer. */
    static <T> byte[] run(Shared<T> shared, byte... work) {
        Work given = Utils.deserialize(work, Work.class.getClassLoader());
        if (shared.slots != null) {
            return Utils.serialize(ShareWorker.run(shared, given));
        }
        return Utils.serialize(shared.gpuMemory == 0 ? run(shared, given) : LevelWorker.run(shared, given));
    }

    private static <T> Done run(Shared<T> shared, Work work) {
        TileWorker<T> worker = new TileWorker<>(shared, work.checkpoint);
        long spills = worker.cache.spills();
        try (WriteBehind files = worker.files) {
            work.steps.forEach(worker::run);
            work.save.forEach(saved -> worker.save(saved, work.wave));
            files.finish();
        } catch (Throwable e) {
            // a panel may be missing, so the steps must run again, and not be taken for done
            work.steps.forEach(step -> worker.cache.take(step.task().target()));
            throw e;
        }
        return new Done(
                work.slot,
                location(),
                worker.operations,
                worker.nanoseconds / 1e9,
                worker.panels,
                worker.panelBytes,
                worker.bytes + worker.panelBytes,
                worker.again,
                worker.cache.spills() - spills,
                new LinkedHashMap<>(),
                null,
                null,
                0);
    }

    /** In the form of Spark's {@code ExecutorCacheTaskLocation}. */
    static String location() {
        SparkEnv environment = SparkEnv.get();
        return "executor_%s_%s"
                .formatted(environment.blockManager().blockManagerId().host(), environment.executorId());
    }

    /** The name of a tile in a checkpoint. */
    static String checkpoint(int wave, Tile tile) {
        return TileFolder.file(checkpointFolder(wave), tile);
    }

    static String checkpointFolder(int wave) {
        return CHECKPOINTS + "/" + wave;
    }

    private void run(Step step) {
        Tile tile = step.task().target();
        TileCache.Held<T> held = tile(tile, step.previous());
        if (held.wave() < step.wave()) {
            ByteBuffer panel = apply(step, held.tiles());
            if (panel != null) {
                moved(panel);
                files.write(step.panel().name(), panel);
                // this executor reads it, too
                cache.panel(step.panel(), () -> read(step.panel(), panel));
            }
            held = new TileCache.Held<>(step.wave(), held.tiles());
        }
        cache.put(tile, held);
    }

    private void save(Saved saved, int wave) {
        TileCache.Held<T> held = tile(saved.tile, saved.written);
        ByteBuffer content = shared.form.write(saved.tile, held.tiles());
        bytes += content.remaining();
        files.write(checkpoint(wave, saved.tile), content);
        // it has been through all steps up to the checkpoint, so it stays after it
        cache.put(saved.tile, new TileCache.Held<>(wave, held.tiles()));
    }

    /** A tile with all steps up to a wave. The caller puts it back. */
    private TileCache.Held<T> tile(Tile tile, int written) {
        TileCache.Held<T> held = cache.take(tile)
                // a copy from before the checkpoint, left when another executor took over: the panels to bring it up to
                // date may be gone
                .filter(found -> found.wave() >= checkpoint)
                .orElseGet(() -> saved(tile));
        if (held.wave() >= written) {
            return held;
        }
        Step.run(shared.form, (wave, steps) -> {
            if (wave > held.wave() && wave <= written) {
                for (Step step : steps) {
                    if (step.task().target().equals(tile)) {
                        again++;
                        // its panel was written when it ran first
                        apply(step, held.tiles());
                    }
                }
            }
        });
        return new TileCache.Held<>(written, held.tiles());
    }

    private TileCache.Held<T> saved(Tile tile) {
        AtomicLong read = new AtomicLong();
        Grid<T> content = shared.content(store, checkpoint, tile, read);
        bytes += read.get();
        return new TileCache.Held<>(checkpoint, content);
    }

    /** Runs a step; returns its panel, or null if no one reads it. */
    private ByteBuffer apply(Step step, Grid<T> target) {
        LargeTiles<T> form = shared.form;
        List<Grid<T>> sources = step.sources().stream()
                .map(panel -> cache.panel(panel, () -> {
                    ByteBuffer content = store.read(panel.name());
                    moved(content);
                    return read(panel, content);
                }))
                .toList();
        long start = System.nanoTime();
        form.run(step.task(), target, sources);
        nanoseconds += System.nanoTime() - start;
        operations += form.operations(step.task());
        return form.problem().pattern().isRead(step.task().kernel())
                ? form.writePanel(step.task().kernel(), step.task().target(), target)
                : null;
    }

    private void moved(ByteBuffer panel) {
        panels++;
        panelBytes += panel.remaining();
    }

    private Grid<T> read(Step.Panel panel, ByteBuffer content) {
        return shared.form.readPanel(panel.kernel(), panel.tile(), content);
    }
}
