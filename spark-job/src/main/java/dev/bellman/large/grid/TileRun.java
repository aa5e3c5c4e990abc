package dev.bellman.large.grid;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.large.tiles.TiledProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Computes a table in rounds. The tiles are spread over the executors. This class implements the distributed algorithm
 * of Javanmard et al., "Toward efficient architecture-independent algorithms for dynamic programs" (2019), on Spark.
 *
 * <p>Tiles are assigned to slots, one per core or GPU, block-cyclically in both directions. Tiles stay on their first
 * executor, in memory or, if memory is full, on disk. Each Spark job runs one or more waves of a round or, on a single
 * GPU, of several rounds; its tasks prefer those executors. Tasks exchange only a round's panels, which other tiles
 * need, through files; on a single GPU, panels stay in its memory. The run uses no shuffle and sends no tile to the
 * driver.
 *
 * <p>After each job, the driver writes a manifest, which commits the job's waves. At intervals, tasks write all tiles
 * as a checkpoint, and the driver deletes panels that no later step needs. To rebuild a tile of a lost executor in a
 * different executor's heap, a task starts from the checkpoint, or from the table's initial content, and repeats the
 * later steps with the same panels. For GPUs, see {@link GpuTiles}. An interrupted run continues in the same way.
 */
public final class TileRun<T> {
    private static final double PROGRESS_SECONDS = 30;

    /** The intended minimum duration of a job on one GPU, in seconds; long compared with Spark's overhead per job. */
    private static final double JOB_SECONDS = 2;

    /** The default limit for losses since a checkpoint. It equals Spark's default limit for failures of a task. */
    private static final int MAX_LOSSES = 4;

    private final JavaSparkContext spark;
    private final TileSettings settings;
    private final Consumer<String> notes;
    private final LargeTiles<T> form;
    private final TileStore store;
    private final String given;
    private final Slots slots;
    /** Whether the tiles are on several GPUs. */
    private final boolean onGpus;
    /** The folder for panels of several GPUs; null unless several GPUs compute the table. */
    private final PanelFolder panels;

    private final TileCounts counts;
    private final SlotTasks<T> tasks;
    /** The last wave in which each slot had steps. */
    private final Map<Integer, Integer> lastWaves = new HashMap<>();

    private int losses;
    private TileManifest manifest;
    /** The minimum number of waves per job on one GPU; it doubles after each job shorter than {@link #JOB_SECONDS}. */
    private int together = 1;

    private double lastCheckpoint;
    private double told;
    /** Whether a row of large tiles is read from the finished table. */
    private IntPredicate isRead = row -> true;

    /**
     * Creates a run, which continues an earlier one if the folder contains that run's manifest.
     *
     * @param notes receives notes about progress
     */
    public TileRun(JavaSparkContext spark, TiledProblem<T> problem, TileSettings settings, Consumer<String> notes) {
        this(spark, problem, settings, null, notes);
    }

    /**
     * Like the other constructor, but for a table whose initial content may already exist as tiles.
     *
     * @param given the name of a {@link TileFolder} in the run's folder, with the same number of parts; null if
     *     {@link TiledProblem#make} creates the table
     */
    public TileRun(
            JavaSparkContext spark,
            TiledProblem<T> problem,
            TileSettings settings,
            String given,
            Consumer<String> notes) {
        this.spark = spark;
        this.settings = settings;
        this.notes = notes;
        this.given = given;
        form = settings.gpu() == null
                ? LargeTiles.withoutEmpty(problem, settings.parts())
                : new LargeTiles<>(problem, settings.parts());
        store = new TileStore(settings.folder(), spark.hadoopConfiguration());
        slots = new Slots(Math.min(
                settings.gpu() == null
                        ? spark.defaultParallelism()
                        : settings.gpu().count(),
                form.side() * form.side()));
        onGpus = settings.gpu() != null && slots.count() > 1;
        panels = onGpus ? new PanelFolder(settings, spark.hadoopConfiguration()) : null;
        counts = new TileCounts(form, settings, slots.count(), onGpus);
        tasks = new SlotTasks<>(spark, slots, this::shared, counts::note);
    }

