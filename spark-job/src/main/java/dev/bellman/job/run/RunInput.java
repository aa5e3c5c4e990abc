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
import org.apache.spark.sql.SparkSession;

/**
 * The input of a run on many rows. If the check before the first job has read input files that have not changed since,
 * the run does not read them again.
 */
final class RunInput {
    private final Job job;
    private final SparkSession spark;
    private Optional<Read> last = Optional.empty();

    RunInput(Job job, SparkSession spark) {
        this.job = job;
        this.spark = spark;
    }

    /**
     * The opened input.
     *
     * @param notes a note for each path that has no rows
     * @param sizes the sizes of the first rows' arguments, for the report; empty if unknown
     */
    record Read(JobInputs inputs, List<String> notes, InstanceQuery query, Optional<Map<String, Object>> sizes) {}

    /** Reads the schemas and the first rows. If the inputs are the same files, returns the previous result. */
    Read read(JobInputs inputs) {
        boolean isKnown = inputs.tables().isEmpty()
                && last.filter(read -> read.inputs().signatures().equals(inputs.signatures()))
                        .isPresent();
        if (!isKnown) {
            last = Optional.of(first(inputs));
        }
        return last.get();
    }

    /**
     * Measures the arguments of the first rows. Unless this shows that each path has rows, finds the paths that have
     * none.
     */
    private Read first(JobInputs inputs) {
        // queries on a few rows run faster without the GPU
        List<InputReader.Opened> sources = EngineCheck.withoutPlugin(spark, inputs::open);
        InstanceQuery query = query(sources);
        boolean showsRows = (isInRows(sources)
                        || !query.instances().sides().isEmpty()
                                && sources.stream()
                                        .allMatch(source -> source.paths().size() == 1))
                && !job.get(JobKeys.OUTPUT_SKIP_EXISTING);
        Optional<Map<String, Object>> sizes = showsRows
                ? Optional.of(EngineCheck.withoutPlugin(spark, () -> Distributions.sizes(query)))
                        .filter(found -> !found.isEmpty())
                : Optional.empty();
        List<String> notes = new ArrayList<>();
        if (sizes.isEmpty()) {
            sources.forEach(source -> source.tellEmpty(notes::add));
        }
        return new Read(inputs, notes, query, sizes);
    }

    /** Returns the sizes that {@link #read} measured; if there are none, measures the instances of the query. */
    Map<String, Object> sizes(InstanceQuery query) {
        return last.flatMap(Read::sizes)
                .orElseGet(() -> query.instances().sides().isEmpty()
                        ? Distributions.sizes(query)
                        : EngineCheck.withoutPlugin(spark, () -> Distributions.sizes(query)));
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
