package dev.bellman.large;

import dev.bellman.BellmanException;
import dev.bellman.GpuSide;
import dev.bellman.Strategies;
import dev.bellman.columns.TaskMemory;
import dev.bellman.graph.Graph;
import dev.bellman.graph.GraphFunctions;
import dev.bellman.graph.PathTiles;
import dev.bellman.graph.ShortestPaths;
import dev.bellman.graph.ShortestPaths.Strategy;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.progress.Quantity;
import dev.bellman.job.report.Provenance;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.JobKind;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.grid.TileManifest;
import dev.bellman.large.grid.TileRun;
import dev.bellman.large.grid.TileSettings;
import dev.bellman.large.levels.LevelSizes;
import dev.bellman.large.tiles.TileSparsity;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.LongAccumulator;

/** Runs a job that finds the shortest paths in a single graph. */
final class GraphRun extends SingleInstanceJob<GraphRun.Work> {
    /**
     * The number of tasks per core unless the job sets it. Some tasks are slower than others, so several tasks per core
     * balance the load.
     */
    private static final int TASKS = 4;

    /**
     * The maximum number of large tiles on each side of a table that a single task copies. The task keeps one row of
     * large tiles in memory.
     */
    private static final int MAX_COPIED = 128;

    /** The report on the tiles, if the table was solved in tiles. */
    private Optional<Map<String, Object>> tileReport = Optional.empty();

    /** The maximum number of bytes that a table, or its tiles, may occupy in GPU memory. */
    private long gpu;

    GraphRun(JobKind.Request request) {
        super(request);
    }

    /**
     * The graph, and the plan for solving it.
     *
     * @param tiles the tiles from which tasks write the paths; unless the plan is {@link ShortestPaths.Plan#shared},
     *     these are also the tiles in which the executors solve the table
     */
    record Work(GraphInput.Network network, int[] sources, ShortestPaths.Plan plan, Optional<PathTiles<?>> tiles) {
        Graph graph() {
            return network.graph();
        }

        long pairs() {
            return (long) sources.length * graph().nodes();
        }

        Engine engine() {
            return plan.onGpu() ? Engine.GPU : Engine.CPU;
        }

        String how() {
            return "strategy %s on the %s%s%s%s"
                    .formatted(
                            Strategies.name(plan.strategy()),
                            engine(),
                            tiles.isEmpty() || plan.shared()
                                    ? ""
                                    : plan.largeTiles()
                                            ? ", in large tiles in GPU memory, host memory and files, or in the "
                                                    + "memory of several GPUs"
                                            : ", in tiles on the executors",
                            plan.order() == null ? "" : sparseTiles(plan.order().fill()),
                            tiles.isPresent() && plan.shared() ? "; several tasks write the paths" : "");
        }

        private static String sparseTiles(TileSparsity fill) {
            return String.format(
                    Locale.ROOT,
                    ", with nested dissection, which runs %,d of %,d tile kernels (%.1f%%)",
                    fill.tasks(),
                    fill.allTasks(),
                    100.0 * fill.tasks() / fill.allTasks());
        }
    }

    @Override
    StructType schema(Work work) {
        return GraphPaths.schema(work.network(), job.get(JobKeys.RESULTS));
    }

    @Override
    boolean usesTiles(Work work) {
        return work.tiles().isPresent();
    }

    @Override
    String summary(Work work) {
        return String.format(
                Locale.ROOT,
                "at most %,d paths in %.2f s, %s",
                work.pairs(),
                phases.of("tiles") + phases.of("solve") + phases.of("write"),
                work.how());
    }

