package dev.bellman.job.report;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.input.InputFiles;
import dev.bellman.job.input.JobInputs;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKey;
import dev.bellman.job.spec.JobKeys;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Everything on which the rows of a run depend: the job, its input files, the versions, and those Spark settings that
 * affect the values of expressions. The provenance is recorded before the run reads any input. If a file arrives after
 * that, a later run therefore has a different fingerprint.
 */
public final class Provenance {
    /** Keys that do not affect the rows. */
    private static final Set<JobKey<?>> IRRELEVANT =
            Set.of(JobKeys.NAME, JobKeys.ENGINE, JobKeys.VERIFY, JobKeys.RESTRICTED, JobKeys.OUTPUT_PARTITIONS);

    /** Spark settings that affect the values of expressions. */
    private static final List<String> SETTINGS =
            List.of("spark.sql.session.timeZone", "spark.sql.ansi.enabled", "spark.sql.caseSensitive");

    private static final String LEGACY = "spark.sql.legacy.";

    private final Job job;
    private final SparkSession spark;
    private final JobInputs inputs;
    private final Map<String, Object> description;
    private final List<String> files;

    private Provenance(Job job, SparkSession spark) {
        this.job = job;
        this.spark = spark;
        this.inputs = new JobInputs(job, spark);
        this.files = inputs.signatures();
        this.description = job.describeWithout(IRRELEVANT);
        description.put("versions", Map.of("bellman", Versions.all().get("bellman"), "spark", spark.version()));
        description.put("settings", settings(spark));
        // a table's options include its version
        description.put("files", files);
    }

    /**
     * Records the provenance at this moment.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_READ} if the input does not exist,
     *     {@link ErrorCode#BELLMAN_INPUT_EMPTY} if a folder has no files, or if all files at a path are empty although
     *     their format requires some content
     */
    public static Provenance of(Job job, SparkSession spark) {
        return new Provenance(job, spark);
    }

    private static Map<String, String> settings(SparkSession spark) {
        Map<String, String> settings = new TreeMap<>();
        SETTINGS.forEach(name -> settings.put(name, spark.conf().get(name)));
        CollectionConverters.asJava(spark.conf().getAll()).forEach((name, value) -> {
            if (name.startsWith(LEGACY)) {
                settings.put(name, value);
            }
        });
        return settings;
    }

    /** Returns the inputs with the files that the provenance describes. */
    public JobInputs inputs() {
        return inputs;
    }

    /** Returns a string that is equal for two runs only if both return the same rows. */
    public String fingerprint() {
        return Descriptions.digest(description);
    }

    /** Returns the fingerprint of a run whose rows also depend on the existing files of its output. */
    public String fingerprint(List<String> present) {
        Map<String, Object> more = new LinkedHashMap<>(description);
        more.put("output", present);
        return Descriptions.digest(more);
    }

    /**
     * Fails if an input file has changed or disappeared. Ignores new files, because the run has already listed its
     * files.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_READ}
     */
    public void inputMustBeUnchanged() {
        Set<String> now = new HashSet<>(new JobInputs(job, spark).signatures());
        files.stream().filter(file -> !now.contains(file)).findFirst().ifPresent(file -> {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    "%s was changed or deleted while the job was reading its input; run the job again"
                            .formatted(InputFiles.pathOf(file)));
        });
    }
}
