package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * An output folder that appears whole or not at all: everything is written to a hidden folder beside it, and one rename puts
 * that in its place. A run that dies leaves the hidden folder, whose name starts with an underscore, and an output that
 * existed as it was. Only {@code append} writes into the output itself, by the commit protocol of Spark.
 */
final class StagedOutput implements AutoCloseable {
    private final FileSystem files;
    private final Path output;
    private final Path folder;
    private final boolean staged;

    private StagedOutput(FileSystem files, Path output, Path folder) {
        this.files = files;
        this.output = output;
        this.folder = folder;
        this.staged = !folder.equals(output);
    }

    /**
     * Prepares an output.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_OUTPUT_EXISTS} if it exists and {@code mode} is error
     */
    static StagedOutput open(Job.Sink sink, Configuration configuration) {
        try {
            Path path = new Path(sink.path().replaceAll("(?<=[^/])/+$", ""));
            FileSystem files = path.getFileSystem(configuration);
            Path output = files.makeQualified(path);
            if (output.isRoot()) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_JOB_FILE,
                        "output.path is %s; it must be a folder to make".formatted(sink.path()));
            }
            StagedOutput opened = new StagedOutput(
                    files, output, sink.mode() == SaveMode.APPEND ? output : hidden(output, "staging"));
            if (sink.mode() == SaveMode.ERROR) {
                opened.mustNotExist();
            }
            return opened;
        } catch (IOException | IllegalArgumentException e) {
            throw cannotWrite(sink.path(), e);
        }
    }

    private static Path hidden(Path output, String purpose) {
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

    boolean exists() {
        try {
            return files.exists(output);
        } catch (IOException e) {
            throw cannotWrite(display(), e);
        }
    }

    /** The folder to write to; it exists. On an orderly exit, an interrupt say, nothing of it stays behind. */
    String folder() {
        try {
            if (staged && files.mkdirs(folder)) {
                files.deleteOnExit(folder);
            }
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

    /** Puts the folder in the place of the output. */
    void commit(SaveMode mode) {
        if (!staged) {
            return;
        }
        try {
            if (mode != SaveMode.OVERWRITE) {
                mustNotExist();
                rename(folder, output);
                return;
            }
            Path old = hidden(output, "replaced");
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

    private void rename(Path from, Path to) throws IOException {
        if (!files.rename(from, to)) {
            throw new IOException("cannot rename %s to %s".formatted(from, to));
        }
    }

    /** Removes what was not committed. */
    @Override
    public void close() {
        if (staged) {
            try {
                files.delete(folder, true);
                files.cancelDeleteOnExit(folder);
            } catch (IOException e) {
                throw cannotWrite(display(), e);
            }
        }
    }

    private static BellmanException cannotWrite(String path, Exception reason) {
        return new BellmanException(
                ErrorCode.BELLMAN_OUTPUT_WRITE,
                "cannot write the output %s: %s".formatted(path, Failures.line(reason)),
                reason);
    }
}