    private TileWorker.Shared<T> shared() {
        TileSettings.Gpu gpu = settings.gpu();
        return new TileWorker.Shared<>(
                form,
                settings.folder(),
                given,
                new SerializableConfiguration(spark.hadoopConfiguration()),
                settings.memory(),
                gpu == null ? 0 : gpu.memory(),
                gpu == null ? null : gpu.directory(),
                gpu == null ? null : slots,
                onGpus ? panels.path() : null);
    }

    /**
     * Like {@link #run()}, but stores only some rows of large tiles of the finished table.
     *
     * @param rows whether a row is stored; the same for a run that continues this one
     */
    public TileFolder<T> run(IntPredicate rows) {
        isRead = rows;
        return run();
    }

    /** Computes the remaining waves and returns the finished table. */
    public TileFolder<T> run() {
        manifest = TileManifest.read(store, settings);
        if (manifest.done() != Step.NONE) {
            notes.accept("%,d of %,d waves are already finished".formatted(manifest.done() + 1, counts.waves()));
        }
        write();
        if (!onGpus) {
            return compute();
        }
        panels.deleteAll();
        try {
            return compute();
        } finally {
            panels.close();
        }
    }

    private TileFolder<T> compute() {
        lastCheckpoint = now();
        told = now();
        if (settings.gpu() != null && !isFinished()) {
            load();
        }
        double start = now();
        counts.keep(manifest.done());
        while (!isFinished()) {
            runWaves(start);
        }
        counts.ran(now() - start);
        if (onGpus) {
            panels.await();
        }
        tasks.drop();
        return new TileFolder<>(
                form,
                settings.folder(),
                TileWorker.checkpointFolder(manifest.checkpoint()),
                new SerializableConfiguration(spark.hadoopConfiguration()));
    }

    private boolean isFinished() {
        return manifest.checkpoint() == counts.waves() - 1;
    }

