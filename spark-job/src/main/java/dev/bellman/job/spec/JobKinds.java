package dev.bellman.job.spec;

import dev.bellman.entry.Problem;
import dev.bellman.job.format.Format;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Finds the kinds of jobs other than jobs on many rows, and checks a job by the rules of its kind. */
public final class JobKinds {
    private static final List<JobKind> ALL = ServiceLoader.load(JobKind.class, JobKind.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    private JobKinds() {}

    public static List<JobKind> all() {
        return ALL;
    }

    /** Returns the kind of job that solves a problem; empty if each row is an instance. */
    public static Optional<JobKind> of(Problem<?> problem) {
        return ALL.stream().filter(kind -> kind.problem().equals(problem)).findFirst();
    }

    /** @param own the kind of the job; empty if each row is an instance */
    static void check(JobDocument job, Optional<JobKind> own) {
        own.ifPresentOrElse(kind -> kind.check(job), () -> refuseFormats(job));
    }

    private static void refuseFormats(JobDocument job) {
        for (JobKey<Format> key : List.of(JobKeys.INPUT_FORMAT, JobKeys.TARGETS_FORMAT)) {
            job.given(key)
                    .filter(Format::isInstance)
                    .ifPresent(format -> job.problem(
                            key,
                            "%s is %s, which applies only to %s"
                                    .formatted(
                                            key.path(),
                                            format,
                                            ALL.stream()
                                                    .filter(kind ->
                                                            kind.formats().contains(format))
                                                    .map(kind -> kind.problem().name())
                                                    .collect(Collectors.joining(" and ")))));
        }
    }
}
