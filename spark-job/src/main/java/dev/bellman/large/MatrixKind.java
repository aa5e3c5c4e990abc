package dev.bellman.large;

import dev.bellman.entry.Problem;
import dev.bellman.job.format.Format;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.spec.JobDocument;
import dev.bellman.job.spec.JobKey;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.KeyType;
import dev.bellman.job.spec.SourceKeys;
import dev.bellman.linear.LinearFunctions;
import java.util.ArrayList;
import java.util.List;

/** Jobs that eliminate a single matrix. */
public final class MatrixKind extends LargeKind {
    private static final List<JobKey<?>> KEYS = new ArrayList<>();

    /** The keys for the right-hand side. */
    static final SourceKeys RHS =
            SourceKeys.ofKind("rhs", "for `linear_solve` with one matrix: the path of the right-hand side", KEYS::add);

    static final JobKey<List<String>> RHS_ARGUMENTS = JobKey.ofKind(
                    "rhs.arguments", KeyType.texts(), "EXPRESSION", KEYS::add)
            .optional(
                    "`[row, rhs]`", "two columns or expressions: the row number, and the entry of the right-hand side");

    static final JobKey<Boolean> PIVOT = JobKey.ofKind("pivot", KeyType.bool(), "", KEYS::add)
            .defaultsTo(
                    false,
                    "for `matrix_elimination`: exchanges rows (partial pivoting). A single task eliminates the matrix "
                            + "on one core of the CPU, in its memory");

    @Override
    public Problem<?> problem() {
        return LinearFunctions.ONE_MATRIX;
    }

    @Override
    public List<JobKey<?>> keys() {
        return List.copyOf(KEYS);
    }

    @Override
    public List<JobKey<?>> shares() {
        // the tiles determine the number of partitions, because each task writes matrix rows from one row of tiles
        return List.of(JobKeys.STRATEGY, JobKeys.OUTPUT_MAX_RECORDS_PER_FILE);
    }

    @Override
    public List<SourceKeys> inputs() {
        return List.of(RHS);
    }

    @Override
    public List<Format> formats() {
        return List.of(Format.MTX);
    }

    @Override
    void rules(JobDocument job) {
        boolean hasRhs = job.hasSection(RHS.path());
        job.resolve(JobKeys.RESULTS, List.of(hasRhs ? MatrixRun.SOLVE : MatrixRun.LU));
        List<String> results = job.given(JobKeys.RESULTS).orElseThrow();
        results.forEach(name -> job.choose(JobKeys.RESULTS, name, MatrixRun.RESULTS, each -> each));
        if (results.size() != 1) {
            job.problem(
                    JobKeys.RESULTS,
                    "results lists %d functions; a job on one matrix must have exactly one".formatted(results.size()));
        } else if (hasRhs != results.get(0).equals(MatrixRun.SOLVE)) {
            job.problem(
                    JobKeys.RESULTS,
                    hasRhs
                            ? "%s has no right-hand side; remove rhs".formatted(results.get(0))
                            : "linear_solve requires a right-hand side; set rhs.path (--rhs)");
        }
        if (job.is(JobKeys.INPUT_FORMAT, Format.GR::equals) || job.is(RHS.format(), Format.GR::equals)) {
            job.problem(
                    JobKeys.INPUT_FORMAT,
                    "a file in the format gr contains a graph, not a matrix; use a different format");
        }
        if (job.is(PIVOT, pivot -> pivot) && job.is(JobKeys.ENGINE, Engine.GPU::equals)) {
            job.problem(
                    PIVOT,
                    "engine is gpu, but matrices are eliminated with pivot only on the CPU; use engine: auto, or set "
                            + "pivot to false");
        }
        int entries = MatrixInput.BY_ENTRIES.size();
        boolean byEntries = job.is(JobKeys.ARGUMENTS, given -> given.size() == entries);
        arguments(job, JobKeys.ARGUMENTS, "a matrix", byEntries ? MatrixInput.BY_ENTRIES : MatrixInput.BY_ROWS);
        if (hasRhs) {
            arguments(job, RHS_ARGUMENTS, "rhs", MatrixInput.OF_RHS);
        }
    }

    @Override
    public Run run(Request request) {
        return new MatrixRun(request);
    }
}
