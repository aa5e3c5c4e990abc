package dev.bellman.job.output;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobFilter;
import org.apache.hadoop.fs.Path;

/**
 * Checks the rules that a job's output must follow. An output must not equal, contain or be inside an input of its job
 * or another output in the job file, and {@code overwrite} must not delete files that neither Spark nor Bellman wrote.
 */
public final class OutputRules {
    private static final Pattern WRITTEN_FILE =
            Pattern.compile("\\.?(part-.+|_SUCCESS|_metadata|_common_metadata)(\\.crc)?");
    private static final List<String> WRITTEN_FOLDERS = List.of(OutputNames.OWN_FOLDER, "_temporary");
    /** The folder in which S3A's magic committer keeps uncommitted files. */
    private static final String MAGIC = "__magic";

    private static final int NAMED = 3;

    private OutputRules() {}

    /** The paths that a job uses. */
    public record Paths(String job, List<String> inputs, List<String> outputs) {}

    private record Output(String job, OutputPath path) {}

    /**
     * Checks the paths of consecutive jobs before the first one begins.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_OUTPUT_UNSAFE} if an output equals, contains or is inside an
     *     input of its job or another output
     */
    public static void check(List<Paths> jobs, Configuration configuration) {
        List<Output> outputs = new ArrayList<>();
        for (Paths job : jobs) {
            for (String path : job.outputs) {
                OutputPath output = OutputPath.ofOutput(path, configuration);
                for (String input : job.inputs) {
                    mustBeApart(job.job, output, input, configuration);
                }
                for (Output other : outputs) {
                    mustDiffer(other.job, other.path, job.job, output);
                }
                outputs.add(new Output(job.job, output));
            }
        }
    }

    /**
     * Before the first of several jobs runs, checks that a new output does not exist yet. If an interrupted run left
     * files next to the output, the job makes this check later, when it runs.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_OUTPUT_EXISTS} if the output exists
     */
    public static void mustBeNew(String folder, Configuration configuration) {
        OutputPath output = OutputPath.ofOutput(folder, configuration);
        OutputFiles files = new OutputFiles(output.fileSystem(), configuration);
        try {
            Optional<FileStatus> status = files.status(output.path());
            if (status.filter(FileStatus::isDirectory).isPresent()
                    && OutputNames.left(files, output.path()).isEmpty()) {
                throw StagedOutput.exists(output.display());
            }
        } catch (IOException e) {
            throw WriteFailures.cannotWrite(output.display(), e);
        }
    }

