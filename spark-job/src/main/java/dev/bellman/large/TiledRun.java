package dev.bellman.large;

import dev.bellman.columns.TaskMemory;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.progress.Quantity;
import dev.bellman.job.report.Provenance;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.JobKind;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.grid.TileRun;
import dev.bellman.large.grid.TileSettings;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Runs a job on one instance whose table is computed in tiles: on a GPU if one is available and the table is large
 * enough, and otherwise on the executors. A single task extracts the results from the tiles. The results form one row.
 */
final class TiledRun extends SingleInstanceJob<TiledRun.Work<?>> {
    /**
     * The size of all files, as a multiple of the size of the table: the checkpoint that is being written, the previous
     * checkpoint, and the panels in use. Each of these is at most as large as the table.
     */
    private static final int TABLES_IN_FILES = 3;

    private static final String GIVEN = "given";

    /**
     * The minimum number of rows of a table for which a GPU is faster than the executors, even though its kernels must
     * be loaded.
     */
    private static final int MIN_GPU_ROWS = 4_096;

    private final TiledKind kind;
    private final Map<String, Object> solution = new LinkedHashMap<>();
    /** The maximum number of bytes that tiles may occupy in GPU memory. */
    private long gpu;

    TiledRun(JobKind.Request request, TiledKind kind) {
        super(request);
        this.kind = kind;
    }

    /** The instance, and whether its table is computed on a GPU. */
    record Work<T>(TiledInstance<T> instance, Engine engine) {
        String where() {
            return engine == Engine.GPU ? "large tiles in GPU memory, host memory and files" : "tiles on the executors";
        }
    }

    @Override
    Work<?> work() {
        boolean gpuOnly = job.get(JobKeys.ENGINE) == Engine.GPU;
        gpu = placement.gpuMemory(gpuMemory(kind.gpuMemory()));
        if (gpuOnly && gpu == 0) {
            throw notOnGpu("the GPU has too little shared memory for %s"
                    .formatted(kind.problem().name()));
        }
        TiledInstance<?> instance = kind.instance(spark, job, this::note);
        boolean large = (long) instance.tiles().side() * instance.tiles().edge() >= MIN_GPU_ROWS;
        return new Work<>(instance, gpu > 0 && (gpuOnly || large) ? Engine.GPU : Engine.CPU);
    }

    @Override
    boolean usesTiles(Work<?> work) {
        return true;
    }

    @Override
    StructType schema(Work<?> work) {
        StructType all = work.instance().results();
        return new StructType(job.get(JobKeys.RESULTS).stream().map(all::apply).toArray(StructField[]::new));
    }

    @Override
    String size(Work<?> work) {
        long bytes = bytes(work.instance().tiles());
        return String.format(
                Locale.ROOT,
                "%s; a table of %s in %s; up to %s in temporary files next to the output",
                work.instance().words(),
                Quantity.bytes(bytes),
                work.where(),
                Quantity.bytes((work.instance().isGiven() ? TABLES_IN_FILES + 1 : TABLES_IN_FILES) * bytes));
    }

    private static long bytes(TiledProblem<?> problem) {
        int side = problem.side();
        return problem.bytes()
                * IntStream.range(0, side)
                        .mapToLong(row -> IntStream.range(0, side)
                                .filter(column -> problem.has(new Tile(row, column)))
                                .count())
                        .sum();
    }

    @Override
    long solve(Work<?> work, Provenance provenance, StagedOutput output) {
        InternalRow row = solved(work, provenance, output);
        return phases.time("write", () -> write(work, context.parallelize(List.of(row), 1), output));
    }

    private <T> InternalRow solved(Work<T> work, Provenance provenance, StagedOutput output) {
        TiledInstance<T> read = work.instance();
        TileSettings settings = work.engine() == Engine.GPU
                ? placement.settings(read.tiles(), provenance, output, gpu)
                : placement.settings(read.tiles(), provenance, output);
        TiledInstance<T> instance = read.isGiven() ? phases.time("load", () -> load(read, settings)) : read;
        TileFolder<T> table = phases.time("tiles", () -> {
            TileRun<T> run =
                    new TileRun<>(context, instance.tiles(), settings, read.isGiven() ? GIVEN : null, this::note);
            TileFolder<T> finished = run.run();
            solution.put("tiles", run.report());
            return finished;
        });
        return phases.time("solve", () -> {
            Broadcast<TiledInstance<T>> shared = context.broadcast(instance);
            Broadcast<TileFolder<T>> folder = context.broadcast(table);
            List<String> results = List.copyOf(job.get(JobKeys.RESULTS));
            // no other task is running, and the tiles of the run are no longer in memory
            long memory = placement.memory();
            return context.parallelize(List.of(0), 1)
                    .map(task -> (InternalRow) new GenericInternalRow(shared.value()
                            .solve(folder.value().reader(Math.min(memory, TaskMemory.ofAllTasks() / 2)), results)
                            .toArray()))
                    .first();
        });
    }

    private <T> TiledInstance<T> load(TiledInstance<T> read, TileSettings settings) {
        TileFolder<T> given = new TileFolder<>(read.tiles(), settings.parts(), settings.folder(), GIVEN, hadoop());
        return read.with(loaded(given, settings, () -> read.load(context, given)));
    }

    @Override
    Map<String, Object> report(Work<?> work) {
        Map<String, Object> report = new LinkedHashMap<>(work.instance().report());
        report.put("engine", work.engine().toString());
        report.putAll(solution);
        return report;
    }

    @Override
    String summary(Work<?> work) {
        return String.format(
                Locale.ROOT,
                "%s of %s in %.2f s",
                String.join(", ", job.get(JobKeys.RESULTS)),
                work.instance().words(),
                Stream.of("load", "tiles", "solve").mapToDouble(phases::of).sum());
    }
}
