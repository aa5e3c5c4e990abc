package dev.bellman.large.grid;

import dev.bellman.BellmanException;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.spark.SparkEnv;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.Utils;

/**
 * Runs a Spark task on a slot's tiles, which a {@link TileStorage} on the slot's executor holds. A step may run twice,
 * either on the same executor or on different ones. Each time, it writes the same content, so all copies of a tile that
 * include the same steps are equal.
 */
final class TileWorker {
    /**
     * The data that is the same for all tasks of a run. This class is not a record, because Kryo cannot serialize
     * records.
     */
    static final class Shared<T> implements Serializable {
        private static final long serialVersionUID = 1L;

        /** A random id, which identifies this attempt of the run. */
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
         * Creates the data that is the same for all tasks of a run.
         *
         * @param folder the folder of the {@link TileStore}
         * @param given the folder that contains the initial tiles; null if the problem creates them
         * @param memory the maximum number of bytes that tiles may occupy in the memory of an executor
         * @param gpuMemory the maximum number of bytes that tiles may occupy in the memory of a GPU; 0 if there is no
         *     GPU
         * @param directory a local folder for tiles that fit in neither GPU nor host memory; null for Spark's folder
         * @param slots the slots that belong to GPUs; null if there are no GPUs
         * @param panels the folder of the {@link TileStore} for the panels of several GPUs
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

        /** Returns the file of a tile in a checkpoint or of an initial tile; null if the problem creates the tile. */
        String file(int checkpoint, Tile tile) {
            if (checkpoint != Step.NONE) {
                return checkpoint(checkpoint, tile);
            }
            return given == null ? null : TileFolder.file(given, tile);
        }

        /**
         * Returns a tile from a checkpoint, or an initial tile.
         *
         * @param bytes counts the bytes that are read from files
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
     * The work that a task has to do.
     *
     * @param slot the slot, that is, the set of tiles to which the work belongs
     * @param checkpoint the wave after which the last checkpoint was written; {@link Step#NONE} if there is none
     * @param before the last of the earlier waves in which the slot had steps; if the checkpoint's wave is later, that
     *     wave
     * @param steps the steps, in the order of their waves
     * @param save the tiles that the task writes to a new checkpoint; if there are any, the work has no steps
     * @param wave the last wave that the new checkpoint includes
     */
    record Work(int slot, int checkpoint, int before, List<Step> steps, List<Saved> save, int wave)
            implements Serializable {}

    /** A tile, and the last wave that wrote to it. */
    record Saved(Tile tile, int written) implements Serializable {}

    /**
     * The work that a task has done.
     *
     * @param location the location of the executor that ran the task, for Spark
     * @param operations the number of operations in the steps
     * @param seconds the number of seconds spent on computing
     * @param panels the number of panels that the task read or wrote
     * @param panelBytes the total number of bytes in these panels
     * @param bytes the total number of bytes in all files that the task read or wrote
     * @param again the number of steps that ran again because tiles were lost
     * @param moved the numbers of bytes that {@link GpuTiles} moved since the tiles were loaded, and the times that
     *     this took; empty if there is no GPU
     * @param lost the reason why the executor does not have the slot's tiles any longer; null if it has them
     * @param failure the reason why the problem has no solution; null if unknown
     * @param failedAt the first tile on the diagonal that shows the reason
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
            implements Serializable {}

    static final String CHECKPOINTS = "checkpoints";

    /** The tile storage of this process for the most recent run, by slot. */
    private static final Map<Integer, TileStorage> STORAGES = new HashMap<>();

    private static String run;

    private TileWorker() {}

    /**
     * Runs a {@link Work} and returns a {@link Done}; both are passed as bytes, because Spark's serializer may be Kryo.
     */
    static byte[] run(Shared<?> shared, byte... work) {
        return Utils.serialize(run(shared, Utils.<Work>deserialize(work, Work.class.getClassLoader())));
    }

    private static Done run(Shared<?> shared, Work work) {
        TileStorage storage = storage(shared, work.slot);
        TileStorage.Outcome outcome = new TileStorage.Outcome();
        synchronized (storage) {
            try {
                outcome.lost = storage.prepare(work, outcome);
                if (outcome.lost == null) {
                    work.steps.stream()
                            .collect(Collectors.groupingBy(Step::wave, LinkedHashMap::new, Collectors.toList()))
                            .values()
                            .forEach(steps -> storage.run(steps, outcome));
                    storage.finish(work, outcome);
                }
            } catch (Throwable e) {
                storage.fail(work, e);
                if (!(e instanceof BellmanException own && own.code().isRowError())) {
                    throw e;
                }
                outcome.failure = own;
            }
        }
        return outcome.done(work.slot, location());
    }

    private static synchronized TileStorage storage(Shared<?> shared, int slot) {
        if (run != null && !run.equals(shared.run)) {
            drop(run);
        }
        run = shared.run;
        return STORAGES.computeIfAbsent(
                slot, each -> shared.gpuMemory == 0 ? new HeapTiles<>(shared) : new GpuTiles<>(shared, slot));
    }

    /** Frees the memory and disk space that a run occupies in this process. */
    static synchronized void drop(String dropped) {
        if (dropped.equals(run)) {
            STORAGES.values().forEach(TileStorage::close);
            STORAGES.clear();
        }
    }

    /** Returns the location of this executor, in the form of Spark's {@code ExecutorCacheTaskLocation}. */
    static String location() {
        SparkEnv environment = SparkEnv.get();
        return "executor_%s_%s"
                .formatted(environment.blockManager().blockManagerId().host(), environment.executorId());
    }

    /** Returns the name of a tile's file in a checkpoint. */
    static String checkpoint(int wave, Tile tile) {
        return TileFolder.file(checkpointFolder(wave), tile);
    }

    static String checkpointFolder(int wave) {
        return CHECKPOINTS + "/" + wave;
    }
}
