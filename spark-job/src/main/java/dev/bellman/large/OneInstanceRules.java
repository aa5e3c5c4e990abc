package dev.bellman.large;

import dev.bellman.entry.Problem;
import dev.bellman.graph.GraphFunctions;
import dev.bellman.job.format.Format;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.spec.JobDocument;
import dev.bellman.job.spec.JobKey;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.linear.LinearFunctions;
import java.util.List;
import java.util.Optional;

/** The rules of jobs whose whole input is one instance. */
public final class OneInstanceRules {
    /** Keys of jobs in which a row is an instance. */
    private static final List<JobKey<?>> OF_ROWS = List.of(
            JobKeys.PARAMETERS,
            JobKeys.SCORING_OPEN,
            JobKeys.TARGETS_PATH,
            JobKeys.TARGETS_TABLE,
            JobKeys.TARGETS_FORMAT,
            JobKeys.PAIRING,
            JobKeys.MAX,
            JobKeys.BY,
            JobKeys.TOP,
            JobKeys.ID,
            JobKeys.KEEP,
            JobKeys.WHERE,
            JobKeys.BEST,
            JobKeys.OUTPUT_TABLE,
            JobKeys.OUTPUT_PARTITION_BY,
            JobKeys.OUTPUT_NEW_ONLY,
            JobKeys.OUTPUT_SHARDS,
            JobKeys.BAD_ROWS,
            JobKeys.VERIFY);

    private OneInstanceRules() {}

    /** The keys that jobs on one graph or one matrix must and must not have, and those that others must not have. */
    static void check(JobDocument job, Optional<Problem<?>> problem) {
        if (!problem.equals(Optional.of(GraphFunctions.ALL_PAIRS))) {
            job.refuse(JobKeys.SOURCES, "sources is for %s".formatted(GraphFunctions.ALL_PAIRS.name()));
        }
        if (!problem.equals(Optional.of(LinearFunctions.ONE_MATRIX)) && job.hasSection(JobKeys.B_PATH)) {
            job.problem(JobKeys.B_PATH, "b is for %s".formatted(LinearFunctions.ONE_MATRIX.name()));
        }
        if (problem.isEmpty()) {
            for (JobKey<Format> key : List.of(JobKeys.INPUT_FORMAT, JobKeys.TARGETS_FORMAT)) {
                job.given(key)
                        .filter(Format::isInstance)
                        .ifPresent(format -> job.problem(
                                key,
                                "%s is %s, which is for %s"
                                        .formatted(
                                                key.path(),
                                                format,
                                                format == Format.GR
                                                        ? GraphFunctions.ALL_PAIRS.name()
                                                        : GraphFunctions.ALL_PAIRS.name() + " and "
                                                                + LinearFunctions.ONE_MATRIX.name())));
            }
            return;
        }
        if (TiledRun.solves(problem.get())) {
            tiled(job, problem.get());
        } else if (problem.get().equals(GraphFunctions.ALL_PAIRS)) {
            graph(job);
        } else {
            matrix(job);
        }
        String name = problem.get().name();
        for (JobKey<?> key : OF_ROWS) {
            job.refuse(key, "%s is not for %s".formatted(key.path(), name));
        }
        if (job.is(JobKeys.OUTPUT_MODE, SaveMode.APPEND::equals)) {
            job.problem(JobKeys.OUTPUT_MODE, "output.mode is append; an output of %s is of one input".formatted(name));
        }
        if (job.is(JobKeys.OUTPUT_FORMAT, format -> format != Format.PARQUET)) {
            job.problem(JobKeys.OUTPUT_FORMAT, "output.format of %s is parquet".formatted(name));
        }
        if (job.is(JobKeys.INPUT_FORMAT, Format::sequences)) {
            job.problem(JobKeys.INPUT_FORMAT, "a file of sequences is no input of %s".formatted(name));
        }
        if (job.is(JobKeys.INPUT_FORMAT, Format::isInstance)) {
            for (JobKey<?> key : List.of(JobKeys.ARGUMENTS, JobKeys.INPUT_WHERE, JobKeys.INPUT_OPTIONS)) {
                job.refuse(key, "%s is for an input in rows; this format has none".formatted(key.path()));
            }
        }
    }

