package dev.bellman.job.run;

import dev.bellman.job.input.InputFiles;
import dev.bellman.job.input.InputReader;
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
import java.util.stream.Stream;
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
     * @param files the state of the input files; empty if the input includes tables
     * @param notes a note for each path that has no rows
     * @param sizes the sizes of the first rows' arguments, for the report; empty if unknown
     */
    record Read(
            Optional<List<String>> files,
            List<String> notes,
            InstanceQuery query,
            Optional<Map<String, Object>> sizes) {}

    /** Reads the schemas and the first rows. If the files have not changed, returns the previous result. */
    Read read() {
        Optional<List<String>> files = files();
        if (last.isEmpty() || files.isEmpty() || !last.get().files().equals(files)) {
            last = Optional.of(read(files));
        }
        return last.get();
    }

    /**
     * Measures the arguments of the first rows. Unless this shows that each path has rows, finds the paths that have
     * none.
     */
    private Read read(Optional<List<String>> files) {
        // queries on a few rows run faster without the GPU
        List<InputReader.Opened> sources = EngineCheck.withoutPlugin(spark, this::opened);
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
        return new Read(files, notes, query, sizes);
    }

    private Optional<List<String>> files() {
        return job.sources().stream().anyMatch(source -> source.lakeTable(spark).isPresent())
                ? Optional.empty()
                : Optional.of(job.sources().stream()
                        .flatMap(source ->
                                InputFiles.of(source, spark.sparkContext().hadoopConfiguration()).signatures().stream())
                        .toList());
    }

    /** Returns the sizes that {@link #read} measured; if there are none, measures the instances of the query. */
    Map<String, Object> sizes(InstanceQuery query) {
        return last.flatMap(Read::sizes)
                .orElseGet(() -> query.instances().sides().isEmpty()
                        ? Distributions.sizes(query)
                        : EngineCheck.withoutPlugin(spark, () -> Distributions.sizes(query)));
    }

    /** Opens the input, and the targets if there are any. */
    List<InputReader.Opened> opened() {
        return Stream.concat(Stream.of(job.input()), job.targets().stream())
                .map(source -> InputReader.open(spark, source, job.get(JobKeys.ON_BAD_ROW)))
                .toList();
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