    @Override
    Work work() {
        boolean gpuOnly = job.get(JobKeys.ENGINE) == Engine.GPU;
        gpu = placement.gpuMemory(gpuMemory(row -> ShortestPaths.gpuMemory()));
        GraphInput.Network network = GraphInput.read(spark, job, this::note);
        Graph graph = network.graph();
        int[] sources = sources(network);
        boolean next = GraphPaths.needNext(job.get(JobKeys.RESULTS));
        Strategy asked =
                GraphFunctions.ALL_PAIRS.strategy(job.find(JobKeys.STRATEGY).orElse("auto"));
        boolean canBeTiled = PathTiles.fits(graph, next);
        long heap = canBeTiled ? Math.min(TaskMemory.bytes(), placement.memory()) : TaskMemory.bytes();
        ShortestPaths.Machine machine = new ShortestPaths.Machine(
                heap, canBeTiled, gpu, canBeTiled ? gpus(graph, next) : 1, context.defaultParallelism());
        ShortestPaths.Plan plan = ShortestPaths.plan(graph, asked, sources.length, next, machine, gpuOnly);
        if (plan.largeTiles()) {
            return new Work(network, sources, plan, Optional.of(PathTiles.of(graph, next)));
        }
        if (plan.onGpu() && machine.gpus() > 1) {
            note("one of the %,d GPUs computes the table; computing it on all of them would not be faster"
                    .formatted(machine.gpus()));
        }
        if (canBeTiled
                && plan.strategy() == Strategy.BLOCKED
                && !plan.onGpu()
                && !gpuOnly
                && ShortestPaths.tableBytes(graph, next) > heap) {
            return new Work(network, sources, plan, Optional.of(PathTiles.of(graph, next)));
        }
        boolean treesInHeap = next && graph.hasDoubles();
        if (plan.hasTable() && (!plan.onGpu() && !gpuOnly || treesInHeap)) {
            TaskMemory.take(
                    GraphFunctions.ALL_PAIRS.name(),
                    (long) ShortestPaths.tableBytes(graph, next),
                    Double.isFinite(plan.sparseSeconds()) ? "strategy: johnson (which needs no table), " : "",
                    () -> "the table for %,d x %,d vertices".formatted(graph.nodes(), graph.nodes()));
        }
        if (gpuOnly && !plan.onGpu()) {
            throw notOnGpu(graph, asked, next, machine);
        }
        Optional<PathTiles<?>> tiles = plan.shared() ? Optional.of(PathTiles.of(graph, next)) : Optional.empty();
        return new Work(network, sources, plan, tiles);
    }

    private int gpus(Graph graph, boolean next) {
        PathTiles<?> tiles = PathTiles.of(graph, next);
        return placement.gpus(tiles, LevelSizes.partsOfShares(tiles), gpu);
    }

    private static BellmanException notOnGpu(Graph graph, Strategy asked, boolean next, ShortestPaths.Machine machine) {
        double bytes = ShortestPaths.gpuBytes(graph, asked, next);
        if (asked == Strategy.DIJKSTRA || asked == Strategy.JOHNSON) {
            return notOnGpu("the strategy %s runs only on the CPU".formatted(Strategies.name(asked)));
        }
        if (Double.isInfinite(bytes)) {
            return notOnGpu("the weights are too large, or there are too many vertices, for a table on a GPU");
        }
        return notOnGpu(String.format(
                Locale.ROOT,
                "the table for %,d x %,d vertices takes %,.0f bytes of GPU memory; the limit is %,d (%s; by default "
                        + "three quarters of RAPIDS' pool)",
                graph.nodes(),
                graph.nodes(),
                bytes,
                machine.gpu(),
                GpuSide.MEMORY));
    }

    /** Returns the maximum number of bytes that paths may occupy in the memory of a task that writes them. */
    private static long rowMemory() {
        return TaskMemory.bytes() / 4;
    }

    /** Returns the source vertices; these are all vertices if the job does not list any. */
    private int[] sources(GraphInput.Network network) {
        return job.find(GraphKind.SOURCES)
                .filter(wanted -> !wanted.isEmpty())
                .map(wanted -> network.vertices(spark, wanted))
                .orElseGet(() -> IntStream.range(0, network.graph().nodes()).toArray());
    }

    @Override
    String size(Work work) {
        List<String> results = job.get(JobKeys.RESULTS);
        long each = 2L * Long.BYTES
                + (results.contains(GraphPaths.NEXT) ? Long.BYTES : 0)
                + (results.contains(GraphPaths.PREVIOUS) ? Long.BYTES : 0)
                + (results.contains(GraphPaths.HOPS) ? Integer.BYTES : 0);
        return String.format(
                Locale.ROOT,
                "%,d vertices, %,d edges; %,d source vertices; up to %,d paths, about %s before compression; %s",
                work.graph().nodes(),
                work.graph().edges(),
                work.sources().length,
                work.pairs(),
                Quantity.bytes(work.pairs() * each),
                work.how());
    }

