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
 * A problem whose jobs solve something other than many rows, with its own keys, rules and runs. {@link ServiceLoader}
 * finds these kinds, so the code for jobs on rows does not depend on them.
 */
public interface JobKind {
    /** Returns the problem. No function in the catalogue belongs to it. */
    Problem<?> problem();

    /** Returns the keys that exist only for jobs of this kind. Keys of the same section must be adjacent. */
    default List<JobKey<?>> keys() {
        return List.of();
    }

    /**
     * Returns the keys that exist for jobs of this kind and for jobs on rows, except for the keys that exist for all
     * jobs.
     */
    default List<JobKey<?>> shares() {
        return List.of();
    }

    /** Returns the inputs that jobs of this kind have in addition to {@code input}. */
    default List<SourceKeys> inputs() {
        return List.of();
    }

    /** Returns the file formats whose files contain one instance of the problem instead of rows. */
    default List<Format> formats() {
        return List.of();
    }

    /** Reports the errors in a job of this kind. */
    void check(JobDocument job);

    Run run(Request request);

    /** A single run of a job. */
    interface Run {
        /**
         * Prints what the job would do if it ran.
         *
         * @param withPlan whether to also print the plan of Spark's query, if there is one
         */
        void describe(boolean withPlan);

        ExitCode run();
    }

    /**
     * The parameters of a run.
     *
     * @param spark the session whose settings are used; each run creates its own session
     * @param resume whether to continue an interrupted run
     * @param reported receives the report of a run after its commit
     * @param command the command line, which the report shows
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
