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
 * A problem whose jobs do not solve many rows, with its keys, rules and runs. {@link ServiceLoader} finds the kinds, so
 * the code for jobs on rows does not depend on them.
 */
public interface JobKind {
    /** Returns the problem. Its functions are not in the catalogue. */
    Problem<?> problem();

    /** Returns the keys that only jobs of this kind have. Keys of the same section are adjacent. */
    default List<JobKey<?>> keys() {
        return List.of();
    }

    /** Returns the keys that jobs of this kind share with jobs on rows, except keys that all jobs share. */
    default List<JobKey<?>> shares() {
        return List.of();
    }

    /** Returns the inputs that jobs of this kind read in addition to {@code input}. */
    default List<SourceKeys> inputs() {
        return List.of();
    }

    /** Returns the file formats that contain an instance of the problem instead of rows. */
    default List<Format> formats() {
        return List.of();
    }

    /** Reports the errors of a job of this kind. */
    void check(JobDocument job);

    Run run(Request request);

    /** One run of one job. */
    interface Run {
        /**
         * Prints what the job would do.
         *
         * @param withPlan whether to print the plan of Spark's query as well, if there is one
         */
        void describe(boolean withPlan);

        ExitCode run();
    }

    /**
     * The parameters of a run.
     *
     * @param spark the session that provides settings; each run creates a separate session
     * @param resume whether to continue an interrupted run
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
