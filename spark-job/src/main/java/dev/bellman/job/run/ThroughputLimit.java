package dev.bellman.job.run;

import dev.bellman.GpuSide;
import dev.bellman.columns.GpuOfTask;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * The throughput that the machine would reach if only a single component took time.
 *
 * @param of the name of the component that limits the throughput
 * @param cellsPerSecond the limit; 0 if the functions of the run do not count cells
 * @param share the fraction of the limit that the run reached, from 0 to 1
 */
record ThroughputLimit(String of, double cellsPerSecond, double share) {
    /**
     * The minimum duration of a run and of its computation, in seconds. A shorter run is not representative: it spends
     * most of its time starting up, and the JVM has not compiled the code yet.
     */
    private static final double MIN_SECONDS = 10;

    /**
     * Returns the limit for a run whose functions all ran on the same engine; empty if the run was short, or if the
     * limit is unknown.
     *
     * @param seconds the number of seconds that were spent on solving
     * @param machine the description of the machine in a report
     */
    static Optional<ThroughputLimit> of(
            Job job, Outcome outcome, double seconds, Map<String, Object> machine, SparkContext context) {
        if (outcome.rowsIn() == 0 || seconds < MIN_SECONDS) {
            return Optional.empty();
        }
        double cellsPerSecond = outcome.cells() / seconds;
        if (outcome.engines().values().stream().allMatch(Engine.CPU::equals)) {
            return ofCores(
                    (Integer) machine.get("cores"),
                    ((Number) machine.get("coreUtilization")).doubleValue(),
                    ((Number) machine.get("cpuShareOfBusyTime")).doubleValue(),
                    seconds,
                    cellsPerSecond);
        }
        // if distances have a limit, functions may skip cells
        boolean everyCell = job.find(JobKeys.MAX_DISTANCE).isEmpty()
                && !job.get(JobKeys.PARAMETERS).containsKey("max");
        return everyCell && outcome.engines().values().stream().allMatch(Engine.GPU::equals)
                ? ofGpus(context, outcome.engines().keySet(), cellsPerSecond)
                : Optional.empty();
    }

    /**
     * Returns the limit for a run on the CPU: the throughput if all cores computed without pause. Empty if the cores
     * computed for only a few seconds each.
     *
     * @param busy the fraction of the time during which a core has a task
     * @param computing the fraction of that time during which the core computes
     */
    static Optional<ThroughputLimit> ofCores(
            int cores, double busy, double computing, double seconds, double cellsPerSecond) {
        double share = Math.min(1, busy * computing);
        return share * seconds < MIN_SECONDS
                ? Optional.empty()
                : Optional.of(new ThroughputLimit(
                        cores == 1 ? "1 fully utilized core" : cores + " fully utilized cores",
                        cellsPerSecond / share,
                        share));
    }

    /**
     * Returns the throughput limit that the GPUs' arithmetic units impose on a run that computes every cell; empty if
     * the number of operations per cell is unknown for a function.
     *
     * @param operations the number of operations per second of all GPUs together
     */
    static Optional<ThroughputLimit> ofGpus(
            String name, int gpus, double operations, Collection<String> functions, double cellsPerSecond) {
        // all functions count the same cells
        OptionalDouble perCell = functions.stream()
                .map(GpuCeiling::operationsPerCell)
                .mapToDouble(known -> known.orElse(Double.NaN))
                .average();
        if (perCell.isEmpty() || Double.isNaN(perCell.getAsDouble()) || cellsPerSecond == 0) {
            return Optional.empty();
        }
        double most = operations / perCell.getAsDouble();
        return Optional.of(new ThroughputLimit(
                "the arithmetic units of %d x %s".formatted(gpus, name), most, Math.min(1, cellsPerSecond / most)));
    }

    /**
     * Asks one executor for the model of its GPU; all GPUs of a run are assumed to be the same model. Empty on failure,
     * because a report must not make a run fail.
     */
    private static Optional<ThroughputLimit> ofGpus(
            SparkContext context, Collection<String> functions, double cellsPerSecond) {
        // Spark's list of executors also contains the driver
        int gpus = Math.max(1, context.statusTracker().getExecutorInfos().length - 1);
        try {
            Tuple2<String, Double> found = JavaSparkContext.fromSparkContext(context)
                    .parallelize(List.of(0), 1)
                    .map(task -> {
                        GpuOfTask gpu = GpuSide.get(GpuOfTask.class);
                        return new Tuple2<>(gpu.name(), gpu.operationsPerSecond());
                    })
                    .first();
            return ofGpus(found._1(), gpus, gpus * found._2(), functions, cellsPerSecond);
        } catch (Exception | LinkageError e) {
            return Optional.empty();
        }
    }

    Map<String, Object> describe() {
        return Map.of("of", of, "cellsPerSecond", cellsPerSecond, "share", share);
    }

    /** Returns a string such as {@code 43% of the peak throughput of 4 fully utilized cores}. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                share < 0.1 ? "%.2g%% of the peak throughput of %s" : "%.0f%% of the peak throughput of %s",
                100 * share,
                of);
    }
}