    private static void tiled(JobDocument job, Problem<?> problem) {
        List<String> results = TiledRun.results(problem);
        columns(job, results, results);
        int given = job.given(JobKeys.ARGUMENTS).map(List::size).orElse(0);
        arguments(job, JobKeys.ARGUMENTS, problem.name(), TiledRun.arguments(problem, given));
        if (job.is(JobKeys.INPUT_FORMAT, Format::isInstance)) {
            job.problem(JobKeys.INPUT_FORMAT, "a file of this format is a graph or a matrix");
        }
        for (JobKey<?> key :
                List.of(JobKeys.STRATEGY, JobKeys.OUTPUT_PARTITIONS, JobKeys.OUTPUT_MAX_RECORDS_PER_FILE)) {
            job.refuse(
                    key,
                    "%s is not for %s, which has one way, in tiles, and writes one row"
                            .formatted(key.path(), problem.name()));
        }
    }

    /** The results that are columns of the output. */
    private static void columns(JobDocument job, List<String> all, List<String> unlessGiven) {
        job.resolve(JobKeys.RESULTS, unlessGiven);
        List<String> results = job.given(JobKeys.RESULTS).orElseThrow();
        results.forEach(name -> job.choose(JobKeys.RESULTS, name, all, each -> each));
        if (results.stream().distinct().count() < results.size()) {
            job.problem(JobKeys.RESULTS, "results names a column twice");
        }
    }

    private static void graph(JobDocument job) {
        columns(job, GraphPaths.RESULTS, List.of(GraphPaths.DISTANCE));
        arguments(job, JobKeys.ARGUMENTS, "an edge", GraphInput.ARGUMENTS);
    }

    private static void matrix(JobDocument job) {
        boolean hasB = job.hasSection(JobKeys.B_PATH);
        job.resolve(JobKeys.RESULTS, List.of(hasB ? MatrixRun.SOLVE : MatrixRun.LU));
        List<String> results = job.given(JobKeys.RESULTS).orElseThrow();
        results.forEach(name -> job.choose(JobKeys.RESULTS, name, MatrixRun.RESULTS, each -> each));
        if (results.size() != 1) {
            job.problem(JobKeys.RESULTS, "results names %d; a job on one matrix has one".formatted(results.size()));
        } else if (hasB != results.get(0).equals(MatrixRun.SOLVE)) {
            job.problem(
                    JobKeys.RESULTS,
                    hasB
                            ? "%s has no right-hand side; leave out b".formatted(results.get(0))
                            : "linear_solve needs the right-hand side: set b.path (--b)");
        }
        if (job.is(JobKeys.INPUT_FORMAT, Format.GR::equals) || job.is(JobKeys.B_FORMAT, Format.GR::equals)) {
            job.problem(JobKeys.INPUT_FORMAT, "a file of the format gr is a graph");
        }
        job.refuse(
                JobKeys.OUTPUT_PARTITIONS,
                "output.partitions is not for matrix_elimination, which writes by rows of tiles; set output.maxRecordsPerFile");
        int entries = MatrixInput.BY_ENTRIES.size();
        boolean byEntries = job.is(JobKeys.ARGUMENTS, given -> given.size() == entries);
        arguments(job, JobKeys.ARGUMENTS, "a matrix", byEntries ? MatrixInput.BY_ENTRIES : MatrixInput.BY_ROWS);
        if (hasB) {
            arguments(job, JobKeys.B_ARGUMENTS, "b", MatrixInput.OF_B);
        }
    }

    private static void arguments(JobDocument job, JobKey<List<String>> key, String what, List<String> names) {
        job.resolve(key, names);
        int given = job.given(key).orElseThrow().size();
        if (given != names.size()) {
            job.problem(
                    key,
                    "%s has %d arguments (%s), not %d".formatted(what, names.size(), String.join(", ", names), given));
        }
    }
}
