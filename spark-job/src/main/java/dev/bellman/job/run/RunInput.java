package dev.bellman.job.run;

import dev.bellman.job.input.InputReader;
import dev.bellman.job.input.JobInputs;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.plan.EngineCheck;
import dev.bellman.job.rows.InstanceInput;
import dev.bellman.job.rows.InstanceQuery;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.PairingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;

/**
 * The input of a run on many rows. If the check before the first job has read input files that have not changed since,
 * the run does not read them again.
 */
final class RunInput {
    private final Job job;
    private final SparkSession spark;
    private Optional<Read> last = Optional.empty();
    private Optional<ArgumentSizes> sizes = Optional.empty();

    RunInput(Job job, SparkSession spark) {
        this.job = job;
        this.spark = spark;
    }

    /**
     * The opened input.
     *
     * @param notes a note for each path that has no rows
     * @param showsRows whether the existence of arguments proves that each path has rows; if so, {@code notes} is empty
     */
    record Read(
            JobInputs inputs,
            List<InputReader.Opened> sources,
            List<String> notes,
            InstanceQuery query,
            boolean showsRows) {}

    /** Reads the schemas. If the inputs are the same files, returns the previous result. */
    Read read(JobInputs inputs) {
        boolean isKnown = inputs.tables().isEmpty()
                && last.filter(read -> read.inputs().signatures().equals(inputs.signatures()))
                        .isPresent();
        if (!isKnown) {
            last = Optional.of(first(inputs));
        }
        return last.get();
    }

    private Read first(JobInputs inputs) {
        // queries on a few rows run faster without the GPU
        List<InputReader.Opened> sources = EngineCheck.withoutPlugin(spark, inputs::open);
        InstanceQuery query = query(sources);
        boolean showsRows = (isInRows(sources)
                        || !query.instances().sides().isEmpty()
                                && sources.stream()
                                        .allMatch(source -> source.paths().size() == 1))
                && !job.isClustering()
                && !job.get(JobKeys.OUTPUT_SKIP_EXISTING);
        List<String> notes = new ArrayList<>();
        if (!showsRows) {
            sources.forEach(source -> source.tellEmpty(notes::add));
        }
        return new Read(inputs, sources, notes, query, showsRows);
    }

    /** Starts to measure the first arguments, if they show whether each path has rows. */
    void measure() {
        Read read = last.orElseThrow();
        if (read.showsRows()) {
            sizes = Optional.of(EngineCheck.withoutPlugin(spark, () -> new ArgumentSizes(read.query())));
        }
    }

    /**
     * Returns the sizes of the first arguments, for the report. If {@link #measure} did not start to measure them,
     * measures arguments of the query.
     *
     * @param notes receives a note for each path that has no rows, unless {@link #read} has found these paths
     */
    Map<String, Object> sizes(InstanceQuery query, Consumer<String> notes) {
        if (sizes.isPresent()) {
            Map<String, Object> measured = sizes.get().describe();
            if (measured.isEmpty()) {
                last.orElseThrow().sources().forEach(source -> source.tellEmpty(notes));
            }
            return measured;
        }
        return query.instances().sides().isEmpty()
                ? new ArgumentSizes(query).describe()
                : EngineCheck.withoutPlugin(spark, () -> new ArgumentSizes(query).describe());
    }

    InstanceQuery query(List<InputReader.Opened> sources) {
        InstanceQuery query = new InstanceQuery(InstanceInput.read(
                job,
                sources.get(0).rows(),
                sources.stream().skip(1).map(InputReader.Opened::rows).findFirst()));
        if (job.get(JobKeys.ENGINE) == Engine.GPU && !job.isClustering()) {
            query.requireKernels();
        }
        return query;
    }

    /**
     * Whether each row of a single path is an instance, so that the existence of any instance proves that the path has
     * rows.
     */
    boolean isInRows(List<InputReader.Opened> sources) {
        return job.get(JobKeys.PAIRING) == PairingMode.COLUMNS
                && sources.size() == 1
                && sources.get(0).paths().size() == 1;
    }
}
