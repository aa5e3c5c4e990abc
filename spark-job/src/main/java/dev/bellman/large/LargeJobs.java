package dev.bellman.large;

import dev.bellman.entry.Problem;
import dev.bellman.job.spec.JobDocument;
import dev.bellman.job.spec.JobKind;
import java.util.List;
import java.util.Optional;

/** The jobs whose whole input is one instance. */
public final class LargeJobs implements JobKind {
    @Override
    public List<Problem<?>> problems() {
        return OneInstanceRun.PROBLEMS;
    }

    @Override
    public void check(JobDocument job, Optional<Problem<?>> problem) {
        OneInstanceRules.check(job, problem);
    }
}
