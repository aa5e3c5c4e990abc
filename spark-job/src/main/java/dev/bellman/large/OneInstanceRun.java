package dev.bellman.large;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.gap.GapFunctions;
import dev.bellman.chain.matrix.MatrixChainFunctions;
import dev.bellman.chain.tree.TreeFunctions;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.Problem;
import dev.bellman.graph.GraphFunctions;
import dev.bellman.job.format.Format;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.plan.EngineCheck;
import dev.bellman.job.progress.Progress;
import dev.bellman.job.report.Descriptions;
import dev.bellman.job.report.Origin;
import dev.bellman.job.report.Phases;
import dev.bellman.job.report.Provenance;
import dev.bellman.job.report.Versions;
import dev.bellman.job.run.Report;
import dev.bellman.job.run.RunRequest;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.terminal.Printable;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.grid.TileManifest;
import dev.bellman.large.grid.TileRun;
import dev.bellman.linear.LinearFunctions;
import dev.bellman.tiles.LevelTable;
import dev.bellman.tiles.TableShare;
import dev.bellman.tiles.TiledProblem;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
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
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.LongAccumulator;

/**
 * One run of a job whose whole input is one instance, which may be solved in tiles on the executors. This is what all such problems share, from the
 * lock of the output to the report; a problem adds its input, its results and the way to them.
 *
 * @param <W> the instance, and what to do with it
 */
public abstract class OneInstanceRun<W> {
    /** The problems in which the whole input is one instance. */
    static final List<Problem<?>> PROBLEMS = List.of(
            GraphFunctions.ALL_PAIRS,
            LinearFunctions.ONE_MATRIX,
            MatrixChainFunctions.ONE_CHAIN,
            TreeFunctions.ONE_TREE,
            GapFunctions.ONE_PAIR);

    private static final String HOST_MEMORY = "spark.bellman.tiles.hostMemory";
    private static final String GPU_MEMORY = "spark.bellman.tiles.gpuMemory";
    private static final String DIRECTORY = "spark.bellman.tiles.directory";
    private static final String PANELS = "spark.bellman.tiles.panels";

    final Job job;

    private final Origin origin;
    final SparkSession spark;
    final JavaSparkContext context;
    final Phases phases = new Phases();
    private final RuntimeConfig settings;
    private final PrintWriter out;
    private final Progress progress;
    private final boolean resume;
    private final Consumer<String> reported;

    OneInstanceRun(RunRequest request) {
        job = request.job();
        resume = request.resume();
        spark = request.spark().newSession();
        settings = request.spark().conf();
        // what a GPU solves is one table, and no query of RAPIDS
        spark.conf().set("spark.rapids.sql.enabled", "false");
        context = new JavaSparkContext(spark.sparkContext());
        out = request.out();
        progress = request.progress();
        reported = request.reported();
        origin = new Origin(Instant.now(), request.command());
    }

    /** Whether the whole input of a job is one instance. */
    public static boolean isFor(Job job) {
        return PROBLEMS.contains(job.get(JobKeys.PROBLEM));
    }

    /** The run of a job for which {@link #isFor} is true. */
    public static OneInstanceRun<?> of(RunRequest request) {
        Problem<?> problem = request.job().get(JobKeys.PROBLEM);
        if (TiledRun.solves(problem)) {
            return new TiledRun(request);
        }
        return problem.equals(GraphFunctions.ALL_PAIRS) ? new GraphRun(request) : new MatrixRun(request);
    }

    /** Reads as much of the input as decides how to solve it. */
    abstract W work();

    /** The size of the output, and how it is solved, in words. */
    abstract String size(W work);

    abstract StructType schema(W work);

    /** Whether there are files of tiles. */
    abstract boolean usesTiles(W work);

    /** Solves the instance and writes its rows; returns their number. */
    abstract long solve(W work, Provenance provenance, StagedOutput output);

    /** What a report says of the instance and its solution, after {@link #solve}. */
    abstract Map<String, Object> report(W work);

