package dev.bellman.large;

import dev.bellman.entry.Problem;
import dev.bellman.graph.GraphFunctions;
import dev.bellman.job.format.Format;
import dev.bellman.job.spec.JobDocument;
import dev.bellman.job.spec.JobKey;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.KeyType;
import java.util.ArrayList;
import java.util.List;

/** Jobs that find shortest paths in a single graph. */
public final class GraphKind extends LargeKind {
    private static final List<JobKey<?>> KEYS = new ArrayList<>();

    static final JobKey<List<String>> SOURCES = JobKey.ofKind("sources", KeyType.texts(), "VERTEX", KEYS::add)
            .optional("all vertices", "for one graph: the vertices at which paths start");

    @Override
    public Problem<?> problem() {
        return GraphFunctions.ALL_PAIRS;
    }

    @Override
    public List<JobKey<?>> keys() {
        return List.copyOf(KEYS);
    }

    @Override
    public List<JobKey<?>> shares() {
        return List.of(JobKeys.STRATEGY, JobKeys.OUTPUT_PARTITIONS, JobKeys.OUTPUT_MAX_RECORDS_PER_FILE);
    }

    @Override
    public List<Format> formats() {
        return List.of(Format.GR, Format.MTX);
    }

    @Override
    void rules(JobDocument job) {
        columns(job, GraphPaths.RESULTS, List.of(GraphPaths.DISTANCE));
        arguments(job, JobKeys.ARGUMENTS, "an edge", GraphInput.ARGUMENTS);
    }

    @Override
    public Run run(Request request) {
        return new GraphRun(request);
    }
}
