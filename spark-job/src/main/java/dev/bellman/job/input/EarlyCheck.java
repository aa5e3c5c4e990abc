package dev.bellman.job.input;

import dev.bellman.BellmanException;
import dev.bellman.job.format.Format;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.PairingMode;
import dev.bellman.job.terminal.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Before Spark starts, finds paths and columns that do not exist in local inputs, for all jobs in a file. Does not
 * check what can be checked only during the run: expressions, partition folders, and outputs of earlier jobs.
 */
public final class EarlyCheck {
    /** Expressions, in lowercase, that look like the name of a column. */
    private static final Set<String> WORDS = Set.of(
            "true",
            "false",
            "null",
            "current_date",
            "current_timestamp",
            "current_time",
            "current_user",
            "localtimestamp",
            "session_user",
            "user");

    private EarlyCheck() {}

    /**
     * Checks jobs that run one after another.
     *
     * @throws BellmanException for the first problem; the run itself would fail with the same error code
     */
    public static void check(List<Job> jobs, Configuration configuration) {
        for (Job job : beforehand(jobs, configuration)) {
            try {
                // the first source is the input
                List<Job.Source> sources = job.sources();
                for (int i = 0; i < sources.size(); i++) {
                    check(job, sources.get(i), i == 0, configuration);
                }
            } catch (BellmanException e) {
                throw Failures.ofJob(job.get(JobKeys.NAME), e, e);
            } catch (IOException | RuntimeException e) {
                // the run will report this problem
                return;
            }
        }
    }

    /**
     * Returns those jobs that can be checked before the first job runs. Excludes jobs that have the output mode
     * {@code ignore}, or that may read the output of an earlier job.
     */
    public static List<Job> beforehand(List<Job> jobs, Configuration configuration) {
        Set<Path> written = new HashSet<>();
        boolean tables = false;
        List<Job> found = new ArrayList<>();
        for (Job job : jobs) {
            try {
                boolean mayReadTable = tables
                        && job.sources().stream()
                                .anyMatch(source -> source.table().isPresent());
                if (job.get(JobKeys.OUTPUT_MODE) != SaveMode.IGNORE
                        && !mayReadTable
                        && !readsAny(job, written, configuration)) {
                    found.add(job);
                }
                tables |= job.find(JobKeys.OUTPUT_TABLE).isPresent();
                if (job.find(JobKeys.OUTPUT_PATH).isPresent()) {
                    written.add(qualified(job.get(JobKeys.OUTPUT_PATH), configuration));
                }
            } catch (IOException | RuntimeException e) {
                // the run will report this problem
                return found;
            }
        }
        return found;
    }

    private static boolean readsAny(Job job, Set<Path> written, Configuration configuration) throws IOException {
        for (Job.Source source : job.sources()) {
            for (String path : source.paths()) {
                for (Path at = qualified(path, configuration); at != null; at = at.getParent()) {
                    if (written.contains(at)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static Path qualified(String path, Configuration configuration) throws IOException {
        Path named = new Path(path);
        return named.getFileSystem(configuration).makeQualified(named);
    }

    private static void check(Job job, Job.Source source, boolean first, Configuration configuration)
            throws IOException {
        Optional<Format> format = source.format().filter(Format::isOwn);
        if (format.isEmpty() || source.paths().isEmpty() || source.table().isPresent()) {
            return;
        }
        for (String path : source.paths()) {
            if (!(new Path(path).getFileSystem(configuration) instanceof LocalFileSystem)) {
                return;
            }
        }
        InputFiles files = InputFiles.of(source, configuration);
        if (first
                && files.files().stream()
                        .noneMatch(file -> file.getParent().toString().contains("="))) {
            columns(format.get(), source, files, configuration).ifPresent(columns -> names(job)
                    .filter(name -> columns.stream().noneMatch(name::equalsIgnoreCase))
                    .findFirst()
                    .ifPresent(name -> {
                        throw InputColumns.missing("the input has", columns, name);
                    }));
        }
    }

    private static Optional<List<String>> columns(
            Format format, Job.Source source, InputFiles files, Configuration configuration) {
        try {
            return format.columns(source.options(), files.listed(), configuration)
                    .filter(columns -> !columns.isEmpty());
        } catch (IOException | RuntimeException e) {
            // the run will report the damaged file
            return Optional.empty();
        }
    }

    /** Returns the names in a job that must be names of input columns. */
    private static Stream<String> names(Job job) {
        // the arguments of joined rows are columns of pairs
        Stream<String> arguments =
                job.find(JobKeys.ARGUMENTS).filter(any -> job.get(JobKeys.PAIRING) != PairingMode.JOIN).stream()
                        .flatMap(List::stream)
                        .filter(argument -> argument.matches("[A-Za-z_]\\w*")
                                && !WORDS.contains(argument.toLowerCase(Locale.ROOT)));
        Stream<String> kept =
                job.get(JobKeys.PAIRING) == PairingMode.COLUMNS ? job.get(JobKeys.KEEP).stream() : Stream.empty();
        return Stream.of(arguments, job.find(JobKeys.ID).stream(), kept).flatMap(each -> each);
    }
}