    @Override
    long solve(Work work, Provenance provenance, StagedOutput output) {
        GraphPaths paths = new GraphPaths(work.plan(), job.get(JobKeys.RESULTS));
        Optional<Integer> wanted = job.find(JobKeys.OUTPUT_PARTITIONS);
        int partitions = wanted.orElse(TASKS * context.defaultParallelism());
        if (work.tiles().isEmpty()) {
            return phases.time(
                    "solve",
                    () -> counted(work, done -> {
                        JavaRDD<InternalRow> rows =
                                paths.rows(context, work.network(), work.sources(), partitions, done);
                        return write(work, rows, output);
                    }));
        }
        JavaRDD<InternalRow> rows = work.plan().shared()
                ? shared(work.tiles().get(), paths, work, provenance, output)
                : inTiles(work.tiles().get(), paths, work, provenance, output);
        return phases.time("write", () -> write(work, wanted.map(rows::coalesce).orElse(rows), output));
    }

    /** Shows the progress of work that is not done in tiles, unless a GPU computes the table. */
    private <R> R counted(Work work, Function<LongAccumulator, R> solve) {
        ShortestPaths.Plan plan = work.plan();
        return plan.hasTable()
                ? counted("relaxations", plan.onGpu() ? 0 : ShortestPaths.relaxations(work.graph(), plan), solve)
                : counted("sources", work.sources().length, solve);
    }

    /**
     * Returns the rows of a table that a single task solves and copies into tiles. If this run continues a run that had
     * already finished the solution, does not solve the table again.
     */
    private <T> JavaRDD<InternalRow> shared(
            PathTiles<T> tiles, GraphPaths paths, Work work, Provenance provenance, StagedOutput output) {
        int parts = Math.max(1, Integer.highestOneBit(2 * (tiles.side() - 1) / MAX_COPIED));
        TileFolder<T> table = new TileFolder<>(tiles, parts, output.tiles(), "solved", hadoop());
        String note = provenance.fingerprint() + "/" + parts;
        Optional<String> solved = table.note();
        if (solved.isPresent() && !solved.get().equals(note)) {
            throw TileManifest.otherTable(output.tiles());
        }
        if (solved.isPresent()) {
            note("the table is already computed; continuing with its tiles");
            return paths.rows(context, work.network(), work.sources(), tiles, table, rowMemory());
        }
        return phases.time("solve", () -> {
            table.clear();
            counted(work, done -> {
                paths.solve(context, work.sources(), tiles, table, done);
                return null;
            });
            table.complete(note);
            return paths.rows(context, work.network(), work.sources(), tiles, table, rowMemory());
        });
    }

    private <T> JavaRDD<InternalRow> inTiles(
            PathTiles<T> tiles, GraphPaths paths, Work work, Provenance provenance, StagedOutput output) {
        TileFolder<T> table = phases.time("tiles", () -> {
            TileSettings settings = work.plan().largeTiles()
                    ? placement.settings(tiles, provenance, output, gpu)
                    : placement.settings(tiles, provenance, output);
            TileRun<T> run = new TileRun<>(context, tiles, settings, this::note);
            int edge = settings.parts() * tiles.edge();
            BitSet rows = new BitSet();
            Arrays.stream(work.sources()).forEach(source -> rows.set(source / edge));
            TileFolder<T> finished = run.run(rows::get);
            tileReport = Optional.of(run.report());
            return finished;
        });
        return paths.rows(context, work.network(), work.sources(), tiles, table, rowMemory());
    }

    @Override
    Map<String, Object> report(Work work) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("vertices", work.graph().nodes());
        report.put("edges", work.graph().edges());
        report.put("sources", work.sources().length);
        report.put("engine", Strategies.name(work.engine()));
        report.put("strategy", Strategies.name(work.plan().strategy()));
        if (work.plan().order() != null) {
            TileSparsity fill = work.plan().order().fill();
            report.put(
                    "tileKernels",
                    Map.of(
                            "run", fill.tasks(),
                            "all", fill.allTasks(),
                            "share", (double) fill.tasks() / fill.allTasks()));
        }
        Map<String, Object> estimates = new LinkedHashMap<>();
        estimates.put("dense", work.plan().denseSeconds());
        if (Double.isFinite(work.plan().sparseSeconds())) {
            estimates.put("sparse", work.plan().sparseSeconds());
        }
        report.put("estimatedSeconds", estimates);
        tileReport.ifPresent(tiles -> report.put("tiles", tiles));
        return report;
    }
}
