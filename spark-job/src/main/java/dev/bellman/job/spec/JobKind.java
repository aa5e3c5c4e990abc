package dev.bellman.job.spec;

import dev.bellman.entry.Problem;
import dev.bellman.job.format.Format;
import dev.bellman.job.progress.Progress;
import dev.bellman.job.terminal.ExitCode;
import java.io.PrintWriter;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;

/**
 * A problem whose jobs are not on many rows: its keys, its rules and its run. {@link ServiceLoader} finds it, so the
 * code for jobs on rows does not depend on it.
 */
public interface JobKind {
    /** The problem, whose functions are not in the catalogue. */
    Problem<?> problem();

    /** The keys that only its jobs have. Keys of a section are next to each other. */
    default List<JobKey<?>> keys() {
        return List.of();
    }

    /** The keys of jobs on rows that its jobs have, too. Keys of all jobs are not listed. */
    default List<JobKey<?>> shares() {
        return List.of();
    }

    /** The inputs that its jobs read besides {@code input}. */
    default List<SourceKeys> inputs() {
        return List.of();
    }

    /** The formats of files that hold an instance of it instead of rows. */
    default List<Format> formats() {
        return List.of();
    }

    /** Reports the errors of one of its jobs. */
    void check(JobDocument job);

    Run run(Request request);

    /** One run of one job. */
    interface Run {
        /**
         * Prints what the job would do.
         *
         * @param withPlan also the plan of Spark's query, if there is one
         */
        void describe(boolean withPlan);

        ExitCode run();
    }

    /**
     * The parameters of a run.
     *
     * @param spark the session with the settings; a run has its own session
     * @param resume whether to continue a run that was cut off
     * @param reported receives the report of a committed run
     * @param command the command line, for the report
     */
    record Request(
            Job job,
            SparkSession spark,
            PrintWriter out,
            Progress progress,
            boolean resume,
            Consumer<String> reported,
            String command) {}
}
