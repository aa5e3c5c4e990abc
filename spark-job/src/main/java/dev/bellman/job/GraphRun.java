package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.columns.TaskMemory;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.graph.Graph;
import dev.bellman.graph.GraphFunctions;
import dev.bellman.graph.PathTiles;
import dev.bellman.graph.ShortestPaths;
import dev.bellman.graph.ShortestPaths.Strategy;
import dev.bellman.grid.TileRun;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.progress.Quantity;
import dev.bellman.tiles.Fill;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;

/** One run of a job whose input is one graph, and whose results are its shortest paths. */
final class GraphRun {
    private static final String REPORT = "_bellman/report.json";

    /** Tasks per core, as some are slower than others. */
    private static final int TASKS = 4;

    private final Job job;
    private final SparkSession spark;
    private final RuntimeConfig settings;
    private final PrintWriter out;
    private final boolean resume;
    private final Consumer<String> reported;
    private final Phases phases = new Phases();

    /**
     * A run of a job.
     *
     * @param resume whether to continue with the tiles of a run that was cut off
     * @param reported takes the report of a run that is committed
     */
    GraphRun(Job job, SparkSession parent, PrintWriter out, boolean resume, Consumer<String> reported) {
        this.job = job;
        this.resume = resume;
        this.spark = parent.newSession();
        this.settings = parent.conf();
        // the table is the only part for a GPU, and no query of RAPIDS solves it
        spark.conf().set("spark.rapids.sql.enabled", "false");
        this.out = out;
        this.reported = reported;
    }

    /** Whether this class runs the job. */
    static boolean isFor(Job job) {
        return job.get(JobKeys.PROBLEM).equals(GraphFunctions.ALL_PAIRS);
    }

    /** The graph, and what to do with it. */
    private record Work(
            GraphInput.Network network, int[] sources, ShortestPaths.Plan plan, Optional<PathTiles<?>> tiles) {
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
            return "strategy %s on the %s%s%s"
                    .formatted(
                            Strategies.name(plan.strategy()),
                            engine(),
                            tiles.isPresent() ? ", in tiles on the executors" : "",
                            plan.order() == null ? "" : sparseTiles(plan.order().fill()));
        }

