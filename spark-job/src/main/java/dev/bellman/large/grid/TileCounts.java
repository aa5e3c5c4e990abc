package dev.bellman.large.grid;

import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.TileSparsity;
import java.time.LocalTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Counts the work of a {@link TileRun}, and determines its progress. */
final class TileCounts {
    /** The maximum number of checkpoints during the expected time, if no interval between checkpoints is set. */
    private static final double MAX_CHECKPOINTS = 20;

    /** The bytes per second that each slot is assumed to write to a checkpoint until one has been measured. */
    private static final double CHECKPOINT_SPEED = 1e9;

    private final LargeTiles<?> form;
    private final TileSettings settings;
    private final int slots;
    private final boolean onGpus;
    private final int waves;
    private final int rounds;
    private final double operations;
    /** The number of tasks that a table without empty tiles would have. */
    private final long allTasks;

    private final Map<String, Share> shares = new LinkedHashMap<>();

    /** For each slot, the amounts in {@link TileWorker.Done#moved} that its last task returned. */
    private final Map<Integer, Map<String, Double>> moved = new LinkedHashMap<>();

    /** The number of operations in waves that have finished, in this run or in an earlier one. */
    private double doneOperations;

    private double keptOperations;
    private int doneWaves;
    private double computing;
    private double seconds;
    private double loadSeconds;
    private double checkpointSeconds;
    private long checkpoints;
    private long submitted;

    /** The work that an executor has done. */
    private record Share(double operations, long panels, long panelBytes, long bytes, long again, long spills) {
        Share plus(Share other) {
            return new Share(
                    operations + other.operations,
                    panels + other.panels,
                    panelBytes + other.panelBytes,
                    bytes + other.bytes,
                    again + other.again,
                    spills + other.spills);
        }
    }

    /** @param onGpus whether the tiles are on several GPUs */
    TileCounts(LargeTiles<?> form, TileSettings settings, int slots, boolean onGpus) {
        this.form = form;
        this.settings = settings;
        this.slots = slots;
        this.onGpus = onGpus;
        int[] counts = {0, 0};
        long[] tasks = {0};
        double[] all = {0};
        Step.run(form, (wave, steps) -> {
            counts[0] = wave + 1;
            counts[1] += beginsRound(steps);
            tasks[0] += steps.size();
            all[0] += operations(steps);
        });
        waves = counts[0];
        rounds = counts[1];
        allTasks = form.fill().map(TileSparsity::allTasks).orElse(tasks[0]);
        operations = all[0];
    }

    /** Returns the number of waves that the table has. */
    int waves() {
        return waves;
    }

    /** Returns how many of the waves of these steps begin a round. */
    int beginsRound(List<Step> steps) {
        return (int) steps.stream()
                .filter(step -> form.problem().pattern().beginsRound(step.task().kernel()))
                .mapToInt(Step::wave)
                .distinct()
                .count();
    }

    private double operations(List<Step> steps) {
        return steps.stream().mapToDouble(step -> form.operations(step.task())).sum();
    }

    /** Counts all waves up to this one as finished in an earlier run. */
    void keep(int wave) {
        Step.run(form, (number, steps) -> keptOperations += number <= wave ? operations(steps) : 0);
        doneOperations = keptOperations;
    }

    /** Resets the counts for finished waves. */
    void beginAgain() {
        doneWaves = 0;
        doneOperations = 0;
    }

    /** Counts a step that is being sent to a Spark task. */
    void submitted() {
        submitted++;
    }

    /** Counts the waves of these steps as finished. */
    void done(List<Step> steps) {
        doneWaves += (int) steps.stream().mapToInt(Step::wave).distinct().count();
        doneOperations += operations(steps);
    }

    /** Sets the total time of all waves so far. */
    void ran(double seconds) {
        this.seconds = seconds;
    }

    /** Adds the time for copying the table to the GPUs. */
    void loaded(double seconds) {
        loadSeconds += seconds;
    }

    void saved(double seconds) {
        checkpoints++;
        checkpointSeconds += seconds;
    }

    /**
     * Whether the interval between checkpoints has passed. The default interval is a twentieth of the expected time,
     * but at least ten seconds and at least five times the duration of a checkpoint.
     *
     * @param since the seconds since the last checkpoint
     */
    boolean checkpointIsDue(double since) {
        if (settings.checkpoint() != null) {
            return since >= settings.checkpoint().toMillis() / 1e3;
        }
        double bytes = Math.pow(form.problem().side(), 2) * form.problem().bytes();
        double each = checkpoints > 0 ? checkpointSeconds / checkpoints : bytes / slots / CHECKPOINT_SPEED;
        double expected = seconds * operations / (doneOperations - keptOperations);
        return since >= Math.max(10, Math.max(5 * each, expected / MAX_CHECKPOINTS));
    }

    /** Adds the work that a task has done. */
    void note(TileWorker.Done done) {
        computing += done.seconds();
        shares.merge(
                done.location(),
                new Share(
                        done.operations(), done.panels(), done.panelBytes(), done.bytes(), done.again(), done.spills()),
                Share::plus);
        moved.put(done.slot(), done.moved());
    }

    /** Describes the run's progress. */
    String soFar() {
        double left = (operations - doneOperations) / rate();
        return String.format(
                Locale.ROOT,
                "%,d of %,d waves, %,.1f G operations/s%s, about %,.0f s left, until %tT",
                doneWaves,
                waves,
                rate() / 1e9,
                onGpus
                        ? ""
                        : String.format(Locale.ROOT, ", %.0f%% of the peak throughput of %s", 100 * share(), limit()),
                left,
                LocalTime.now().plusSeconds((long) left));
    }