    private static void mustDiffer(String first, OutputPath one, String second, OutputPath other) {
        boolean holds = one.contains(other);
        boolean lies = other.contains(one);
        if (holds || lies) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_UNSAFE,
                    "the output %s of job %s %s the output %s of job %s; use a separate folder for each job"
                            .formatted(one.display(), first, relation(holds, lies), other.display(), second));
        }
    }

    private static String relation(boolean holds, boolean lies) {
        return holds && lies ? "is" : holds ? "contains" : "is inside";
    }

    private static void mustBeApart(String job, OutputPath output, String input, Configuration configuration) {
        for (OutputPath place : placesOrError(input, output, configuration)) {
            boolean holds = output.contains(place);
            boolean lies = place.contains(output);
            if (holds || lies) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_OUTPUT_UNSAFE,
                        ("%s: the output %s %s the input %s; a job must not write to its input. Choose a different "
                                        + "output")
                                .formatted(job, output.display(), relation(holds, lies), place.display()));
            }
        }
    }

    private static List<OutputPath> placesOrError(String input, OutputPath output, Configuration configuration) {
        try {
            return places(input, output, configuration);
        } catch (IOException | RuntimeException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    "cannot read the input %s: %s".formatted(input, WriteFailures.reason(e)),
                    e);
        }
    }

    /**
     * Returns the paths that are read for an input path: the path itself or the matches of a pattern, and the targets
     * of the links in local folders.
     */
    private static List<OutputPath> places(String input, OutputPath output, Configuration configuration)
            throws IOException {
        List<OutputPath> places = new ArrayList<>();
        Path path = new Path(input);
        FileSystem fileSystem = path.getFileSystem(configuration);
        if (!PathPattern.isPattern(input) || fileSystem.exists(path)) {
            places.add(OutputPath.of(input, configuration));
        } else {
            FileStatus[] matches = fileSystem.globStatus(path);
            for (FileStatus match : matches == null ? new FileStatus[0] : matches) {
                places.add(OutputPath.of(fileSystem, match.getPath(), configuration));
            }
            if (matches(fileSystem.makeQualified(path), output.given())) {
                // the pattern would also match the output, once the output exists
                places.add(output);
            }
        }
        for (OutputPath place : List.copyOf(places)) {
            if (place.isLocal()) {
                places.addAll(linksIn(place, configuration));
            }
        }
        return places;
    }

    /** Whether a pattern matches a path, or a folder that contains the path. */
    private static boolean matches(Path pattern, Path path) throws IOException {
        int depth = pattern.depth();
        Path at = path;
        while (at.depth() > depth) {
            at = at.getParent();
        }
        Path part = pattern;
        for (; at.depth() == part.depth() && at.depth() > 0; at = at.getParent(), part = part.getParent()) {
            try {
                if (!new GlobFilter(part.getName()).accept(at)) {
                    return false;
                }
            } catch (IOException e) {
                // if braces in a pattern contain a slash, its matches can be determined only from existing files
                return false;
            }
        }
        return at.depth() == 0 && part.depth() == 0 && at.toUri().equals(part.toUri());
    }

    private static List<OutputPath> linksIn(OutputPath place, Configuration configuration) throws IOException {
        List<OutputPath> links = new ArrayList<>();
        java.nio.file.Path folder = OutputFiles.localPath(place.path());
        if (!Files.isDirectory(folder)) {
            return links;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(java.nio.file.Path file, BasicFileAttributes attributes)
                    throws IOException {
                if (attributes.isSymbolicLink() && Files.exists(file)) {
                    links.add(OutputPath.of(
                            place.fileSystem(),
                            place.fileSystem().makeQualified(new Path(file.toString())),
                            configuration));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(java.nio.file.Path file, IOException failure) {
                return FileVisitResult.CONTINUE;
            }
        });
        return links;
    }

    /**
     * Checks a folder that {@code overwrite} is about to replace.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_OUTPUT_UNSAFE} if the folder contains files that neither Spark
     *     nor Bellman wrote
     */
    public static void mustBeReplaceable(String folder, Configuration configuration) {
        OutputPath path = OutputPath.ofOutput(folder, configuration);
        try {
            mustBeReplaceable(new OutputFiles(path.fileSystem(), configuration), path.path(), path.display());
        } catch (IOException e) {
            throw WriteFailures.cannotWrite(folder, e);
        }
    }

    static void mustBeReplaceable(OutputFiles files, Path output, String display) throws IOException {
        List<String> strangers = new ArrayList<>();
        collectStrangers(files, output, "", strangers);
        if (!strangers.isEmpty()) {
            String named = String.join(", ", strangers.subList(0, Math.min(NAMED, strangers.size())));
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_UNSAFE,
                    ("the output %s contains files that neither Spark nor Bellman wrote: %s; choose a "
                                            + "different output, move these files away,")
                                    .formatted(display, strangers.size() > NAMED ? named + ", ..." : named)
                            + " or set output.mode to overwrite-force to delete them");
        }
    }

    /** Whether a file in an output may have been written by Spark or Bellman. */
    static boolean mayBeWritten(String name) {
        int slash = name.lastIndexOf('/');
        String folders = name.substring(0, slash + 1);
        return WRITTEN_FOLDERS.stream().anyMatch(folder -> name.startsWith(folder + "/"))
                || name.startsWith(MAGIC)
                || isOfPartitions(folders)
                        && WRITTEN_FILE.matcher(name.substring(slash + 1)).matches();
    }

    /**
     * Whether all folders are partition folders, such as {@code lang=de/town=a/}; also true if there are no folders.
     */
    private static boolean isOfPartitions(String folders) {
        return folders.matches("([^/=]+=[^/]*/)*");
    }

    /** Collects the files that neither Spark nor Bellman wrote. Stops after one file more than a message lists. */
    private static void collectStrangers(OutputFiles files, Path folder, String prefix, List<String> into)
            throws IOException {
        for (FileStatus child : files.list(folder)) {
            String name = child.getPath().getName();
            if (into.size() > NAMED) {
                return;
            }
            if (!child.isDirectory()) {
                if (!mayBeWritten(prefix + name)) {
                    into.add(prefix + name);
                }
            } else if (!prefix.isEmpty() || !WRITTEN_FOLDERS.contains(name)) {
                collectStrangers(files, child.getPath(), prefix + name + "/", into);
            }
        }
    }
}
