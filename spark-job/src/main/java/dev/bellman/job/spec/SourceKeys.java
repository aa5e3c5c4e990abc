package dev.bellman.job.spec;

import dev.bellman.job.format.Format;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys for an input that consists of files. */
public record SourceKeys(JobKey<List<String>> path, JobKey<Format> format, JobKey<Map<String, String>> options) {
    /** Returns the input that these keys define, if the job has this input. */
    public Optional<Job.Source> of(Job job) {
        return job.find(path).map(paths -> new Job.Source(paths, Optional.empty(), job.find(format), job.get(options)));
    }

    /** Reports errors in the keys of the input. */
    void check(JobDocument job) {
        PlaceRules.format(job, path, format);
        PlaceRules.path(job, path);
    }
}
