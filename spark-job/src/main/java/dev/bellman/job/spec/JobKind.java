package dev.bellman.job.spec;

import dev.bellman.entry.Problem;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** A kind of job other than the one on many rows. {@link ServiceLoader} finds it. */
public interface JobKind {
    /** The problems that jobs of this kind solve. */
    List<Problem<?>> problems();

    /**
     * Checks the keys of a job.
     *
     * @param problem empty if the job is of another kind
     */
    void check(JobDocument job, Optional<Problem<?>> problem);

    /** All kinds but the one on many rows. */
    static List<JobKind> all() {
        return ServiceLoader.load(JobKind.class, JobKind.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
