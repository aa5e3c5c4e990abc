package dev.bellman.job.input;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.NamedFiles;
import dev.bellman.job.format.Format;
import dev.bellman.job.output.PathPattern;
import dev.bellman.job.spec.Job;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.text.Codec;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The files at the paths of an input, which are checked before Spark reads them. Spark silently skips
 * {@linkplain #isHidden hidden} files (even if a path names such a file explicitly), files in subfolders that are not
 * partition folders, and empty files of formats whose files are never empty.
 */
public final class InputFiles {
    /** Spark options that determine which files of a folder are read. */
    private static final List<String> CHOOSING = List.of("pathglobfilter", "modifiedbefore", "modifiedafter");

    private final Job.Source source;
    /** For each path of the source, the files and folders to which it leads. */
    private final List<List<Path>> roots;

    private final List<FileStatus> files;

    private InputFiles(Job.Source source, List<List<Path>> roots, List<FileStatus> files) {
        this.source = source;
        this.roots = roots;
        this.files = files;
    }

    /**
     * Lists the files of a source. A path is either a file or a folder, or it is a pattern.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_READ} if nothing exists at a path or a file cannot be
     *     read; {@link ErrorCode#BELLMAN_INPUT_EMPTY} if a folder has no files or, except in sequence formats, all
     *     files at a path are empty
     */
    public static InputFiles of(Job.Source source, Configuration configuration) {
        List<List<Path>> roots = new ArrayList<>();
        List<FileStatus> files = new ArrayList<>();
        for (String path : source.paths()) {
            try {
                Path named = new Path(path);
                FileSystem system = named.getFileSystem(configuration);
                List<FileStatus> matches = matches(system, named);
                if (matches.isEmpty()) {
                    throw missing(path, null);
                }
                roots.add(matches.stream().map(FileStatus::getPath).toList());
                List<FileStatus> found = new ArrayList<>();
                for (FileStatus match : matches) {
                    if (match.isDirectory()) {
                        list(system, match.getPath(), found);
                    } else {
                        found.add(match);
                    }
                }
                for (FileStatus file : found) {
                    mustBeRegular(system, file);
                }
                check(source.format().orElseThrow(), path, found);
                files.addAll(found);
            } catch (FileNotFoundException e) {
                throw missing(path, e);
            } catch (IOException | IllegalArgumentException e) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_READ,
                        "cannot read the input %s: %s"
                                .formatted(path, Failures.colon(e).orElseGet(() -> Failures.line(e))),
                        e);
            }
        }
        return new InputFiles(source, roots, files);
    }

    /** Returns one string for each file: its path, length and modification time. */
    public List<String> signatures() {
        return files.stream()
                .map(file -> "%s %s %s".formatted(file.getPath(), file.getLen(), file.getModificationTime()))
                .sorted()
                .toList();
    }

    /** Returns the path that one of the {@link #signatures} contains. */
    public static String pathOf(String signature) {
        return signature.replaceAll(" \\d+ \\d+$", "");
    }

    /** Returns the total size of all files in bytes. */
    public long bytes() {
        return files.stream().mapToLong(FileStatus::getLen).sum();
    }

    Job.Source source() {
        return source;
    }

    /** Returns the status of each file. */
    List<FileStatus> listed() {
        return files;
    }

    /** Returns the paths of all files. */
    public List<Path> files() {
        return files.stream().map(FileStatus::getPath).toList();
    }

    /** Returns the paths that Spark should load, in which the special characters of patterns are escaped. */
    String[] paths() {
        return roots.stream()
                .flatMap(List::stream)
                .map(root -> PathPattern.literal(root.toString()))
                .toArray(String[]::new);
    }

    /** Returns those of the {@link #paths} that belong to one path of the source. */
    String[] paths(int index) {
        return roots.get(index).stream()
                .map(root -> PathPattern.literal(root.toString()))
                .toArray(String[]::new);
    }

    /**
     * Fails if Spark would skip a file that is not empty, unless options determine which files Spark reads.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_READ}
     */
    void mustAllBeIn(Dataset<Row> rows) throws IOException {
        if (source.options().keySet().stream().anyMatch(option -> CHOOSING.contains(option.toLowerCase(Locale.ROOT)))) {
            return;
        }
        Set<String> read = Arrays.stream(rows.inputFiles())
                .map(file -> URI.create(file).getPath())
                .collect(Collectors.toSet());
        Predicate<FileStatus> passedOver = file ->
                file.getLen() > 0 && !read.contains(file.getPath().toUri().getPath());
        Optional<FileStatus> skipped = files.stream().filter(passedOver).findFirst();
        if (skipped.isPresent()) {
            Path path = skipped.get().getPath();
            Configuration configuration = rows.sparkSession().sparkContext().hadoopConfiguration();
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    (path.getFileSystem(configuration).exists(path)
                                    ? "%s is in a subfolder of the input, and Spark reads subfolders only if they are "
                                            + "partitions, such as day=1; set the option recursiveFileLookup: true, or "
                                            + "use the subfolder as the path"
                                    : "%s was deleted while the job was reading its input; run the job again")
                            .formatted(path));
        }
    }

    private static List<FileStatus> matches(FileSystem system, Path named) throws IOException {
        try {
            return List.of(system.getFileStatus(named));
        } catch (FileNotFoundException e) {
            FileStatus[] matches = system.globStatus(named);
            return matches == null
                    ? List.of()
                    : Arrays.stream(matches)
                            .filter(match -> !isHidden(match.getPath().getName()))
                            .toList();
        }
    }

    /** Lists the files below a folder, except hidden files and the contents of hidden folders. */
    private static void list(FileSystem system, Path folder, List<FileStatus> into) throws IOException {
        for (FileStatus child : system.listStatus(folder)) {
            if (isHidden(child.getPath().getName())) {
                continue;
            }
            if (child.isDirectory()) {
                list(system, child.getPath(), into);
            } else {
                into.add(child);
            }
        }
    }

    /** Whether Spark ignores files and folders that have this name, because it does not consider them data. */
    private static boolean isHidden(String name) {
        return name.startsWith("_") && !name.contains("=") || name.startsWith(".") || name.endsWith("._COPYING_");
    }

    private static void mustBeRegular(FileSystem system, FileStatus file) {
        try {
            NamedFiles.mustBeRegular(system, file.getPath());
        } catch (IOException e) {
            throw unreadable(file, e.getMessage());
        }
    }

    private static void check(Format format, String path, List<FileStatus> files) {
        for (FileStatus file : files) {
            String name = file.getPath().getName();
            if (isHidden(name)) {
                throw unreadable(
                        file, "Spark skips files whose names start with _ or . or end in ._COPYING_; rename the file");
            }
            if (!format.readsText()) {
                if (file.getLen() == 0 && format.isOwn()) {
                    throw unreadable(
                            file,
                            "the file is empty, but files in this format cannot be empty; write the file again or "
                                    + "remove "
                                    + "it");
                }
                continue;
            }
            Optional<String> other = Codec.unreadable(name);
            if (other.isPresent()) {
                throw unreadable(
                        file,
                        "%s is not supported; unpack the file, or compress it with gzip, bzip2, zstd, xz or lz4"
                                .formatted(other.get()));
            }
            if (file.getLen() == 0 && Codec.of(name).isPresent()) {
                throw unreadable(
                        file,
                        "the file is empty, but compressed files cannot be empty; copy or compress "
                                + "the file again");
            }
        }
        // files of a sequence format may be empty, because the format defines the columns
        boolean needed = files.isEmpty() || !format.sequences();
        if (needed && files.stream().allMatch(file -> file.getLen() == 0)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_EMPTY,
                    files.isEmpty()
                            ? "the input %s contains no data files".formatted(path)
                            : "the input %s is empty: its files have 0 bytes".formatted(path));
        }
    }

    /** Returns a hint if a file's extension implies a format other than the source's; otherwise, an empty string. */
    String hint() {
        Format format = source.format().orElseThrow();
        return files.stream()
                .map(file -> file.getPath().getName())
                .flatMap(name -> Format.of(name)
                        .filter(implied -> implied != format && implied != Format.PARQUET)
                        .map(implied -> (". The format is %s, but the file %s looks like %s; set input.format, or "
                                        + "targets.format for targets")
                                .formatted(format, name, implied))
                        .stream())
                .findFirst()
                .orElse("");
    }

    private static BellmanException missing(String path, Exception failure) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_READ,
                "no input exists at %s; relative paths are resolved against the working directory".formatted(path),
                failure);
    }

    private static BellmanException unreadable(FileStatus file, String reason) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_READ, "cannot read the input %s: %s".formatted(file.getPath(), reason));
    }
}
