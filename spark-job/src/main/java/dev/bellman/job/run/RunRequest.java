package dev.bellman.job.run;

import dev.bellman.job.progress.Progress;
import dev.bellman.job.spec.Job;
import java.io.PrintWriter;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;

/**
 * How a job is run.
 *
 * @param spark the session whose settings count; a run has one of its own
 * @param resume whether to continue with what a run that was cut off has left
 * @param reported takes the report of a run that is committed
 * @param command the command line, for the report
 */
public record RunRequest(
        Job job,
        SparkSession spark,
        PrintWriter out,
        Progress progress,
        boolean resume,
        Consumer<String> reported,
        String command) {}
