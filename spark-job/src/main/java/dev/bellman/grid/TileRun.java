package dev.bellman.grid;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.tiles.Tile;
import dev.bellman.tiles.TileKernel;
import dev.bellman.tiles.TiledProblem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.Utils;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/**
 * Computes a table whose tiles are spread over the executors, in rounds: the distributed algorithm of M. M. Javanmard and others, "Toward efficient
 * architecture-independent algorithms for dynamic programs" (2019), on Spark.
 *
 * <p>Tiles go to slots, one for each core, block-cyclically in both directions, and stay on the executor that first had them: in its memory, and on its
 * disk when that is full. Each wave of a round is a Spark job whose tasks prefer those executors. Only what other tiles read, the panels of a round, is
 * written to the folder of the run and read from there. There is no shuffle, and the driver sees no tile.
 *
 * <p>After each wave the driver writes a manifest: with it, the wave is done. Every so often all tiles are written, as a checkpoint, and the panels
 * that no later step needs are deleted. The tile of a lost executor is its tile in the checkpoint, or the table's initial content, plus the steps since,
 * run again with the same panels. A run that was cut off continues the same way.
 */
public final class TileRun<T> {
    private static final String MANIFEST = "manifest";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Checkpoints are not worth their time more often than this. */
    private static final double MOST_CHECKPOINTS = 20;

    private static final double PROGRESS_SECONDS = 30;

    /** A power of 2. */
    public static final int MOST_PARTS = 16;

    /** Large tiles per side for each core per side. */
    private static final int WAVE = 4;

    /** Tiles that a task has in memory: a target, two sources, and one on its way to a file. */
    private static final int AT_A_TIME = 4;

    /**
     * Where and how a table is computed.
     *
     * @param folder a folder for panels and checkpoints that all executors reach; it belongs to this run
     * @param fingerprint what the table depends on: tiles with another fingerprint are not used
     * @param parts tiles per side of a large tile
     * @param memory bytes of tiles that each executor keeps in memory
     * @param checkpoint the time between checkpoints; null for a twentieth of the expected time
     */
    public record Settings(String folder, String fingerprint, int parts, long memory, Duration checkpoint) {
        /** What the files of tiles depend on. */
        public String ofTiles() {
            return fingerprint + "/" + parts;
        }
    }

    /** What is done; waves count from 0, and {@link Step#NONE} is none. */
    private record Manifest(String fingerprint, int done, int checkpoint) {}

    private final JavaSparkContext spark;
    private final Settings settings;
    private final Consumer<String> notes;
    private final LargeTiles<T> form;
    private final TileStore store;
    private final Broadcast<TileWorker.Shared<T>> shared;
    private final int slots;
    private final int slotColumns;
    private final int waves;
    private final Map<Integer, String> locations = new HashMap<>();
    private final Map<TileKernel, Long> kernels = new EnumMap<>(TileKernel.class);
    private final Map<String, Traffic> traffic = new LinkedHashMap<>();

    /** The waves whose panels no step reads any more. */
    private final BitSet deleted = new BitSet();

    private Manifest manifest;
    private double seconds;
    private double checkpointSeconds;
    private long checkpoints;
    private double lastCheckpoint;
    private double told;

    /** What an executor moved. */
    private record Traffic(long panels, long bytes, long again, long spills) {
        Traffic plus(Traffic other) {
            return new Traffic(panels + other.panels, bytes + other.bytes, again + other.again, spills + other.spills);
        }
    }

    /**
     * A run, or the continuation of one.
     *
     * @param notes is told about progress
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_READ} if the folder's manifest is not readable
     */
    public TileRun(JavaSparkContext spark, TiledProblem<T> problem, Settings settings, Consumer<String> notes) {
        this(spark, problem, settings, null, notes);
    }

    /**
     * The same, of a table that is given as tiles.
     *
     * @param given the name of a {@link TileFolder} with these parts in the folder of the run; null if {@link TiledProblem#make} makes the table
     */
    public TileRun(
            JavaSparkContext spark, TiledProblem<T> problem, Settings settings, String given, Consumer<String> notes) {
        this.spark = spark;
        this.settings = settings;
        this.notes = notes;
        form = new LargeTiles<>(problem, settings.parts);
        store = new TileStore(settings.folder, spark.hadoopConfiguration());
        slots = Math.min(spark.defaultParallelism(), form.side() * form.side());
        slotColumns = slots
                / IntStream.rangeClosed(1, (int) Math.sqrt(slots))
                        .filter(rows -> slots % rows == 0)
                        .max()
                        .orElse(1);
        shared = spark.broadcast(new TileWorker.Shared<>(
                form,
                settings.folder,
                given,
                new SerializableConfiguration(spark.hadoopConfiguration()),
                settings.memory));
        int[] count = {0};
        Step.run(form, (wave, steps) -> count[0] = wave + 1);
        waves = count[0];
    }

