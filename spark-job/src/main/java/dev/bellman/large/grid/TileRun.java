package dev.bellman.large.grid;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.large.tiles.DevicePartition;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
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
    /** Checkpoints are not worth their time more often than this. */
    private static final double MAX_CHECKPOINTS = 20;

    private static final double PROGRESS_SECONDS = 30;

    /** Long compared with Spark's overhead of a job. */
    private static final double JOB_SECONDS = 2;

    /** Of a task that Spark gave to another executor than that with its tiles, which can happen for once. */
    private static final int MAX_ATTEMPTS = 3;

    /** As Spark's default for failures of a task. */
    private static final int MAX_LOSSES = 4;

    /** A cluster starts another executor sooner than this. */
    private static final double EXECUTOR_SECONDS = 30;

    /** Bytes of a checkpoint per second, before the first was measured. */
    private static final double CHECKPOINT_SPEED = 1e9;

    /** A power of 2. */
    public static final int MAX_PARTS = 16;

    /** Large tiles per side for each core per side: what the last tile of a wave leaves idle is little then. */
    private static final int WAVE = 8;

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
     * @param gpu null if the CPUs compute the table
     */
    public record Settings(String folder, String fingerprint, int parts, long memory, Duration checkpoint, Gpu gpu) {
        public Settings(String folder, String fingerprint, int parts, long memory, Duration checkpoint) {
            this(folder, fingerprint, parts, memory, checkpoint, null);
        }

        /** What the files of tiles depend on. */
        public String ofTiles() {
            return fingerprint + "/" + parts;
        }

        /** Whether files of tiles are of the same table, maybe in other parts. */
        public boolean isOfSameTable(String ofTiles) {
            return ofTiles.startsWith(fingerprint + "/");
        }
    }

    /**
     * One GPU, of one executor, that computes the whole table; or several, of an executor each, that have all tiles in their memory.
     *
     * @param memory bytes of tiles that it keeps; others are in pinned memory of its host
     * @param directory a local folder for tiles that both have no memory for; null for Spark's
     * @param count of the GPUs
     * @param panels a folder that all executors reach, for what one GPU computes and others read in a round; null for the folder of the run
     */
    public record Gpu(long memory, String directory, int count, String panels) {
        public Gpu(long memory, String directory) {
            this(memory, directory, 1, null);
        }
    }

    private final JavaSparkContext spark;
    private final Settings settings;
    private final Consumer<String> notes;
    private final LargeTiles<T> form;
    private final TileStore store;
    private final String given;
    /** Of several GPUs; null without them. */
    private final String panelFolder;

    private final Slots slots;
    /** Whether several GPUs have the tiles. */
    private final boolean onGpus;

    private Broadcast<TileWorker.Shared<T>> shared;
    private final TileCounts counts;
    private final Map<Integer, String> locations = new HashMap<>();
    /** The last wave in which a slot had steps. */
    private final Map<Integer, Integer> lastWaves = new HashMap<>();

    /** Deletes panels beside the waves. */
    private CompletableFuture<Void> deleting = CompletableFuture.completedFuture(null);

    /** Why tiles of several GPUs are lost; empty if they are not. */
    private List<String> lost = List.of();

    private int losses;
    private final int executors;

    private TileManifest manifest;
    /** The waves of a job on a GPU. They become more, where they take less time than a job of Spark. */
    private int together = 1;

    private double lastCheckpoint;
    private double told;

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
        this.given = given;
        form = settings.gpu == null
                ? LargeTiles.withoutEmpty(problem, settings.parts)
                : new LargeTiles<>(problem, settings.parts);
        store = new TileStore(settings.folder, spark.hadoopConfiguration());
        slots = new Slots(Math.min(
                settings.gpu == null ? spark.defaultParallelism() : settings.gpu.count, form.side() * form.side()));
        onGpus = settings.gpu != null && slots.count() > 1;
        panelFolder = onGpus ? panelFolder(settings) : null;
        shared = newShared();
        executors = executors();
        counts = new TileCounts(form, settings, slots.count(), onGpus);
    }

    /** Another name for each attempt: what executors have of the one before is dropped. */
    private Broadcast<TileWorker.Shared<T>> newShared() {
        return spark.broadcast(new TileWorker.Shared<>(
                form,
                settings.folder,
                given,
                new SerializableConfiguration(spark.hadoopConfiguration()),
                settings.memory,
                settings.gpu == null ? 0 : settings.gpu.memory,
                settings.gpu == null ? null : settings.gpu.directory,
                onGpus ? slots : null,
                panelFolder));
    }

    /** The same for all runs that have this folder: none leaves panels behind. */
    private static String panelFolder(Settings settings) {
        return settings.gpu.panels == null
                ? settings.folder
                : new Path(
                                settings.gpu.panels,
                                "bellman-" + UUID.nameUUIDFromBytes(settings.folder.getBytes(StandardCharsets.UTF_8)))
                        .toString();
    }

    /** Computes what is not done yet, and returns the finished table. */
    public TileFolder<T> run() {
        manifest = TileManifest.read(store, settings);
        if (manifest.done() != Step.NONE) {
            notes.accept("%,d of %,d waves are done and kept".formatted(manifest.done() + 1, counts.waves()));
        }
        write();
        if (!onGpus) {
            return compute();
        }
        deletePanels();
        try {
            return compute();
        } finally {
            deleting.handle((done, failure) -> done).join();
            deletePanels();
        }
    }

    /** Those of several GPUs, which no other attempt reads. */
    private void deletePanels() {
        if (panelFolder.equals(settings.folder)) {
            store.delete(Step.Panel.FOLDER);
        } else {
            Path folder = new Path(panelFolder);
            new TileStore(folder.getParent().toString(), spark.hadoopConfiguration()).delete(folder.getName());
        }
    }

    /** Of panels that all have read, without keeping the next wave waiting. */
    private void deletePanels(List<Step> job) {
        int[] waves = job.stream()
                .flatMap(step -> step.sources().stream())
                .mapToInt(Step.Panel::wave)
                .distinct()
                .toArray();
        TileStore panels = new TileStore(panelFolder, spark.hadoopConfiguration());
        deleting = deleting.thenRunAsync(
                () -> Arrays.stream(waves).forEach(wave -> panels.delete(Step.Panel.folder(wave))));
    }

    private TileFolder<T> compute() {
        lastCheckpoint = now();
        told = now();
        if (settings.gpu != null) {
            load();
        }
        double start = now();
        counts.keep(manifest.done());
        while (manifest.checkpoint() != counts.waves() - 1) {
            runWaves(start);
        }
        counts.ran(now() - start);
        deleting.join();
        drop();
        return new TileFolder<>(
                form,
                settings.folder,
                TileWorker.checkpointFolder(manifest.checkpoint()),
                new SerializableConfiguration(spark.hadoopConfiguration()));
    }

    /** All that are not done; or as many as run until tiles are lost. */
    private void runWaves(double start) {
        counts.beginAgain();
        List<Step> job = new ArrayList<>();
        Step.run(form, (wave, steps) -> {
            if (!lost.isEmpty()) {
                return;
            }
            if (wave <= manifest.done()) {
                counts.done(steps);
                return;
            }
            if (!job.isEmpty() && beginsJob(steps)) {
                run(job, start);
            }
            job.addAll(steps);
        });
        if (lost.isEmpty() && !job.isEmpty()) {
            run(job, start);
        }
        if (lost.isEmpty() && manifest.checkpoint() != manifest.done()) {
            checkpoint();
        }
        if (!lost.isEmpty()) {
            goBack();
        }
    }

    /** Lets all GPUs begin again at the last checkpoint, after some of their tiles were lost. */
    private void goBack() {
        String why = String.join("; ", new TreeSet<>(lost));
        losses++;
        if (losses >= spark.getConf().getInt("spark.task.maxFailures", MAX_LOSSES)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    "tiles on a GPU were lost %d times since the last checkpoint, at last because %s"
                            .formatted(losses, why));
        }
        notes.accept("tiles on a GPU are lost, because %s; all GPUs go on from the last checkpoint".formatted(why));
        lost = List.of();
        deleting.join();
        manifest = new TileManifest(settings.ofTiles(), manifest.checkpoint(), manifest.checkpoint());
        lastWaves.clear();
        locations.clear();
        shared.unpersist();
        shared = newShared();
        awaitExecutors();
        load();
    }

    /** Until one that is started in place of a lost one has come. */
    private void awaitExecutors() {
        double until = now() + EXECUTOR_SECONDS;
        try {
            while (executors() < executors && now() < until) {
                Thread.sleep(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BellmanException(ErrorCode.BELLMAN_INTERNAL, "interrupted", e);
        }
    }

    private int executors() {
        // the driver is one of them
        return Math.max(1, spark.sc().statusTracker().getExecutorInfos().length - 1);
    }

    /** Makes the table on the GPUs, so that its time is not that of the waves. */
    private void load() {
        double start = now();
        submitNothing("table to the GPU");
        if (onGpus && new HashSet<>(locations.values()).size() < Math.min(slots.count(), executors)) {
            lost = List.of("one executor has the tiles of several");
        }
        counts.loaded(now() - start);
    }

    /** Waits for the tiles of all slots, and what is computed of them, without more steps. */
    private void submitNothing(String description) {
        submit(
                description,
                IntStream.range(0, slots.count())
                        .mapToObj(slot -> new TileWorker.Work(
                                slot, manifest.checkpoint(), before(slot), List.of(), List.of(), Step.NONE))
                        .toList());
    }

    /**
     * Steps that read no other tile go with the wave before: each slot takes its steps in order. So do many waves of one GPU, which is not stopped in the
     * middle of a round: what a round keeps for its later waves is in no checkpoint.
     */
    private boolean beginsJob(List<Step> wave) {
        if (settings.gpu != null && !onGpus) {
            return counts.beginsRound(wave) > 0 && wave.get(0).wave() > manifest.done() + together;
        }
        return wave.stream().anyMatch(step -> !step.sources().isEmpty()) || onGpus && checkpointIsDue();
    }

    /** After other waves, those that follow read panels of several GPUs which are gone when a run is continued. */
    private boolean canCheckpoint(List<Step> job) {
        return !onGpus
                || !form.problem()
                        .pattern()
                        .isRead(job.get(job.size() - 1).task().kernel());
    }

    /** Runs one or more waves as a job, and commits them. */
    private void run(List<Step> job, double start) {
        submit(job);
        if (!lost.isEmpty()) {
            return;
        }
        int wave = job.get(job.size() - 1).wave();
        TileManifest.mustBeIn(store, settings.folder);
        if (onGpus) {
            deletePanels(job);
        }
        boolean canCheckpoint = canCheckpoint(job);
        manifest = new TileManifest(settings.ofTiles(), wave, manifest.checkpoint());
        counts.ran(now() - start);
        counts.done(job);
        job.clear();
        if (wave + 1 == counts.waves() || canCheckpoint && checkpointIsDue()) {
            checkpoint();
        } else {
            write();
        }
        progress();
    }

    private static double now() {
        return System.nanoTime() / 1e9;
    }

    private void deleteAll(String folder, IntPredicate wave) {
        store.list(folder).stream()
                .filter(name -> name.matches("\\d+") && wave.test(Integer.parseInt(name)))
                .forEach(name -> store.delete(folder + "/" + name));
    }

    private void write() {
        // without panels, only a checkpoint can be continued
        TileManifest kept = settings.gpu == null
                ? manifest
                : new TileManifest(manifest.fingerprint(), manifest.checkpoint(), manifest.checkpoint());
        kept.write(store);
    }

    private void submit(List<Step> steps) {
        Map<Integer, List<Step>> bySlot = new LinkedHashMap<>();
        for (Step step : steps) {
            bySlot.computeIfAbsent(slots.of(step.task().target()), slot -> new ArrayList<>())
                    .add(step);
            counts.submitted(step);
        }
        List<TileWorker.Work> works = new ArrayList<>();
        bySlot.forEach((slot, own) ->
                works.add(new TileWorker.Work(slot, manifest.checkpoint(), before(slot), own, List.of(), Step.NONE)));
        double start = now();
        submit(
                "waves %,d to %,d of %,d, %s"
                        .formatted(
                                steps.get(0).wave() + 1,
                                steps.get(steps.size() - 1).wave() + 1,
                                counts.waves(),
                                steps.stream()
                                        .map(step -> step.task().kernel().name())
                                        .distinct()
                                        .collect(Collectors.joining(" "))),
                works);
        if (settings.gpu != null && now() - start < JOB_SECONDS) {
            together *= 2;
        }
        bySlot.forEach(
                (slot, own) -> lastWaves.put(slot, own.get(own.size() - 1).wave()));
    }

    private int before(int slot) {
        return Math.max(manifest.checkpoint(), lastWaves.getOrDefault(slot, Step.NONE));
    }

    private void submit(String description, List<TileWorker.Work> works) {
        List<TileWorker.Work> left = works;
        for (int i = 0; i < MAX_ATTEMPTS && !left.isEmpty(); i++) {
            left = submitOnce(description, left);
        }
    }

    /** Returns the work of tasks that did not find their tiles, where another executor has them, or had them. */
    private List<TileWorker.Work> submitOnce(String description, List<TileWorker.Work> works) {
        Map<Integer, String> settled = settled(locations, slots.count(), executors());
        Broadcast<TileWorker.Shared<T>> all = shared;
        spark.setJobDescription(description);
        List<TileWorker.Done> done;
        try {
            done = located(works, work -> Utils.serialize(work), work -> settled.get(work.slot()))
                    .map(work -> TileWorker.run(all.value(), work))
                    .collect()
                    .stream()
                    .map(each -> Utils.<TileWorker.Done>deserialize(each, TileWorker.Done.class.getClassLoader()))
                    .toList();
        } finally {
            spark.setJobDescription(null);
        }
        Set<Integer> elsewhere = done.stream()
                .filter(each -> each.lost() != null && !each.location().equals(locations.get(each.slot())))
                .map(TileWorker.Done::slot)
                .collect(Collectors.toSet());
        done.stream().filter(each -> each.lost() == null).forEach(each -> {
            locations.put(each.slot(), each.location());
            counts.note(each);
        });
        done.stream()
                .filter(each -> each.failure() != null)
                .min(Comparator.comparing(TileWorker.Done::failedAt))
                .ifPresent(each -> {
                    throw each.failure();
                });
        lost = done.stream().map(TileWorker.Done::lost).filter(Objects::nonNull).toList();
        return works.stream().filter(work -> elsewhere.contains(work.slot())).toList();
    }

    /** A partition for each element, with an executor that it prefers, or null. */
    private <E> JavaRDD<byte[]> located(List<E> all, Function<E, byte[]> content, Function<E, String> location) {
        List<Tuple2<byte[], Seq<String>>> located = all.stream()
                .map(each -> {
                    String place = location.apply(each);
                    List<String> preferred = place == null ? List.of() : List.of(place);
                    return new Tuple2<>(
                            content.apply(each),
                            CollectionConverters.asScala(preferred).toSeq());
                })
                .toList();
        ClassTag<byte[]> tag = scala.reflect.ClassTag$.MODULE$.apply(byte[].class);
        return JavaRDD.fromRDD(
                spark.sc().makeRDD(CollectionConverters.asScala(located).toSeq(), tag), tag);
    }

    /**
     * The slots that stay where their tiles are. Those of a lost executor went to others, which have more than their share once it is replaced: then some
     * slots may go anywhere.
     */
    static Map<Integer, String> settled(Map<Integer, String> locations, int slots, int executors) {
        int share = (slots + executors - 1) / executors;
        Map<String, Integer> counts = new HashMap<>();
        Map<Integer, String> settled = new HashMap<>();
        new TreeMap<>(locations).forEach((slot, location) -> {
            if (counts.merge(location, 1, Integer::sum) <= share) {
                settled.put(slot, location);
            }
        });
        return settled;
    }

    /** By default, when the expected time is up, and a checkpoint takes less than a fifth of it. */
    private boolean checkpointIsDue() {
        double since = now() - lastCheckpoint;
        if (settings.checkpoint != null) {
            return since >= settings.checkpoint.toMillis() / 1e3;
        }
        double each = counts.checkpointSeconds().orElse(tableBytes() / slots.count() / CHECKPOINT_SPEED);
        return since >= Math.max(10, Math.max(5 * each, counts.expectedSeconds() / MAX_CHECKPOINTS));
    }

    private double tableBytes() {
        return Math.pow(form.problem().side(), 2) * form.problem().bytes();
    }

    private void checkpoint() {
        if (onGpus) {
            // the time of a checkpoint is not that of the last products
            submitNothing("products before a checkpoint");
            if (!lost.isEmpty()) {
                return;
            }
        }
        double start = now();
        int wave = manifest.done();
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
        written.forEach((tile, last) -> bySlot.computeIfAbsent(slots.of(tile), slot -> new ArrayList<>())
                .add(new TileWorker.Saved(tile, last)));
        List<TileWorker.Work> works = new ArrayList<>();
        bySlot.forEach((slot, saved) ->
                works.add(new TileWorker.Work(slot, manifest.checkpoint(), before(slot), List.of(), saved, wave)));
        submit("checkpoint after wave %,d of %,d".formatted(wave + 1, counts.waves()), works);
        if (!lost.isEmpty()) {
            return;
        }
        losses = 0;
        TileManifest.mustBeIn(store, settings.folder);
        manifest = new TileManifest(settings.ofTiles(), wave, wave);
        write();
        // whatever there is: another attempt may have left some
        deleteAll(TileWorker.CHECKPOINTS, number -> number != wave);
        deleteAll(Step.Panel.FOLDER, number -> !needed.get(number));
        counts.saved(now() - start);
        lastCheckpoint = now();
    }

    private void progress() {
        if (now() - told >= PROGRESS_SECONDS) {
            told = now();
            notes.accept(counts.soFar());
        }
    }

    /**
     * The number of tiles per side of a large tile for this many cores: the smallest waves still have work for all, and the tiles that the cores of
     * an executor need at a time fit its memory. At most {@value #MAX_PARTS}.
     *
     * @param cores of all executors
     * @param ofExecutor cores of each
     * @param memory as in {@link Settings}
     */
    public static int parts(TiledProblem<?> problem, int cores, int ofExecutor, long memory) {
        int parts = MAX_PARTS;
        while (parts > 1
                && (problem.side() < parts * WAVE * Math.sqrt(cores) || !fit(problem, parts, ofExecutor, memory))) {
            parts /= 2;
        }
        return parts;
    }

    /** Whether several GPUs can compute a table together. */
    public static boolean canShare(Pattern pattern) {
        return pattern == Pattern.CLOSURE || pattern == Pattern.ELIMINATION;
    }

    /**
     * The bytes that each of several GPUs needs for its share of a table.
     *
     * @param parts as in {@link Settings}
     */
    public static long gpuBytes(TiledProblem<?> problem, int parts, int gpus) {
        return DevicePartition.bytes(problem, parts, new Slots(gpus).most(Grid.tiles(problem.side(), parts)));
    }

    /** Whether the tiles that the cores of an executor need at a time fit its memory. Tiles that are not large are taken to fit. */
    public static boolean fit(TiledProblem<?> problem, int parts, int ofExecutor, long memory) {
        return parts == 1 || atATime(problem, parts, ofExecutor) <= memory;
    }

    /** The bytes of the tiles that the cores of an executor need at a time. */
    public static double atATime(TiledProblem<?> problem, int parts, int ofExecutor) {
        return (double) parts * parts * problem.bytes() * AT_A_TIME * ofExecutor;
    }

    /** Frees the executors' memory and disk. */
    private void drop() {
        String run = shared.value().run();
        if (!locations.isEmpty()) {
            located(new ArrayList<>(locations.keySet()), slot -> new byte[0], locations::get)
                    .foreach(slot -> {
                        TileCache.drop(run);
                        LevelWorker.drop(run);
                        ShareWorker.drop(run);
                    });
        }
    }

    /** How far the run is. */
    String soFar() {
        return counts.soFar();
    }

    /** Counters for the report. */
    public Map<String, Object> report() {
        return counts.report();
    }
}
