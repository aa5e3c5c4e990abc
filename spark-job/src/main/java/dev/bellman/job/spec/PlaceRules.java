package dev.bellman.job.spec;

import dev.bellman.job.format.Format;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.table.LakeTable;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;

/** Checks a job's inputs and outputs: files, tables at paths, and catalogue tables. */
final class PlaceRules {
    /** Spark options that would conflict with the path keys of a job. */
    private static final Set<String> PATHS = Set.of("path", "paths");

    private PlaceRules() {}

    /** Checks an input: files, a table at a path, or a catalogue table. */
    static void input(JobDocument job, JobKey<List<String>> path, JobKey<String> table, JobKey<Format> format) {
        boolean named = job.has(table);
        if (named) {
            for (JobKey<?> other : List.of(path, format)) {
                job.refuse(other, "%s is a catalogue table; remove %s".formatted(table.path(), other.path()));
            }
        }
        if (!named && !job.has(path) && !isElsewhere(job, format)) {
            job.missing(path);
        }
        if (job.is(format, Format::isTable) && job.is(path, paths -> paths.size() > 1)) {
            job.problem(path, "%s has several paths, but a table has only one".formatted(path.path()));
        }
        format(job, path, format);
        path(job, path);
    }

    /** Checks that paths that will be read are not blank and do not contain NUL characters. */
    static void path(JobDocument job, JobKey<List<String>> path) {
        for (String text : job.given(path).orElse(List.of())) {
            if (text.isBlank()) {
                job.problem(path, "%s is '%s'; it must not be blank".formatted(path.path(), text));
            } else if (text.indexOf('\0') >= 0) {
                job.problem(path, "%s is '%s', which contains a NUL character".formatted(path.path(), text));
            }
        }
    }

    /**
     * Checks the name of an output folder, so that an invalid name fails before the work starts rather than during the
     * commit.
     */
    private static void folder(JobDocument job, JobKey<String> folder) {
        job.given(folder)
                .filter(text -> !isFolder(text))
                .ifPresent(text -> job.problem(
                        folder,
                        ("%s is '%s'; folder names must not contain NUL, characters that this machine's locale "
                                        + "cannot encode (set LC_ALL=C.UTF-8 to allow all characters), or colons, "
                                        + "except after the file system scheme, as in s3a://bucket/folder")
                                .formatted(folder.path(), text)));
    }

    private static boolean isFolder(String text) {
        try {
            URI uri = new Path(text).toUri();
            if (uri.getScheme() == null || uri.getScheme().equals("file")) {
                java.nio.file.Path.of(uri.getPath());
            }
            return text.indexOf('\0') < 0 && uri.getPath().indexOf(':') < 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Checks the options of a reader or writer. A path among the options would conflict with the key for the path. */
    static void options(JobDocument job, JobKey<Map<String, String>> options) {
        job.given(options).orElse(Map.of()).keySet().stream()
                .filter(name -> PATHS.contains(name.toLowerCase(Locale.ROOT)))
                .forEach(name -> job.problem(
                        options,
                        name,
                        "%s.%s is not an option; set the path with %s.path"
                                .formatted(options.path(), name, options.section())));
    }

    /** Checks that a job on XML files sets the option that Spark requires for them. */
    static void rowTag(JobDocument job, JobKey<Format> format, JobKey<Map<String, String>> options) {
        if (job.is(format, found -> found.name().equals("xml"))
                && job.given(options).orElse(Map.of()).keySet().stream().noneMatch("rowTag"::equalsIgnoreCase)) {
            job.problem(
                    options,
                    "%s is xml, which requires the name of the element that contains a row; set %s.rowTag"
                            .formatted(format.path(), options.path()));
        }
    }

    /** Whether the options determine where a table is, as they do for a database. */
    private static boolean isElsewhere(JobDocument job, JobKey<Format> format) {
        return job.is(format, found -> found.isTable() && !LakeTable.FORMATS.contains(found.name()));
    }

    /** Checks an output: files or a table. */
    static void output(JobDocument job) {
        boolean named = job.has(JobKeys.OUTPUT_TABLE);
        boolean byFormat = job.is(JobKeys.OUTPUT_FORMAT, Format::isTable);
        folder(job, JobKeys.OUTPUT_PATH);
        folder(job, JobKeys.OUTPUT_REPORTS);
        if (!named && !job.has(JobKeys.OUTPUT_PATH) && !isElsewhere(job, JobKeys.OUTPUT_FORMAT)) {
            job.missing(JobKeys.OUTPUT_PATH);
        }
        if (!named && !byFormat) {
            job.resolve(JobKeys.OUTPUT_FORMAT, Format.PARQUET);
            return;
        }
        if (named) {
            job.refuse(JobKeys.OUTPUT_PATH, "output.table is a catalogue table; remove output.path (--output)");
        }
        if (named && !byFormat) {
            job.given(JobKeys.OUTPUT_FORMAT)
                    .ifPresent(format -> job.problem(
                            JobKeys.OUTPUT_FORMAT,
                            ("output.format is %s, which is a file format; for a catalogue table use "
                                            + "delta or iceberg, or remove output.format")
                                    .formatted(format)));
        }
        if (!job.has(JobKeys.OUTPUT_REPORTS)) {
            job.missing(JobKeys.OUTPUT_REPORTS);
        }
        job.given(JobKeys.INPUT_TABLE)
                .filter(table -> job.is(JobKeys.OUTPUT_TABLE, table::equalsIgnoreCase))
                .ifPresent(table -> job.problem(
                        JobKeys.OUTPUT_TABLE,
                        "output.table is the same table as input.table; a job cannot write to "
                                + "the table that it reads. Set a different output.table"));
        if (isElsewhere(job, JobKeys.OUTPUT_FORMAT) && job.is(JobKeys.OUTPUT_SKIP_EXISTING, Boolean::booleanValue)) {
            job.problem(
                    JobKeys.OUTPUT_SKIP_EXISTING,
                    ("output.skipExisting reads the ids of the output, but Bellman cannot determine whether an output "
                                    + "of the data source %s exists; omit output.skipExisting")
                            .formatted(job.given(JobKeys.OUTPUT_FORMAT).orElseThrow()));
        }
        if (job.is(JobKeys.OUTPUT_MODE, SaveMode.OVERWRITE_FORCE::equals)) {
            job.problem(
                    JobKeys.OUTPUT_MODE,
                    "overwrite-force deletes folders, but Bellman never deletes a table; use overwrite to "
                            + "replace its rows");
        }
    }

    /** If the job does not set the format, infers it from the extensions of all paths. */
    static void format(JobDocument job, JobKey<List<String>> path, JobKey<Format> format) {
        if (job.has(format) || job.given(path).isEmpty()) {
            return;
        }
        List<String> paths = job.given(path).get();
        List<Optional<Format>> found = paths.stream().map(Format::of).distinct().toList();
        if (found.size() == 1 && found.get(0).isPresent()) {
            job.resolve(format, found.get(0).get());
        } else {
            job.problem(
                    path,
                    "cannot infer the format from %s; set %s to one of %s"
                            .formatted(
                                    String.join(", ", paths),
                                    format.path(),
                                    String.join(", ", format.type().choices())));
        }
    }
}