    /** The solution in words. */
    abstract String summary(W work);

    /** Prints what the job would do. */
    public void describe() {
        W work = work();
        out.println("# job");
        out.print(Descriptions.yaml(job.describe()));
        out.println("# output");
        out.println(size(work));
        out.print(Printable.lines(schema(work).treeString()));
        out.flush();
    }

    /** Runs the job. */
    public ExitCode run() {
        Optional<Provenance> resumed = resume ? Optional.of(Provenance.of(job, spark)) : Optional.empty();
        try (StagedOutput output = StagedOutput.open(
                job.get(JobKeys.OUTPUT_PATH),
                job.get(JobKeys.OUTPUT_MODE),
                StagedOutput.Shards.NONE,
                resumed.map(Provenance::fingerprint),
                hadoop(),
                this::note)) {
            if (output.isMade()) {
                note("there is nothing to resume: the output %s has the rows of this job already"
                        .formatted(output.display()));
                if (begun(resumed.get(), output).isPresent()) {
                    // it was cut off between its commit and the end
                    output.removeTiles();
                }
                return ExitCode.DONE;
            }
            if (output.ignored()) {
                note("the output %s exists, nothing done".formatted(output.display()));
                return ExitCode.DONE;
            }
            if (!resume && output.removeTiles()) {
                note("removed %s, which an interrupted run left; --resume would have kept the tiles in it"
                        .formatted(output.tiles()));
            }
            Provenance provenance = resumed.orElseGet(() -> Provenance.of(job, spark));
            W work = phases.time("input", this::work);
            note(size(work));
            String report;
            try {
                long rows = solve(work, provenance, output);
                report = Descriptions.json(report(work, provenance, rows));
            } catch (Exception | Error e) {
                if (usesTiles(work)) {
                    keepTiles(e, output);
                }
                throw e;
            }
            Report.write(output, origin.started(), report);
            output.commit();
            reported.accept(report);
            note(summary(work));
            out.println("  results  %s (parquet)".formatted(output.display()));
            out.println("  report   " + Report.page(output));
            out.flush();
            return ExitCode.DONE;
        }
    }

