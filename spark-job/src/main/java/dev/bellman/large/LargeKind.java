package dev.bellman.large;

import dev.bellman.job.format.Format;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.spec.JobDocument;
import dev.bellman.job.spec.JobKey;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.JobKind;
import java.util.List;

/** A problem for which the whole input is one instance. */
public abstract class LargeKind implements JobKind {
    @Override
    public final void check(JobDocument job) {
        rules(job);
        String name = problem().name();
        if (job.is(JobKeys.OUTPUT_MODE, SaveMode.APPEND::equals)) {
            job.problem(
                    JobKeys.OUTPUT_MODE,
                    ("output.mode is append, but the results of %s cannot be added to those of an earlier run; use a "
                                    + "different mode")
                            .formatted(name));
        }
        if (job.is(JobKeys.OUTPUT_FORMAT, format -> format != Format.PARQUET)) {
            job.problem(JobKeys.OUTPUT_FORMAT, "output.format for %s must be parquet".formatted(name));
        }
        if (job.is(JobKeys.INPUT_FORMAT, Format::sequences)) {
            job.problem(
                    JobKeys.INPUT_FORMAT,
                    "%s does not read sequence files; use a different input.format".formatted(name));
        }
        if (job.is(JobKeys.INPUT_FORMAT, Format::isInstance)) {
            for (JobKey<?> key : List.of(JobKeys.ARGUMENTS, JobKeys.INPUT_WHERE, JobKeys.INPUT_OPTIONS)) {
                job.refuse(key, "%s requires an input with rows; this format has none".formatted(key.path()));
            }
        }
    }

    /** Checks those rules that apply only to this problem. */
    abstract void rules(JobDocument job);

    /** Checks the results, which become columns of the output; if the job lists none, these are {@code unlessGiven}. */
    static void columns(JobDocument job, List<String> all, List<String> unlessGiven) {
        job.resolve(JobKeys.RESULTS, unlessGiven);
        List<String> results = job.given(JobKeys.RESULTS).orElseThrow();
        results.forEach(name -> job.choose(JobKeys.RESULTS, name, all, each -> each));
        if (results.stream().distinct().count() < results.size()) {
            job.problem(JobKeys.RESULTS, "results lists a column twice");
        }
    }

    /** Reports that the format of the input has no rows. */
    static void noRows(JobDocument job) {
        job.problem(
                JobKeys.INPUT_FORMAT,
                "input.format is %s, which contains a graph or a matrix; use a format with rows"
                        .formatted(job.given(JobKeys.INPUT_FORMAT).orElseThrow()));
    }

    /** @param owner what has the arguments, such as {@code a matrix}; the subject of the error message */
    static void arguments(JobDocument job, JobKey<List<String>> key, String owner, List<String> names) {
        job.resolve(key, names);
        List<String> given = job.given(key).orElseThrow();
        if (given.size() != names.size()) {
            job.problem(
                    key,
                    "%s takes arguments such as (%s), but the job has %s"
                            .formatted(owner, String.join(", ", names), given));
        }
    }
}
