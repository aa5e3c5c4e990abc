package dev.bellman.job.spec;

import dev.bellman.job.format.Format;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The keys for an input that consists of files. */
public record SourceKeys(JobKey<List<String>> path, JobKey<Format> format, JobKey<Map<String, String>> options) {
    /**
     * Defines the keys of an input that exists only for jobs of one {@link JobKind}.
     *
     * @param section the section that contains the keys
     * @param path the description of the path
     */
    public static SourceKeys ofKind(String section, String path, Consumer<JobKey<?>> table) {
        return new SourceKeys(
                JobKey.ofKind(section + ".path", KeyType.texts(), "PATH", table).requiredWithSection(path),
                JobKey.ofKind(section + ".format", KeyType.choice(Format.readable(), Format::name), "FORMAT", table)
                        .optional(JobKeys.FORMAT_BY_EXTENSION, "same as `input.format`"),
                JobKey.ofKind(section + ".options", KeyType.options(), "KEY=VALUE", table)
                        .defaultsTo(Map.of(), "none", "same as `input.options`"));
    }

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