    private Map<String, Object> report(W work, Provenance provenance, long rows) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("job", job.describe());
        origin.describe(report);
        report.put(StagedOutput.FINGERPRINT, provenance.fingerprint());
        report.put("summary", summary(work));
        report.put("versions", Versions.all());
        report.putAll(report(work));
        report.put("rowsOut", rows);
        report.put("seconds", phases.seconds());
        return report;
    }

    final Configuration hadoop() {
        return spark.sparkContext().hadoopConfiguration();
    }

    final void note(String text) {
        out.println(Printable.text("%s: %s".formatted(job.get(JobKeys.NAME), text)));
        out.flush();
    }

    /**
     * Shows how far the tasks of some work are.
     *
     * @param unit what they count
     * @param all how many of these there are; 0 if nothing is to be shown
     * @param work takes the accumulator to which the tasks add
     */
    final <R> R counted(String unit, long all, Function<LongAccumulator, R> work) {
        LongAccumulator done = context.sc().longAccumulator(unit);
        if (all > 0) {
            progress.begin(job.get(JobKeys.NAME), done, all);
        }
        try {
            return work.apply(done);
        } finally {
            progress.end();
        }
    }

    /** The bytes of tiles that an executor keeps in its heap. */
    final long tileMemory() {
        SparkContext all = spark.sparkContext();
        return bytes(HOST_MEMORY)
                .orElseGet(() ->
                        (all.isLocal() ? Runtime.getRuntime().maxMemory() : (long) all.executorMemory() << 20) / 2);
    }

    /**
     * The bytes of tiles that a GPU keeps.
     *
     * @param all what it has for one instance
     */
    final long tileGpuMemory(long all) {
        return Math.min(all, bytes(GPU_MEMORY).orElse(all));
    }

    private Optional<Long> bytes(String key) {
        String set = settings.get(key, "");
        try {
            return set.isEmpty() ? Optional.empty() : Optional.of(JavaUtils.byteStringAsBytes(set));
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

    /** How a table is computed in tiles. */
    final TileRun.Settings tileSettings(TiledProblem<?> tiles, Provenance provenance, StagedOutput output) {
        int cores = context.defaultParallelism();
        int ofExecutor = (cores + executors() - 1) / executors();
        long memory = tileMemory();
        int parts = begun(provenance, output).orElseGet(() -> TileRun.parts(tiles, cores, ofExecutor, memory));
        return new TileRun.Settings(
                output.tiles(),
                provenance.fingerprint(),
                parts,
                TileRun.fit(tiles, parts, ofExecutor, memory)
                        ? memory
                        : Math.min(memory, beside(TileRun.atATime(tiles, parts, ofExecutor), ofExecutor, output)),
                checkpoint());
    }

    /** The bytes of an executor beside the tiles that its cores work on, where the run that this one continues had more memory. */
    private static long beside(double atATime, int cores, StagedOutput output) {
        double left = TaskMemory.ofExecutor() - atATime;
        if (left < 0) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    "the tiles in %s take %,.0f bytes in an executor that computes on %,d cores, and it has %,d; give executors more memory or fewer cores, or run without --resume to start from the beginning"
                            .formatted(output.tiles(), atATime, cores, TaskMemory.ofExecutor()));
        }
        return (long) left;
    }

    /** The parts of the run that this one continues, which may have had other memory, cores or GPUs. */
    private Optional<Integer> begun(Provenance provenance, StagedOutput output) {
        return TileManifest.parts(output.tiles(), provenance.fingerprint(), hadoop());
    }

    /**
     * Writes the input into tiles, unless the run that this one continues has; returns what was learned of it.
     *
     * @param load writes them, and returns one word
     */
    final String loaded(TileFolder<?> given, TileRun.Settings tiles, Supplier<String> load) {
        Optional<String> found = given.note();
        if (found.isPresent()) {
            String[] words = found.get().split(" ", 2);
            if (words[1].equals(tiles.ofTiles())) {
                note("the input is in tiles already");
                return words[0];
            }
            if (!tiles.isOfSameTable(words[1])) {
                throw TileManifest.otherTable(tiles.folder());
            }
        }
        given.clear();
        String learned = load.get();
        given.complete(learned + " " + tiles.ofTiles());
        return learned;
    }

    /**
     * How GPUs compute a table in large tiles.
     *
     * @param gpuMemory bytes of tiles that each keeps
     */
    final TileRun.Settings tileSettings(
            TiledProblem<?> tiles, Provenance provenance, StagedOutput output, long gpuMemory) {
        long hostMemory = bytes(HOST_MEMORY).orElseGet(() -> spark.range(1)
                .map((MapFunction<Long, Long>) row -> TaskMemory.besideHeap(), Encoders.LONG())
                .first());
        int most = LevelTable.parts(tiles, gpuMemory);
        Optional<Integer> begun = begun(provenance, output);
        int ofShares = begun.filter(parts -> parts >= tiles.fewestParts()).orElseGet(() -> TableShare.parts(tiles));
        int gpus = gpus(tiles, ofShares, gpuMemory);
        if (gpus == 1 && executors() > 1) {
            note("one of %,d GPUs computes the table: %s"
                    .formatted(executors(), whyOneGpu(tiles, ofShares, gpuMemory)));
        }
        return new TileRun.Settings(
                output.tiles(),
                provenance.fingerprint(),
                gpus > 1
                        ? ofShares
                        : begun.map(parts -> continued(tiles, parts, most, gpuMemory, output))
                                .orElse(most),
                hostMemory,
                checkpoint(),
                new TileRun.Gpu(gpuMemory, folder(DIRECTORY), gpus, folder(PANELS)));
    }

    /**
     * The parts of a run that one GPU continues: that run had a GPU with more memory, or none.
     *
     * @param most of a run that continues none
     */
    private static int continued(TiledProblem<?> tiles, int parts, int most, long gpuMemory, StagedOutput output) {
        if (parts < tiles.fewestParts() || parts > most && LevelTable.leastMemory(tiles, parts) > gpuMemory) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    "the tiles in %s have %,d rows each; a GPU needs tiles of at least %,d rows, and %,d bytes for these, of which it has %,d. Continue with engine: cpu, or with the memory that the run had, or run without --resume to start from the beginning"
                            .formatted(
                                    output.tiles(),
                                    parts * tiles.edge(),
                                    tiles.fewestParts() * tiles.edge(),
                                    LevelTable.leastMemory(tiles, parts),
                                    gpuMemory));
        }
        return parts;
    }

    private String folder(String key) {
        String folder = settings.get(key, "");
        return folder.isEmpty() ? null : folder;
    }

    private int executors() {
        // the driver is one of them
        return Math.max(1, context.sc().statusTracker().getExecutorInfos().length - 1);
    }

    /**
     * How many GPUs compute a table in large tiles: all, or one if several cannot.
     *
     * @param parts tiles per side of a large tile
     */
    final int gpus(TiledProblem<?> tiles, int parts, long gpuMemory) {
        return whyOneGpu(tiles, parts, gpuMemory) == null ? executors() : 1;
    }

    /** Null if several GPUs can compute a table. */
    private String whyOneGpu(TiledProblem<?> tiles, int parts, long gpuMemory) {
        if (executors() == 1) {
            return "there is no other";
        }
        if (!TileRun.canShare(tiles.pattern())) {
            return "several cannot compute one of this kind";
        }
        if (context.getConf().getBoolean("spark.speculation", false)) {
            return "with spark.speculation, tasks also run on GPUs without its tiles";
        }
        long bytes = TileRun.gpuBytes(tiles, parts, executors());
        return bytes <= gpuMemory
                ? null
                : "each would need %,d bytes for a share of it, and has %,d".formatted(bytes, gpuMemory);
    }

    /** After a failure, unless the instance itself is at fault. Of a limit, the memory is. */
    private void keepTiles(Throwable failure, StagedOutput output) {
        Optional<ErrorCode> code = BellmanException.in(failure).map(BellmanException::code);
        if (code.filter(own -> own.isRowError() && own != ErrorCode.BELLMAN_LIMIT)
                .isPresent()) {
            output.removeTiles();
        } else if (!code.equals(Optional.of(ErrorCode.BELLMAN_JOB_FILE))) {
            // those of another job cannot be continued
            note("kept the tiles in %s; --resume goes on with them".formatted(output.tiles()));
        }
    }

    /**
     * The bytes for a table on the GPU of an executor; 0 if the job is to use none, or there is none.
     *
     * @param ofTask the bytes on the GPU of a task's thread
     */
    final long gpuMemory(MapFunction<Long, Long> ofTask) {
        if (job.get(JobKeys.ENGINE) == Engine.GPU) {
            EngineCheck.requirePlugin(spark);
        }
        if (job.get(JobKeys.ENGINE) == Engine.CPU || !EngineCheck.hasPlugin(spark)) {
            return 0;
        }
        return spark.range(1).map(ofTask, Encoders.LONG()).first();
    }

    static BellmanException notOnGpu(String reason) {
        return new BellmanException(
                ErrorCode.BELLMAN_GPU_REQUIRED,
                "engine is gpu, but %s; engine: auto would allow the CPU".formatted(reason));
    }

    /** Writes rows of {@link #schema}; returns their number. */
    final long write(W work, JavaRDD<InternalRow> internal, StagedOutput output) {
        // not made from external rows, whose numbers are boxed
        Dataset<Row> rows = ((org.apache.spark.sql.classic.SparkSession) spark)
                .internalCreateDataFrame(internal.rdd(), schema(work), false);
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
}
