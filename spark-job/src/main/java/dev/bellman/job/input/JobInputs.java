package dev.bellman.job.input;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/** The inputs of a job. Their files are listed only once, because listing a large folder takes seconds. */
public final class JobInputs {
    private final Job job;
    private final SparkSession spark;
    /** The files of those sources that are not tables. */
    private final Map<Job.Source, InputFiles> files = new HashMap<>();

    /**
     * Lists the files of a job's inputs.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_READ} or {@link ErrorCode#BELLMAN_INPUT_EMPTY} like
     *     {@link InputFiles#of}
     */
    public JobInputs(Job job, SparkSession spark) {
        this.job = job;
        this.spark = spark;
        for (Job.Source source : job.sources()) {
            if (source.lakeTable(spark).isEmpty()) {
                files.computeIfAbsent(
                        source,
                        any -> InputFiles.of(source, spark.sparkContext().hadoopConfiguration()));
            }
        }
    }

    /** Opens the inputs, the job's {@code input} first. */
    public List<InputReader.Opened> open() {
        return job.sources().stream()
                .map(source -> files.containsKey(source)
                        ? InputReader.open(spark, files.get(source), job.get(JobKeys.ON_BAD_ROW))
                        : InputReader.open(spark, source, job.get(JobKeys.ON_BAD_ROW)))
                .toList();
    }

    /** Returns those inputs that are tables. */
    public List<Job.Source> tables() {
        return job.sources().stream()
                .filter(source -> !files.containsKey(source))
                .toList();
    }

    /** Returns one string for each file: its path, length and modification time. */
    public List<String> signatures() {
        return files().flatMap(listed -> listed.signatures().stream()).toList();
    }

    /** Returns the total size of all files in bytes. */
    public long bytes() {
        return files().mapToLong(InputFiles::bytes).sum();
    }

    private Stream<InputFiles> files() {
        return job.sources().stream().filter(files::containsKey).map(files::get);
    }
}
