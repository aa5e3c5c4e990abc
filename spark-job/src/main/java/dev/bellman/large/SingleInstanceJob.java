package dev.bellman.large;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.format.Format;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.plan.EngineCheck;
import dev.bellman.job.report.Descriptions;
import dev.bellman.job.report.Phases;
import dev.bellman.job.report.Provenance;
import dev.bellman.job.report.Versions;
import dev.bellman.job.run.Report;
import dev.bellman.job.run.RunCycle;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.JobKind;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.terminal.Printable;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.grid.TileManifest;
import dev.bellman.large.grid.TileSettings;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.LongAccumulator;

/**
 * Runs a job whose whole input is one instance; the executors may solve the instance in tiles. This class contains the
 * steps that are the same for all such problems, from locking the output to writing the report. Subclasses add the
 * steps that depend on the problem: reading the input, solving the instance, and writing the results.
 *
 * @param <W> the instance, and the plan for solving it
 */
abstract class SingleInstanceJob<W> implements JobKind.Run, RunCycle.Steps {
    private final RunCycle cycle;
    final Job job;
    final SparkSession spark;
    final JavaSparkContext context;
    final Phases phases;
    final TilePlacement placement;

    SingleInstanceJob(JobKind.Request request) {
        cycle = new RunCycle(request);
        job = cycle.job();
        spark = cycle.spark();
        phases = cycle.phases();
        // RAPIDS is not needed: the GPU computes a single table and runs no queries
        spark.conf().set("spark.rapids.sql.enabled", "false");
        context = new JavaSparkContext(spark.sparkContext());
        placement = new TilePlacement(spark, request.spark().conf(), this::note);
    }

    /** Reads the part of the input that determines the plan. */
    abstract W work();

    /** Describes the size of the output, and the plan. */
    abstract String size(W work);

    abstract StructType schema(W work);

    /** Whether the solution stores tiles or a model in files, from which a later run can continue. */
    abstract boolean usesTiles(W work);

    /** Solves the instance, and writes the rows of the output. Returns the number of rows that were written. */
    abstract long solve(W work, Provenance provenance, StagedOutput output);

    /** Returns how many rows {@link #solve} quarantined. */
    long quarantined() {
        return 0;
    }

    /** After {@link #solve}, describes the instance and its solution for a report. */
    abstract Map<String, Object> report(W work);

    /** Describes the solution in one line. */
    abstract String summary(W work);

    /** Frees what executors keep for the instance. */
    void close(W work) {}

    @Override
    public void describe(boolean withPlan) {
        W work = work();
        try {
            PrintWriter out = cycle.out();
            out.println("# job");
            out.print(Descriptions.yaml(job.describe()));
            out.println("# output");
            out.println(size(work));
            out.print(Printable.lines(schema(work).treeString()));
            out.flush();
        } finally {
            close(work);
        }
    }

    @Override
    public ExitCode run() {
        return cycle.run(
                new RunCycle.Folder(
                        job.get(JobKeys.OUTPUT_PATH), job.get(JobKeys.OUTPUT_MODE), StagedOutput.Parts.NONE),
                this);
    }

    @Override
    public void made(StagedOutput output, Provenance provenance) {
        if (placement.begun(provenance, output).isPresent()) {
            // the earlier run was interrupted after its commit, but before its end
            output.removeTiles();
        }
    }

    @Override
    public Optional<String> leftAsItIs(StagedOutput output) {
        return output.ignored() ? Optional.of(output.display()) : Optional.empty();
    }

    @Override
    public void begin(StagedOutput output) {
        if (!cycle.resumes() && output.removeTiles()) {
            note("removed %s, which an interrupted run left behind; to continue such a run, pass --resume"
                    .formatted(output.tiles()));
        }
    }

    @Override
    public ExitCode solve(StagedOutput output, Provenance provenance) {
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
        } finally {
            close(work);
        }
        cycle.publish(output, report, () -> {});
        cycle.reported(report);
        note(summary(work));
        PrintWriter out = cycle.out();
        out.println("  results  %s (parquet)".formatted(output.display()));
        out.println("  report   " + Report.page(output));
        out.flush();
        return quarantined() > 0 ? ExitCode.QUARANTINED : ExitCode.DONE;
    }

    private Map<String, Object> report(W work, Provenance provenance, long rows) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("job", job.describe());
        cycle.origin().describe(report);
        report.put(StagedOutput.FINGERPRINT, provenance.fingerprint());
        report.put("summary", summary(work));
        report.put("versions", Versions.of(spark, EngineCheck.hasPlugin(spark)));
        report.putAll(report(work));
        report.put("rowsOut", rows);
        report.put("seconds", phases.seconds());
        return report;
    }

    final Configuration hadoop() {
        return cycle.hadoop();
    }

    final void note(String text) {
        cycle.note(text);
    }

    /**
     * Shows the progress of tasks.
     *
     * @param unit the unit that the tasks count
     * @param all the total number of units; 0 to show nothing
     * @param work receives the accumulator to which the tasks add
     */
    final <R> R counted(String unit, long all, Function<LongAccumulator, R> work) {
        LongAccumulator done = context.sc().longAccumulator(unit);
        if (all > 0) {
            cycle.progress().begin(job.get(JobKeys.NAME), done, all);
        }
        try {
            return work.apply(done);
        } finally {
            cycle.progress().end();
        }
    }

    /**
     * Writes the input into tiles, unless this run continues a run that had already written them. Returns a property of
     * the input.
     *
     * @param load writes the tiles, and returns the property as a string
     */
    final String loaded(TileFolder<?> given, TileSettings tiles, Supplier<String> load) {
        Optional<String> found = given.note();
        if (found.isPresent()) {
            String[] words = found.get().split(" ", 2);
            if (words[1].equals(tiles.ofTiles())) {
                note("the input is already divided into tiles");
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
     * Removes the tiles if the instance is invalid, because a later run would fail in the same way. Keeps them after
     * other failures; for example, a later run may not exceed a limit, because it may have more memory.
     */
    private void keepTiles(Throwable failure, StagedOutput output) {
        Optional<BellmanException> known = BellmanException.in(failure);
        Optional<ErrorCode> code = known.map(BellmanException::code);
        boolean isDamaged = known.map(Throwable::getCause)
                .filter(JsonProcessingException.class::isInstance)
                .isPresent();
        if (code.filter(own -> own.isRowError() && own != ErrorCode.BELLMAN_LIMIT)
                .isPresent()) {
            output.removeTiles();
        } else if (!isDamaged && !code.equals(Optional.of(ErrorCode.BELLMAN_JOB_FILE))) {
            // a later run cannot continue from a damaged checkpoint, or from the tiles of a different job
            note("kept any finished work in %s; pass --resume to continue from there".formatted(output.tiles()));
        }
    }

    /**
     * Returns how many bytes a table may occupy on an executor's GPU; 0 if the job must not use a GPU or if none is
     * available. Fails if none is available although the job requires one.
     *
     * @param ofTask returns how many bytes are available on the GPU of the thread's task
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
                "engine is gpu, but %s; use engine: auto to allow the CPU".formatted(reason));
    }

    /** Writes rows that have the columns of {@link #schema}, and returns how many. */
    final long write(W work, JavaRDD<InternalRow> internal, StagedOutput output) {
        // use internal rows, because external rows would box numbers
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
