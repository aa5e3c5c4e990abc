package dev.bellman.job.spec;

import dev.bellman.job.format.Format;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of an input that consists of files. */
public record SourceKeys(JobKey<List<String>> path, JobKey<Format> format, JobKey<Map<String, String>> options) {
    /** Returns the job's input with these keys, if it has one. */
    public Optional<Job.Source> of(Job job) {
        return job.find(path).map(paths -> new Job.Source(paths, Optional.empty(), job.find(format), job.get(options)));
    }

    /** Reports errors in the input's keys. */
    void check(JobDocument job) {
        PlaceRules.format(job, path, format);
        PlaceRules.path(job, path);
    }
}
