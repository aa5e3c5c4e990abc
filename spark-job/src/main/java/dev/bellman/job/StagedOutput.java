package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * An output folder that appears whole or not at all: everything is written to a hidden folder beside it, and one rename puts
 * that in its place. A run that dies leaves the hidden folder, whose name starts with an underscore, and an output that
 * existed as it was. {@code append} to an output that exists renames the files one by one, each whole, the report last.
 */
final class StagedOutput implements AutoCloseable {
    private final FileSystem files;
    private final Path output;
    private final SaveMode mode;
    private final Path folder;

    private StagedOutput(FileSystem files, Path output, SaveMode mode) {
        this.files = files;
        this.output = output;
        this.mode = mode;
        this.folder = hidden("staging");
    }

    /**
     * Prepares an output.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_OUTPUT_EXISTS} if it exists and {@code mode} is error
     */
    static StagedOutput open(String folder, SaveMode mode, Configuration configuration) {
        try {
            Path path = new Path(folder.replaceAll("(?<=[^/])/+$", ""));
            FileSystem files = path.getFileSystem(configuration);
            Path output = files.makeQualified(path);
            if (output.isRoot()) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_JOB_FILE, "output.path is %s; it must be a folder to make".formatted(folder));
            }
            StagedOutput opened = new StagedOutput(files, output, mode);
            if (mode == SaveMode.ERROR) {
                opened.mustNotExist();
            }
            return opened;
        } catch (IOException | IllegalArgumentException e) {
            throw cannotWrite(folder, e);
        }
    }

    private Path hidden(String purpose) {
        return new Path(
                output.getParent(), "_%s.bellman-%s-%s".formatted(output.getName(), purpose, UUID.randomUUID()));
    }

    private void mustNotExist() throws IOException {
        if (files.exists(output)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_EXISTS,
                    "the output %s exists; choose another, or set output.mode (--mode) to overwrite or append"
                            .formatted(display()));
        }
    }

    /** Whether there is nothing to do, because the output exists and the mode is to ignore that. */
    boolean ignored() {
        try {
            return mode == SaveMode.IGNORE && files.exists(output);
        } catch (IOException e) {
            throw cannotWrite(display(), e);
        }
    }

    /** The folder to write to; it exists. On an orderly exit, an interrupt say, nothing of it stays behind. */
    String folder() {
        try {
            if (!files.mkdirs(folder)) {
                throw new IOException("cannot make the folder " + folder);
            }
            files.deleteOnExit(folder);
            return folder.toString();
        } catch (IOException e) {
            throw cannotWrite(display(), e);
        }
    }

    /** Where the output will be, as a path without the scheme of local files. */
    String display() {
        return output.toUri().getScheme().equals("file") ? output.toUri().getPath() : output.toString();
    }

    /** Writes a small text file under the folder. */
    void write(String name, String text) {
        try (FSDataOutputStream stream = files.create(new Path(folder, name), true)) {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw cannotWrite(display(), e);
        }
    }

    /** Puts the folder in the place of the output, or its files into it. */
    void commit() {
        try {
            if (mode == SaveMode.APPEND && files.exists(output)) {
                append(folder, output);
                return;
            }
            if (mode != SaveMode.OVERWRITE) {
                mustNotExist();
            }
            Path old = hidden("replaced");
            boolean replaces = files.exists(output);
            if (replaces) {
                rename(output, old);
            }
            try {
                rename(folder, output);
            } catch (IOException e) {
                if (replaces) {
                    rename(old, output);
                }
                throw e;
            }
            if (replaces) {
                files.delete(old, true);
            }
        } catch (IOException e) {
            throw cannotWrite(display(), e);
        }
    }

    /** Names of Spark's files never repeat; those that do, the report say, are of the last run. */
    private void append(Path from, Path to) throws IOException {
        FileStatus[] children = files.listStatus(from);
        // data before what tells of it
        Arrays.sort(
                children,
                Comparator.comparing(
                                (FileStatus child) -> child.getPath().getName().startsWith("_"))
                        .thenComparing(FileStatus::getPath));
        for (FileStatus child : children) {
            Path target = new Path(to, child.getPath().getName());
            if (child.isDirectory()) {
                files.mkdirs(target);
                append(child.getPath(), target);
            } else {
                if (files.exists(target)) {
                    files.delete(target, false);
                }
                rename(child.getPath(), target);
            }
        }
    }

    private void rename(Path from, Path to) throws IOException {
        if (!files.rename(from, to)) {
            throw new IOException("cannot rename %s to %s".formatted(from, to));
        }
    }

    /** Removes what was not committed. */
    @Override
    public void close() {
        try {
            files.delete(folder, true);
            files.cancelDeleteOnExit(folder);
        } catch (IOException e) {
            throw cannotWrite(display(), e);
        }
    }

    private static BellmanException cannotWrite(String path, Exception reason) {
        return new BellmanException(
                ErrorCode.BELLMAN_OUTPUT_WRITE,
                "cannot write the output %s: %s".formatted(path, Failures.line(reason)),
                reason);
    }
}
