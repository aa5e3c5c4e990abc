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
 * Runs a Spark task on the tiles of a slot, which are in a {@link TileStorage} on its executor. Steps may run twice, on
 * the same executor or on different ones. All copies of a tile have the same content.
 */
final class TileWorker {
    /** The data that all tasks of a run share. This is not a record, because Kryo cannot serialize records. */
    static final class Shared<T> implements Serializable {
        private static final long serialVersionUID = 1L;

        /** An id that differs between attempts. */
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
         * Creates the data that all tasks of a run share.
         *
         * @param folder the folder of the {@link TileStore}
         * @param given the folder of the initial tiles; null if the problem creates them
         * @param memory the maximum number of bytes that tiles may occupy in an executor's memory
         * @param gpuMemory the maximum number of bytes that tiles may occupy in a GPU's memory; 0 without a GPU
         * @param directory the local folder for tiles that fit in neither GPU nor host memory; null for Spark's folder
         * @param slots the slots of GPUs; null without GPUs
         * @param panels the folder of the {@link TileStore} for panels of several GPUs
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

        /** Returns the file of a tile in a checkpoint, or of the initial tile; null if the problem creates the tile. */
        String file(int checkpoint, Tile tile) {
            if (checkpoint != Step.NONE) {
                return checkpoint(checkpoint, tile);
            }
            return given == null ? null : TileFolder.file(given, tile);
        }

        /**
         * Returns a tile from a checkpoint, or the initial tile.
         *
         * @param bytes counts the bytes read from files
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
     * @param slot the slot, which is a share of the tiles
     * @param checkpoint the wave of the last checkpoint; {@link Step#NONE} if there is none
     * @param before the last earlier wave in which the slot had steps, or the wave of the checkpoint if that is later
     * @param steps the steps in wave order
     * @param save the tiles to write to a new checkpoint; if not empty, the work has no steps
     * @param wave the last wave before the new checkpoint
     */
    record Work(int slot, int checkpoint, int before, List<Step> steps, List<Saved> save, int wave)
            implements Serializable {}

    /** A tile and the last wave that wrote it. */
    record Saved(Tile tile, int written) implements Serializable {}

    /**
     * The outcome of a task.
     *
     * @param location the location of the task's executor, for Spark
     * @param operations the number of operations of the steps
     * @param seconds the seconds of computation
     * @param panels the number of panels that the task read or wrote
     * @param panelBytes the number of bytes in these panels
     * @param bytes the number of bytes in all files that the task read and wrote
     * @param again the number of steps that ran again after tiles were lost
     * @param moved the number of bytes moved by {@link GpuTiles} since the tiles were loaded; empty without a GPU
     * @param lost the reason why the executor no longer has the tiles of the slot; null if the work is done
     * @param failure the reason why the problem has no solution; null if unknown
     * @param failedAt the first tile on the diagonal that contains the reason
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

    /** The storages of the last run in this process, by slot. */
    private static final Map<Integer, TileStorage> STORAGES = new HashMap<>();

    private static String run;

    private TileWorker() {}

    /** Runs a {@link Work} and returns a {@link Done}, both as bytes, because Spark's serializer may be Kryo. */
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

    /** Frees the memory and disk space of a run in this process. */
    static synchronized void drop(String dropped) {
        if (dropped.equals(run)) {
            STORAGES.values().forEach(TileStorage::close);
            STORAGES.clear();
        }
    }

    /** Returns this executor's location in the form of Spark's {@code ExecutorCacheTaskLocation}. */
    static String location() {
        SparkEnv environment = SparkEnv.get();
        return "executor_%s_%s"
                .formatted(environment.blockManager().blockManagerId().host(), environment.executorId());
    }

    /** Returns the name of a tile in a checkpoint. */
    static String checkpoint(int wave, Tile tile) {
        return TileFolder.file(checkpointFolder(wave), tile);
    }

    static String checkpointFolder(int wave) {
        return CHECKPOINTS + "/" + wave;
    }
}