    /** Computes what is not done yet, and returns the finished table. */
    public TileFolder<T> run() {
        manifest = read();
        write();
        lastCheckpoint = now();
        told = now();
        double start = now();
        Step.run(form, (wave, steps) -> {
            if (wave > manifest.done) {
                run(wave, steps);
                manifest = new Manifest(settings.ofTiles(), wave, manifest.checkpoint);
                seconds = now() - start;
                if (wave + 1 == waves || checkpointIsDue()) {
                    checkpoint();
                } else {
                    write();
                }
                progress();
            }
        });
        if (manifest.checkpoint != manifest.done) {
            checkpoint();
        }
        seconds = now() - start;
        drop();
        return new TileFolder<>(
                form,
                settings.folder,
                TileWorker.checkpointFolder(manifest.checkpoint),
                new SerializableConfiguration(spark.hadoopConfiguration()));
    }

    private static double now() {
        return System.nanoTime() / 1e9;
    }

    private Manifest read() {
        if (!store.exists(MANIFEST)) {
            // what is there without a manifest could be of another table
            store.delete(Step.Panel.FOLDER);
            store.delete(TileWorker.CHECKPOINTS);
            return new Manifest(settings.ofTiles(), Step.NONE, Step.NONE);
        }
        ByteBuffer text = store.read(MANIFEST);
        try {
            Manifest found = JSON.readValue(text.array(), Manifest.class);
            if (!found.fingerprint.equals(settings.ofTiles())) {
                throw otherTable(settings.folder);
            }
            notes.accept("%,d of %,d waves are done and kept".formatted(found.done + 1, waves));
            return found;
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    "the manifest of the tiles in %s is not readable: %s; run without --resume to start from the beginning"
                            .formatted(settings.folder, e.getMessage()),
                    e);
        }
    }

    /** The error for tiles whose fingerprint is not that of the run. */
    public static BellmanException otherTable(String folder) {
        return new BellmanException(
                ErrorCode.BELLMAN_JOB_FILE,
                "the tiles in %s are of another job, or its input, parameters, version or tile size changed since; run without --resume to start from the beginning"
                        .formatted(folder));
    }

    private void write() {
        try {
            store.replace(
                    MANIFEST, ByteBuffer.wrap(JSON.writeValueAsString(manifest).getBytes(StandardCharsets.UTF_8)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private int slot(Tile tile) {
        int rows = slots / slotColumns;
        return tile.row() % rows * slotColumns + tile.column() % slotColumns;
    }

    private void run(int wave, List<Step> steps) {
        Map<Integer, List<Step>> bySlot = new LinkedHashMap<>();
        for (Step step : steps) {
            bySlot.computeIfAbsent(slot(step.task().target()), slot -> new ArrayList<>())
                    .add(step);
            kernels.merge(step.task().kernel(), 1L, Long::sum);
        }
        List<TileWorker.Work> works = new ArrayList<>();
        bySlot.forEach(
                (slot, own) -> works.add(new TileWorker.Work(slot, manifest.checkpoint, own, List.of(), Step.NONE)));
        submit("wave %,d of %,d".formatted(wave + 1, waves), works);
    }

    private void submit(String description, List<TileWorker.Work> works) {
        List<Tuple2<byte[], Seq<String>>> located = works.stream()
                .map(work -> {
                    String location = locations.get(work.slot());
                    List<String> preferred = location == null ? List.of() : List.of(location);
                    return new Tuple2<>(
                            Utils.serialize(work),
                            CollectionConverters.asScala(preferred).toSeq());
                })
                .toList();
        ClassTag<byte[]> tag = scala.reflect.ClassTag$.MODULE$.apply(byte[].class);
        Broadcast<TileWorker.Shared<T>> all = shared;
        spark.setJobDescription(description);
        try {
            JavaRDD.fromRDD(
                            spark.sc()
                                    .makeRDD(
                                            CollectionConverters.asScala(located)
                                                    .toSeq(),
                                            tag),
                            tag)
                    .map(work -> TileWorker.run(all.value(), work))
                    .collect()
                    .forEach(done -> note(Utils.deserialize(done, TileWorker.Done.class.getClassLoader())));
        } finally {
            spark.setJobDescription(null);
        }
    }

    private void note(TileWorker.Done done) {
        locations.put(done.slot(), done.location());
        traffic.merge(
                done.location(), new Traffic(done.panels(), done.bytes(), done.again(), done.spills()), Traffic::plus);
    }

    /** By default, when the expected time is up, and a checkpoint takes less than a fifth of it. */
    private boolean checkpointIsDue() {
        double since = now() - lastCheckpoint;
        if (settings.checkpoint != null) {
            return since >= settings.checkpoint.toMillis() / 1e3;
        }
        double expected = seconds * waves / (manifest.done + 1);
        double each = checkpoints == 0 ? 0 : checkpointSeconds / checkpoints;
        return since >= Math.max(10, Math.max(5 * each, expected / MOST_CHECKPOINTS));
    }

    private void checkpoint() {
        double start = now();
        int wave = manifest.done;
        Map<Integer, List<TileWorker.Saved>> bySlot = new LinkedHashMap<>();
        Map<Tile, Integer> written = new LinkedHashMap<>();
        BitSet needed = new BitSet();
        Step.run(form, (number, steps) -> {
            for (Step step : steps) {
                if (number <= wave) {
                    written.put(step.task().target(), number);
                } else {
                    step.sources().forEach(panel -> needed.set(panel.wave()));
                    written.putIfAbsent(step.task().target(), Step.NONE);
                }
            }
        });
        written.forEach((tile, last) ->
                bySlot.computeIfAbsent(slot(tile), slot -> new ArrayList<>()).add(new TileWorker.Saved(tile, last)));
        List<TileWorker.Work> works = new ArrayList<>();
        bySlot.forEach(
                (slot, saved) -> works.add(new TileWorker.Work(slot, manifest.checkpoint, List.of(), saved, wave)));
        submit("checkpoint after wave %,d of %,d".formatted(wave + 1, waves), works);
        int before = manifest.checkpoint;
        manifest = new Manifest(settings.ofTiles(), wave, wave);
        write();
        if (before != Step.NONE) {
            store.delete(TileWorker.checkpointFolder(before));
        }
        for (int old = deleted.nextClearBit(0); old <= wave; old = deleted.nextClearBit(old + 1)) {
            if (!needed.get(old)) {
                store.delete(Step.Panel.folder(old));
                deleted.set(old);
            }
        }
        checkpoints++;
        checkpointSeconds += now() - start;
        lastCheckpoint = now();
    }

    private void progress() {
        if (now() - told >= PROGRESS_SECONDS) {
            told = now();
            int done = manifest.done + 1;
            notes.accept(
                    "%,d of %,d waves, about %,.0f s left".formatted(done, waves, seconds / done * (waves - done)));
        }
    }

    /**
     * The number of tiles per side of a large tile for this many cores: the smallest waves still have work for all, and the tiles that each core needs
     * at a time fit the memory. At most {@value #MOST_PARTS}.
     *
     * @param memory as in {@link Settings}
     */
    public static int parts(TiledProblem<?> problem, int cores, long memory) {
        int parts = MOST_PARTS;
        while (parts > 1
                && (problem.side() < parts * WAVE * Math.sqrt(cores)
                        || (double) parts * parts * problem.bytes() * AT_A_TIME * cores > memory)) {
            parts /= 2;
        }
        return parts;
    }

    /** Frees the executors' memory and disk. */
    private void drop() {
        String run = shared.value().run();
        List<Integer> all = new ArrayList<>(locations.keySet());
        if (!all.isEmpty()) {
            spark.parallelize(all, all.size()).foreach(slot -> TileCache.drop(run));
        }
    }

    /** Counters for the report. */
    public Map<String, Object> report() {
        double cells = Math.pow(form.edge(), 3);
        long tasks = kernels.values().stream().mapToLong(Long::longValue).sum();
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("largeTiles", form.side());
        report.put("edge", form.edge());
        report.put("slots", slots);
        report.put("waves", waves);
        Map<String, Object> runs = new LinkedHashMap<>();
        kernels.forEach((kernel, count) -> runs.put(kernel.name().toLowerCase(Locale.ROOT), count));
        report.put("tileKernels", runs);
        double operations = tasks * cells;
        report.put("operations", operations);
        // Theorem 1 of the paper, and the least for any schedule, as if each operation were one of a matrix product
        double bytesOfCell = form.problem().bytes() / Math.pow(form.problem().edge(), 2);
        double theorem = operations / Math.sqrt(settings.memory / bytesOfCell) * bytesOfCell;
        report.put("bytes", traffic.values().stream().mapToLong(Traffic::bytes).sum());
        report.put("bytesOfTheorem1", theorem);
        report.put("leastBytes", 2 * theorem);
        report.put("checkpoints", checkpoints);
        report.put("checkpointSeconds", checkpointSeconds);
        report.put("seconds", seconds);
        Map<String, Object> executors = new LinkedHashMap<>();
        traffic.forEach((location, moved) -> executors.put(
                location,
                Map.of(
                        "panels", moved.panels,
                        "bytes", moved.bytes,
                        "stepsRunAgain", moved.again,
                        "tilesSpilled", moved.spills)));
        report.put("executors", executors);
        return report;
    }
}
