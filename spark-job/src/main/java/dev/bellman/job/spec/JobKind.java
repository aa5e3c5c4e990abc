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
 * A problem whose jobs are not on many rows: its keys, its rules and its run. {@link ServiceLoader} finds it, so
 * nothing in the jobs on rows names it.
 */
public interface JobKind {
    /** The problem, whose functions no catalogue has. */
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

    /** The formats of files that hold an instance of it, and no rows. */
    default List<Format> formats() {
        return List.of();
    }

    /** Notes what is wrong with one of its jobs. */
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
     * How a job is run.
     *
     * @param spark the session whose settings count; a run has one of its own
     * @param resume whether to continue with what a run that was cut off has left
     * @param reported takes the report of a run that is committed
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
