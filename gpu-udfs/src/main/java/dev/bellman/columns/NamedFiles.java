package dev.bellman.columns;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.internal.SQLConf;

/** Checks the files that arguments and jobs refer to. */
public final class NamedFiles {
    /** The setting that allows functions to open files named by their arguments. */
    public static final String ENABLED = "spark.bellman.namedFiles.enabled";

    private NamedFiles() {}

    /**
     * Checks that functions are allowed to open files. Works on the driver and in tasks.
     *
     * @param function the function's name, for the error message
     * @param path the path, for the error message
     * @throws BellmanException {@link ErrorCode#BELLMAN_CONFIGURATION} if the session does not allow functions to open
     *     files
     */
    public static void mustBeAllowed(String function, String path) {
        if (!Boolean.parseBoolean(SQLConf.get().getConfString(ENABLED, "true"))) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    "%s: cannot read '%s': this session does not allow functions to open files (%s is false)"
                            .formatted(function, path, ENABLED));
        }
    }

    /**
     * Opens a regular file.
     *
     * @throws IOException if the path is not a regular file but, for example, a pipe or a device
     */
    public static FSDataInputStream open(FileSystem files, Path path) throws IOException {
        mustBeRegular(files, path);
        return files.open(path);
    }

    /**
     * Checks that a path is not a pipe, a socket or a device, which could block its reader forever.
     *
     * @throws IOException if the path is a pipe, a socket or a device
     */
    public static void mustBeRegular(FileSystem files, Path path) throws IOException {
        if ("file".equals(files.getUri().getScheme())) {
            mustBeRegular(
                    java.nio.file.Path.of(files.makeQualified(path).toUri().getPath()));
        }
    }

    /** Checks that a local path is not a pipe, a socket or a device. */
    public static void mustBeRegular(java.nio.file.Path path) throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path)) {
            throw new IOException("it is a pipe, a socket or a device, not a file");
        }
    }
}