    /** Runs all remaining waves, or as many as possible before tiles are lost. */
    private void runWaves(double start) {
        counts.beginAgain();
        List<Step> job = new ArrayList<>();
        Step.run(form, (wave, steps) -> {
            if (tasks.areLost()) {
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
        if (!tasks.areLost() && !job.isEmpty()) {
            run(job, start);
        }
        if (!tasks.areLost() && manifest.checkpoint() != manifest.done()) {
            checkpoint();
        }
        if (tasks.areLost()) {
            goBack();
        }
    }

    /** Restarts all GPUs at the last checkpoint, after some of their tiles were lost. */
    private void goBack() {
        String why = String.join("; ", new TreeSet<>(tasks.lost()));
        losses++;
        if (losses >= spark.getConf().getInt("spark.task.maxFailures", MAX_LOSSES)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    "tiles on a GPU have been lost %d times since the last checkpoint, most recently because %s"
                            .formatted(losses, why));
        }
        notes.accept("tiles on a GPU were lost (%s); all GPUs resume from the last checkpoint".formatted(why));
        if (onGpus) {
            panels.await();
        }
        manifest = new TileManifest(settings.ofTiles(), manifest.checkpoint(), manifest.checkpoint());
        lastWaves.clear();
        tasks.beginAgain();
        load();
    }

    /** Creates the table on the GPUs in advance, so that the time of the waves does not include this step. */
    private void load() {
        double start = now();
        submitNothing("load the table onto the GPU");
        if (onGpus) {
            tasks.mustBeApart();
        }
        counts.loaded(now() - start);
    }

    /** Waits for the tiles of all slots and for their pending computations, without running further steps. */
    private void submitNothing(String description) {
        tasks.submit(
                description,
                IntStream.range(0, slots.count())
                        .mapToObj(slot -> new TileWorker.Work(
                                slot, manifest.checkpoint(), before(slot), List.of(), List.of(), Step.NONE))
                        .toList());
    }

    /**
     * Whether a wave begins a new Spark job. Steps that read no other tile run in the same job as the previous wave,
     * because each slot runs its steps in order. On a single GPU, many waves share a job. Such a job must end at the
     * end of a round, because checkpoints do not contain the data that a round keeps for its later waves.
     */
    private boolean beginsJob(List<Step> wave) {
        if (settings.gpu() != null && !onGpus) {
            return counts.beginsRound(wave) > 0 && wave.get(0).wave() > manifest.done() + together;
        }
        return wave.stream().anyMatch(step -> !step.sources().isEmpty()) || onGpus && checkpointIsDue();
    }

    /**
     * Whether a checkpoint may follow a job. A checkpoint may not follow if the next waves read panels of several GPUs,
     * which are not available to a resumed run.
     */
    private boolean canCheckpoint(List<Step> job) {
        return !onGpus
                || !form.problem()
                        .pattern()
                        .isRead(job.get(job.size() - 1).task().kernel());
    }

    /** Runs one or more waves as a job and commits them. */
    private void run(List<Step> job, double start) {
        submit(job);
        if (tasks.areLost()) {
            return;
        }
        int wave = job.get(job.size() - 1).wave();
        TileManifest.mustBeIn(store, settings.folder());
        if (onGpus) {
            panels.delete(job);
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
        // without panels, a run can only continue from a checkpoint
        TileManifest kept = settings.gpu() == null
                ? manifest
                : new TileManifest(manifest.fingerprint(), manifest.checkpoint(), manifest.checkpoint());
        kept.write(store);
    }

    private void submit(List<Step> steps) {
        Map<Integer, List<Step>> bySlot = new LinkedHashMap<>();
        for (Step step : steps) {
            bySlot.computeIfAbsent(slots.of(step.task().target()), slot -> new ArrayList<>())
                    .add(step);
            counts.submitted();
        }
        List<TileWorker.Work> works = new ArrayList<>();
        bySlot.forEach((slot, own) ->
                works.add(new TileWorker.Work(slot, manifest.checkpoint(), before(slot), own, List.of(), Step.NONE)));
        double start = now();
        tasks.submit(
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
        if (settings.gpu() != null && now() - start < JOB_SECONDS) {
            together *= 2;
        }
        bySlot.forEach(
                (slot, own) -> lastWaves.put(slot, own.get(own.size() - 1).wave()));
    }

    private int before(int slot) {
        return Math.max(manifest.checkpoint(), lastWaves.getOrDefault(slot, Step.NONE));
    }

    private boolean checkpointIsDue() {
        return counts.checkpointIsDue(now() - lastCheckpoint);
    }

    private void checkpoint() {
        if (onGpus) {
            // the time of the last products must not count as time of the checkpoint
            submitNothing("finish the products before a checkpoint");
            if (tasks.areLost()) {
                return;
            }
        }
        double start = now();
        int wave = manifest.done();
        Checkpoint checkpoint =
                Checkpoint.after(wave, form, slots, row -> wave + 1 < counts.waves() || isRead.test(row));
        List<TileWorker.Work> works = new ArrayList<>();
        checkpoint
                .bySlot()
                .forEach((slot, saved) -> works.add(
                        new TileWorker.Work(slot, manifest.checkpoint(), before(slot), List.of(), saved, wave)));
        tasks.submit("checkpoint after wave %,d of %,d".formatted(wave + 1, counts.waves()), works);
        if (tasks.areLost()) {
            return;
        }
        losses = 0;
        TileManifest.mustBeIn(store, settings.folder());
        manifest = new TileManifest(settings.ofTiles(), wave, wave);
        write();
        // delete all other checkpoints, including those of an earlier attempt
        deleteAll(TileWorker.CHECKPOINTS, number -> number != wave);
        deleteAll(Step.Panel.FOLDER, number -> !checkpoint.needed().get(number));
        counts.saved(now() - start);
        lastCheckpoint = now();
    }

    private void progress() {
        if (now() - told >= PROGRESS_SECONDS) {
            told = now();
            notes.accept(counts.soFar());
        }
    }

    /** Describes the progress of the run. */
    String soFar() {
        return counts.soFar();
    }

    /** Returns counters for the report. */
    public Map<String, Object> report() {
        return counts.report();
    }
}