    /** Returns how many operations per second this run performs. */
    private double rate() {
        return (doneOperations - keptOperations) / seconds;
    }

    private String limit() {
        if (settings.gpu() != null) {
            return "a fully utilized GPU";
        }
        return slots == 1 ? "1 fully utilized core" : slots + " fully utilized cores";
    }

    /** Returns the fraction of the time during which the GPU or, on average, a core computes. */
    private double share() {
        return Math.min(1, computing / (slots * seconds));
    }

    Map<String, Object> report() {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("largeTiles", form.side());
        report.put("edge", form.edge());
        report.put("slots", slots);
        report.put("rounds", rounds);
        report.put("waves", waves);
        report.put("tileKernels", Map.of("run", submitted, "all", allTasks, "share", (double) submitted / allTasks));
        double done = doneOperations - keptOperations;
        report.put("operations", done);
        double bytesOfCell = form.problem().bytes() / Math.pow(form.problem().edge(), 2);
        report.put("bytes", shares.values().stream().mapToLong(Share::bytes).sum());
        if (settings.gpu() == null) {
            report.putAll(minimum(done, settings.memory()));
        } else {
            report.put("loadSeconds", loadSeconds);
            if (onGpus) {
                report.put("panels", panelSeconds());
            } else {
                report.put("levels", levels(done));
            }
        }
        report.put("checkpoints", checkpoints);
        report.put("checkpointSeconds", checkpointSeconds);
        report.put("seconds", seconds);
        if (done > 0 && !onGpus) {
            report.put(
                    "throughputLimit",
                    Map.of("of", limit(), "operationsPerSecond", rate() / share(), "share", share()));
        }
        Map<String, Object> executors = new LinkedHashMap<>();
        shares.forEach((location, share) -> {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("operations", share.operations);
            each.put("words", share.panelBytes / bytesOfCell);
            each.put("messages", share.panels);
            each.put("bytes", share.bytes);
            each.put("stepsRunAgain", share.again);
            each.put("tilesSpilled", share.spills);
            executors.put(location, each);
        });
        report.put("executors", executors);
        if (!shares.isEmpty()) {
            report.put("bounds", bounds(shares.size()));
        }
        return report;
    }

    /**
     * Returns lower bounds on the number of bytes that move into and out of a memory. The first bound is the order of
     * magnitude from theorem 1 of the paper that {@link TileRun} cites. The second bound is twice as large, and applies
     * to any schedule; it is that of matrix multiplication with the same number of operations.
     */
    private Map<String, Object> minimum(double done, long memory) {
        int bytes =
                settings.gpu() == null ? form.problem().bytes() : form.problem().bytesOnGpu();
        double bytesOfCell = bytes / Math.pow(form.problem().edge(), 2);
        double theorem = done / Math.sqrt(memory / bytesOfCell) * bytesOfCell;
        Map<String, Object> minimum = new LinkedHashMap<>();
        minimum.put("bytesOfTheorem1", theorem);
        minimum.put("minBytes", 2 * theorem);
        return minimum;
    }

    /**
     * Returns how many seconds the tasks of a GPU spent on reading and writing panels; each number is the maximum over
     * all slots.
     */
    private Map<String, Double> panelSeconds() {
        Map<String, Double> most = new LinkedHashMap<>();
        moved.values().forEach(slot -> slot.forEach((what, taken) -> most.merge(what, taken, Math::max)));
        return most;
    }

    /**
     * Returns the numbers of bytes that moved into and out of GPU memory and files, with lower bounds. The lower bounds
     * do not apply to a memory that holds the whole table, which needs to read the table only once.
     */
    private Map<String, Object> levels(double done) {
        Map<String, Double> all = moved.getOrDefault(0, Map.of());
        Map<String, Object> levels = new LinkedHashMap<>();
        Map<String, Object> ofGpu = new LinkedHashMap<>();
        ofGpu.put("memory", settings.gpu().memory());
        ofGpu.put("bytesUp", all.get(LevelTable.TO_GPU));
        ofGpu.put("bytesDown", all.get(LevelTable.FROM_GPU));
        ofGpu.putAll(minimum(done, settings.gpu().memory()));
        levels.put("gpu", ofGpu);
        Map<String, Object> ofDisk = new LinkedHashMap<>();
        ofDisk.put("memory", settings.memory());
        ofDisk.put("bytesRead", all.get(LevelTable.FROM_DISK));
        ofDisk.put("bytesWritten", all.get(LevelTable.TO_DISK));
        ofDisk.put("secondsReading", all.get(LevelTable.READING));
        ofDisk.put("secondsWriting", all.get(LevelTable.WRITING));
        for (String speed : List.of(LevelTable.READ_SPEED, LevelTable.WRITE_SPEED)) {
            if (all.containsKey(speed)) {
                ofDisk.put(speed, all.get(speed));
            }
        }
        ofDisk.putAll(minimum(done, settings.gpu().memory() + settings.memory()));
        levels.put("disk", ofDisk);
        return levels;
    }

    /**
     * Returns the bounds from section 4 of the paper that {@link TileRun} cites for this number of nodes. The number of
     * operations, words and messages of each node is at least on the order of these bounds. For words and messages, the
     * paper's algorithms exceed the bounds by a factor that is the logarithm of the number of nodes.
     */
    private Map<String, Object> bounds(int nodes) {
        double cells = Math.pow((double) form.problem().side() * form.problem().edge(), 2);
        Map<String, Object> bounds = new LinkedHashMap<>();
        bounds.put("nodes", nodes);
        bounds.put("operations", operations / nodes);
        bounds.put("words", cells / Math.sqrt(nodes));
        bounds.put("messages", Math.sqrt(nodes));
        return bounds;
    }
}
