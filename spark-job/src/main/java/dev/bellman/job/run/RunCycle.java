package dev.bellman.job.run;

import dev.bellman.columns.NamedFiles;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.progress.Milestones;
import dev.bellman.job.progress.Progress;
import dev.bellman.job.report.Origin;
import dev.bellman.job.report.Phases;
import dev.bellman.job.report.Provenance;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.JobKind;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.Printable;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * The life cycle of a run, which all kinds of jobs share. A run opens and locks its output; it ends at this point if no
 * work remains or the output must not change. It records provenance before it reads any input. After the instances have
 * been solved, it writes the report and commits the output. Each run has its own session, so a job's strategy,
 * functions and settings do not affect the next job.
 */
public final class RunCycle {
    /** The maximum time to wait for cancelled tasks, in seconds. */
    private static final int CANCEL_SECONDS = 5;

    private final JobKind.Request request;
    private final SparkSession spark;
    private final Phases phases = new Phases();
    private Origin origin;

    public RunCycle(JobKind.Request request) {
        this.request = request;
        this.spark = request.spark().newSession();
        if (job().get(JobKeys.RESTRICTED)) {
            spark.conf().set(NamedFiles.ENABLED, "false");
        }
        this.origin = new Origin(Instant.now(), request.command());
    }

    /** The output folder of a run. */
    public record Folder(String path, SaveMode mode, StagedOutput.Parts parts) {}

    /**
     * The steps that differ from one kind of job to another. {@link #made} replaces the other steps, which run in the
     * order in which they are declared here.
     */
    public interface Steps {
        /** Cleans up after an interrupted run whose rows had already been written. */
        default void made(StagedOutput output, Provenance provenance) {}

        /** Returns the output's name for messages if the output exists and must not be changed; empty otherwise. */
        Optional<String> leftAsItIs(StagedOutput output);

        /** Prepares the run, before its provenance is recorded and its input is read. */
        void begin(StagedOutput output);

        ExitCode solve(StagedOutput output, Provenance provenance);
    }

    public ExitCode run(Folder folder, Steps steps) {
        // the job may have been checked long before it runs
        origin = new Origin(Instant.now(), request.command());
        Optional<Provenance> resumed = request.resume() ? Optional.of(Provenance.of(job(), spark)) : Optional.empty();
        try (StagedOutput output = StagedOutput.open(
                folder.path(),
                folder.mode(),
                folder.parts(),
                resumed.map(Provenance::fingerprint),
                hadoop(),
                this::note)) {
            if (output.isMade()) {
                note("nothing to resume: the output %s already contains the rows of this job"
                        .formatted(output.display()));
                steps.made(output, resumed.orElseThrow());
                return ExitCode.DONE;
            }
            Optional<String> left = steps.leftAsItIs(output);
            if (left.isPresent()) {
                note("the output %s exists; nothing was written".formatted(left.get()));
                return ExitCode.DONE;
            }
            steps.begin(output);
            try {
                return steps.solve(output, resumed.orElseGet(() -> Provenance.of(job(), spark)));
            } finally {
                awaitCancelled();
            }
        }
    }

    /** If the process is being terminated, waits for cancelled tasks, because they could still write files. */
    private void awaitCancelled() {
        SparkContext context = spark.sparkContext();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CANCEL_SECONDS);
        try {
            while (ShutdownHookManager.get().isShutdownInProgress()
                    && !context.isStopped()
                    && System.nanoTime() < end
                    && Arrays.stream(context.statusTracker().getExecutorInfos())
                            .anyMatch(executor -> executor.numRunningTasks() > 0)) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes the report and commits the output. */
    public void publish(StagedOutput output, String report, Runnable beforeCommit) {
        Report.write(output, origin.started(), report);
        beforeCommit.run();
        output.commit();
        Milestones.reach(described("committed"));
    }

    /** Runs a phase and measures its time. Spark's UI lists the Spark jobs of a phase under its name. */
    public <T> T phase(String name, Supplier<T> work) {
        return named(name, () -> phases.time(name, work));
    }

    /** Returns the name that a phase has in Spark's UI. */
    public String described(String name) {
        return "%s: %s".formatted(job().get(JobKeys.NAME), name);
    }

    /** Runs work under the name of a phase for Spark's UI, without measuring its time. */
    public <T> T named(String name, Supplier<T> work) {
        spark.sparkContext().setJobDescription(described(name));
        try {
            return work.get();
        } finally {
            spark.sparkContext().setJobDescription(null);
            Milestones.reach("end of " + described(name));
        }
    }

    /** Passes on the report of a committed run. */
    public void reported(String report) {
        request.reported().accept(report);
    }

    /** Prints a line about the run. */
    public void note(String text) {
        out().println(Printable.text("%s: %s".formatted(job().get(JobKeys.NAME), text)));
        out().flush();
    }

    public Job job() {
        return request.job();
    }

    /** Returns the session of this run. */
    public SparkSession spark() {
        return spark;
    }

    public PrintWriter out() {
        return request.out();
    }

    public Progress progress() {
        return request.progress();
    }

    /** Whether this run continues an interrupted run. */
    public boolean resumes() {
        return request.resume();
    }

    public Phases phases() {
        return phases;
    }

    public Origin origin() {
        return origin;
    }

    public Configuration hadoop() {
        return spark.sparkContext().hadoopConfiguration();
    }
}