        private static String sparseTiles(Fill fill) {
            return String.format(
                    Locale.ROOT,
                    ", by nested dissection: %,d of %,d tile kernels, %.1f%%",
                    fill.tasks(),
                    fill.allTasks(),
                    100.0 * fill.tasks() / fill.allTasks());
        }
    }

    /** Prints what the job would do; reads the graph and does nothing else. */
    void describe() {
        Work work = work();
        out.println("# job");
        out.print(Descriptions.yaml(job.describe()));
        out.println("# output");
        out.println(size(work));
        out.print(Printable.lines(
                GraphPaths.schema(work.network(), job.get(JobKeys.RESULTS)).treeString()));
        out.flush();
    }

    /** Runs the job. */
    ExitCode run() {
        try (StagedOutput output =
                StagedOutput.open(job.get(JobKeys.OUTPUT_PATH), job.get(JobKeys.OUTPUT_MODE), hadoop(), this::note)) {
            if (output.ignored()) {
                note("the output %s exists, nothing done".formatted(output.display()));
                return ExitCode.DONE;
            }
            if (!resume && output.removeTiles()) {
                note("removed %s, which an interrupted run left; --resume would have kept the tiles in it"
                        .formatted(output.tiles()));
            }
            Provenance provenance = Provenance.of(job, spark);
            Work work = phases.time("input", this::work);
            note(size(work));
            String report;
            try {
                Optional<Tiled<?>> tiled =
                        work.tiles().map(tiles -> phases.time("tiles", () -> solve(tiles, provenance, output)));
                long rows = phases.time("solve", () -> write(work, tiled, output));
                report = Descriptions.json(report(work, tiled, rows));
            } catch (Exception | Error e) {
                work.tiles().ifPresent(tiles -> keepTiles(e, output));
                throw e;
            }
            output.write(REPORT, report);
            output.commit();
            reported.accept(report);
            note(String.format(
                    Locale.ROOT,
                    "%,d paths at most in %.2f s, %s",
                    work.pairs(),
                    phases.of("tiles") + phases.of("solve"),
                    work.how()));
            out.println("  results  %s (parquet)".formatted(output.display()));
            out.println("  report   %s/%s".formatted(output.display(), REPORT));
            out.flush();
            return ExitCode.DONE;
        }
    }

    private Configuration hadoop() {
        return spark.sparkContext().hadoopConfiguration();
    }

    private void note(String text) {
        out.println(Printable.text("%s: %s".formatted(job.get(JobKeys.NAME), text)));
        out.flush();
    }

    private Work work() {
        boolean gpuOnly = job.get(JobKeys.ENGINE) == Engine.GPU;
        if (gpuOnly) {
            EngineCheck.requirePlugin(spark);
        }
        GraphInput.Network network = GraphInput.read(spark, job, this::note);
        Graph graph = network.graph();
        int[] sources = sources(network);
        boolean next = GraphPaths.needNext(job.get(JobKeys.RESULTS));
        Strategy asked =
                GraphFunctions.ALL_PAIRS.strategy(job.find(JobKeys.STRATEGY).orElse("auto"));
        boolean canBeTiled = PathTiles.fits(graph, next);
        long heap = canBeTiled ? Math.min(TaskMemory.bytes(), tileMemory()) : TaskMemory.bytes();
        ShortestPaths.Machine machine = new ShortestPaths.Machine(
                heap, canBeTiled, gpuMemory(), spark.sparkContext().defaultParallelism());
        ShortestPaths.Plan plan = ShortestPaths.plan(graph, asked, sources.length, next, machine, gpuOnly);
        if (canBeTiled
                && plan.strategy() == Strategy.BLOCKED
                && !plan.onGpu()
                && !gpuOnly
                && ShortestPaths.tableBytes(graph, next) > heap) {
            return new Work(network, sources, plan, Optional.of(PathTiles.of(graph, next)));
        }
        boolean treesInHeap = next && graph.hasDoubles();
        if (plan.hasTable() && (!plan.onGpu() && !gpuOnly || treesInHeap)) {
            TaskMemory.check(
                    GraphFunctions.ALL_PAIRS.name(),
                    "the table of %,d x %,d vertices".formatted(graph.nodes(), graph.nodes()),
                    (long) ShortestPaths.tableBytes(graph, next),
                    Double.isFinite(plan.sparseSeconds()) ? "strategy: johnson, which has no table, or " : "");
        }
        if (gpuOnly && !plan.onGpu()) {
            throw notOnGpu(graph, asked, next, machine);
        }
        return new Work(network, sources, plan, Optional.empty());
    }

    /** The bytes of tiles that an executor keeps in its heap. */
    private long tileMemory() {
        String key = "spark.bellman.tiles.hostMemory";
        String set = settings.get(key, "");
        if (set.isEmpty()) {
            SparkContext context = spark.sparkContext();
            return (context.isLocal() ? Runtime.getRuntime().maxMemory() : (long) context.executorMemory() << 20) / 2;
        }
        try {
            return JavaUtils.byteStringAsBytes(set);
        } catch (NumberFormatException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    "%s is '%s'; it must be a number of bytes, such as 8g".formatted(key, set));
        }
    }

    /** The time between checkpoints of tiles; null if it is not set. */
    private Duration checkpoint() {
        String key = "spark.bellman.tiles.checkpoint";
        String set = settings.get(key, "");
        try {
            return set.isEmpty() ? null : Duration.ofSeconds(JavaUtils.timeStringAsSec(set));
        } catch (NumberFormatException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    "%s is '%s'; it must be a time, such as 10min".formatted(key, set));
        }
    }

    /** A table that was solved in tiles. */
    private record Tiled<T>(PathTiles<T> tiles, TileRun.Finished<T> table, Map<String, Object> report) {}

    private <T> Tiled<T> solve(PathTiles<T> tiles, Provenance provenance, StagedOutput output) {
        JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
        TileRun<T> run = new TileRun<>(
                context,
                tiles,
                new TileRun.Settings(
                        output.tiles(),
                        provenance.fingerprint(),
                        TileRun.parts(tiles, context.defaultParallelism(), tileMemory()),
                        tileMemory(),
                        checkpoint()),
                this::note);
        return new Tiled<>(tiles, run.run(), run.report());
    }

    /** After a failure, unless the graph itself is at fault. */
    private void keepTiles(Throwable failure, StagedOutput output) {
        if (BellmanException.in(failure).filter(own -> own.code().isRowError()).isPresent()) {
            output.removeTiles();
        } else {
            note("kept the tiles in %s; --resume goes on with them".formatted(output.tiles()));
        }
    }

    /** The bytes for a table on the GPU of an executor; 0 if the job is to use none, or there is none. */
    private long gpuMemory() {
        if (job.get(JobKeys.ENGINE) == Engine.CPU || !EngineCheck.hasPlugin(spark)) {
            return 0;
        }
        return spark.range(1)
                .map((MapFunction<Long, Long>) row -> ShortestPaths.gpuMemory(), Encoders.LONG())
                .first();
    }

    private static BellmanException notOnGpu(Graph graph, Strategy asked, boolean next, ShortestPaths.Machine machine) {
        double bytes = ShortestPaths.gpuBytes(graph, asked, next);
        String reason;
        if (asked == Strategy.DIJKSTRA || asked == Strategy.JOHNSON) {
            reason = "the strategy %s runs on the CPU".formatted(Strategies.name(asked));
        } else if (Double.isInfinite(bytes)) {
            reason = "the weights are too large, or the vertices too many, for a table on a GPU";
        } else {
            reason = String.format(
                    Locale.ROOT,
                    "the table of %,d x %,d vertices takes %,.0f bytes there; it may have %,d, three quarters of the memory of RAPIDS or %s",
                    graph.nodes(),
                    graph.nodes(),
                    bytes,
                    machine.gpu(),
                    GpuMemory.KEY);
        }
        return new BellmanException(
                ErrorCode.BELLMAN_GPU_REQUIRED,
                "engine is gpu, but %s; engine: auto would allow the CPU".formatted(reason));
    }

    /** The source vertices; all vertices if the job names none. */
    private int[] sources(GraphInput.Network network) {
        return job.find(JobKeys.SOURCES)
                .filter(wanted -> !wanted.isEmpty())
                .map(wanted -> network.vertices(spark, wanted))
                .orElseGet(() -> IntStream.range(0, network.graph().nodes()).toArray());
    }

    /** A description of the output in words. */
    private String size(Work work) {
        List<String> results = job.get(JobKeys.RESULTS);
        long each = 2L * Long.BYTES
                + (results.contains(GraphPaths.NEXT) ? Long.BYTES : 0)
                + (results.contains(GraphPaths.HOPS) ? Integer.BYTES : 0);
        return String.format(
                Locale.ROOT,
                "%,d vertices, %,d edges; paths from %,d of them: up to %,d, about %s before compression; %s",
                work.graph().nodes(),
                work.graph().edges(),
                work.sources().length,
                work.pairs(),
                Quantity.bytes(work.pairs() * each),
                work.how());
    }

    private long write(Work work, Optional<Tiled<?>> tiled, StagedOutput output) {
        JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
        List<String> results = job.get(JobKeys.RESULTS);
        GraphPaths paths = new GraphPaths(work.plan(), results);
        int partitions = job.find(JobKeys.OUTPUT_PARTITIONS).orElse(TASKS * context.defaultParallelism());
        JavaRDD<InternalRow> internal = tiled.map(table -> rows(paths, context, work, table))
                .orElseGet(() -> paths.rows(context, work.network(), work.sources(), partitions));
        // not made from external rows, whose numbers are boxed
        Dataset<Row> rows = ((org.apache.spark.sql.classic.SparkSession) spark)
                .internalCreateDataFrame(internal.rdd(), GraphPaths.schema(work.network(), results), false);
        String folder = output.folder();
        try {
            return Format.PARQUET
                    .write(rows, job.get(JobKeys.OUTPUT_OPTIONS))
                    .maxRecordsPerFile(job.find(JobKeys.OUTPUT_MAX_RECORDS_PER_FILE))
                    .to(folder)
                    .rowsWritten()
                    .orElse(0L);
        } catch (Exception | FSError e) {
            throw output.writeFailure(e).orElseGet(() -> Failures.explain(e));
        }
    }

    private static <T> JavaRDD<InternalRow> rows(
            GraphPaths paths, JavaSparkContext context, Work work, Tiled<T> tiled) {
        return paths.rows(context, work.network(), work.sources(), tiled.tiles(), tiled.table());
    }

    private Map<String, Object> report(Work work, Optional<Tiled<?>> tiled, long rows) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("job", job.describe());
        report.put("versions", Versions.all());
        report.put("vertices", work.graph().nodes());
        report.put("edges", work.graph().edges());
        report.put("sources", work.sources().length);
        report.put("engine", Strategies.name(work.engine()));
        report.put("strategy", Strategies.name(work.plan().strategy()));
        if (work.plan().order() != null) {
            Fill fill = work.plan().order().fill();
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
        tiled.ifPresent(table -> report.put("tiles", table.report()));
        report.put("rowsOut", rows);
        report.put("seconds", phases.seconds());
        return report;
    }
}
