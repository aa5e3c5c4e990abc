package dev.bellman.job.output;

import dev.bellman.columns.NamedFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.CreateFileOptionKeys;
import org.apache.hadoop.fs.Path;

/**
 * The file operations that a commit uses. Unless noted otherwise, they neither replace existing files nor merge with
 * them.
 *
 * <p>Hadoop's local file system first checks whether a file exists and then creates it, and it copies what it cannot
 * rename. To create a local file or to move a local folder, {@code java.nio} is used instead, which works in one step
 * or fails.
 */
final class OutputFiles {
    /**
     * The schemes of file systems on which a rename copies files, or may stop halfway. The Hadoop setting {@value
     * #MORE_OBJECT_STORES} adds more.
     */
    private static final List<String> OBJECT_STORES =
            List.of("s3a", "s3", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "oss", "cosn", "obs", "oci");

    private static final String MORE_OBJECT_STORES = "bellman.output.object-stores";

    private final FileSystem files;
    private final boolean local;
    private final boolean objectStore;
    private final LocalPermissions permissions;

    OutputFiles(FileSystem files, Configuration configuration) {
        this.files = files;
        String scheme = files.getUri().getScheme();
        this.local = "file".equals(scheme);
        this.permissions = new LocalPermissions(files.getConf());
        this.objectStore = OBJECT_STORES.contains(scheme)
                || configuration.getTrimmedStringCollection(MORE_OBJECT_STORES).contains(scheme);
    }

    /** Whether a rename of a folder takes more than one step on this file system. */
    boolean objectStore() {
        return objectStore;
    }

    static java.nio.file.Path localPath(Path path) {
        return java.nio.file.Path.of(path.toUri().getPath());
    }

    boolean exists(Path path) throws IOException {
        return files.exists(path);
    }

    /** Returns the status of a path; empty if the path does not exist. */
    Optional<FileStatus> status(Path path) throws IOException {
        try {
            return Optional.of(files.getFileStatus(path));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Lists the contents of a folder, sorted by name; empty if the folder does not exist. */
    List<FileStatus> list(Path folder) throws IOException {
        try {
            return Arrays.stream(files.listStatus(folder))
                    .sorted(Comparator.comparing(FileStatus::getPath))
                    .toList();
        } catch (FileNotFoundException e) {
            return List.of();
        }
    }

    /** Lists the files below a folder, as paths relative to it. */
    List<String> filesBelow(Path folder) throws IOException {
        List<String> found = new ArrayList<>();
        collect(folder, "", found);
        return found;
    }

    private void collect(Path folder, String prefix, List<String> into) throws IOException {
        for (FileStatus child : list(folder)) {
            String name = prefix + child.getPath().getName();
            if (child.isDirectory()) {
                collect(child.getPath(), name + "/", into);
            } else {
                into.add(name);
            }
        }
    }

    void makeFolder(Path folder) throws IOException {
        if (!files.mkdirs(folder)) {
            throw new IOException("cannot create the folder " + folder);
        }
    }

    /** Creates a text file. Returns false if the file already exists. */
    boolean createNew(Path path, String text) throws IOException {
        OutputStream stream;
        try {
            stream = local
                    ? Files.newOutputStream(localPath(path), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
                    : createNew(path);
        } catch (IOException e) {
            if (files.exists(path)) {
                return false;
            }
            throw e;
        }
        try (stream) {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
            if (local) {
                permissions.set(localPath(path));
            }
        } catch (IOException e) {
            if (objectStore && files.exists(path)) {
                return false;
            }
            deleteFile(path);
            throw e;
        }
        return true;
    }

    private OutputStream createNew(Path path) throws IOException {
        FSDataOutputStreamBuilder<?, ?> builder = files.createFile(path);
        builder.overwrite(false);
        // without this option, some object stores replace an existing object; with it, they reject the new object when
        // it is complete
        builder.opt(CreateFileOptionKeys.FS_OPTION_CREATE_CONDITIONAL_OVERWRITE, true);
        return builder.build();
    }

    /** Writes a small text file, replacing any existing one. */
    void write(Path path, String text) throws IOException {
        if (local) {
            // do not write a checksum file, because a killed process could leave the two files inconsistent
            permissions.createFolder(localPath(path).getParent());
            Files.writeString(localPath(path), text);
            permissions.set(localPath(path));
            return;
        }
        try (FSDataOutputStream stream = files.create(path, true)) {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
            stream.hsync();
        }
    }

    /** Returns the contents of a small text file; empty if it does not exist. */
    Optional<String> read(Path path) throws IOException {
        try (var stream = NamedFiles.open(files, path)) {
            return Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /**
     * Sets a file's modification time to the current time; if the file system does not support that, rewrites its text.
     */
    void touch(Path path, String text) throws IOException {
        long before = files.getFileStatus(path).getModificationTime();
        files.setTimes(path, System.currentTimeMillis(), -1);
        if (files.getFileStatus(path).getModificationTime() == before) {
            write(path, text);
        }
    }

    /** Renames a folder to an unused path. */
    void moveFolder(Path from, Path to) throws IOException {
        mustBeFree(to);
        if (local) {
            Files.move(localPath(from), localPath(to), StandardCopyOption.ATOMIC_MOVE);
            return;
        }
        rename(from, to);
        // if a different process created `to` in the meantime, Hadoop moves `from` into it
        Path inside = new Path(to, from.getName());
        if (files.exists(inside)) {
            rename(inside, from);
            throw new IOException("another process created %s at the same moment".formatted(to));
        }
    }

    /** Renames a file to an unused path. */
    void moveFile(Path from, Path to) throws IOException {
        mustBeFree(to);
        rename(from, to);
    }

    private void mustBeFree(Path path) throws IOException {
        if (files.exists(path)) {
            throw new IOException("%s already exists".formatted(path));
        }
    }

    /**
     * Renames a path. Ignores a failure if the path has been renamed nevertheless, for example because a remote file
     * system retried the rename.
     */
    private void rename(Path from, Path to) throws IOException {
        IOException failure = new IOException("cannot rename %s to %s".formatted(from, to));
        try {
            if (files.rename(from, to)) {
                return;
            }
        } catch (IOException e) {
            failure = e;
        }
        if (files.exists(from) || !files.exists(to)) {
            throw failure;
        }
    }

    /** Deletes a file if it exists. */
    void deleteFile(Path path) throws IOException {
        delete(path, false);
    }

    /** Deletes a folder and its contents, if the folder exists. This takes more than one operation. */
    void deleteFolder(Path folder) throws IOException {
        delete(folder, true);
    }

    private void delete(Path path, boolean recursive) throws IOException {
        IOException failure = new IOException("cannot delete " + path);
        try {
            if (files.delete(path, recursive)) {
                return;
            }
        } catch (IOException e) {
            failure = e;
        }
        if (files.exists(path)) {
            throw failure;
        }
    }

    /** Deletes a folder if it is empty. */
    void deleteIfEmpty(Path folder) throws IOException {
        if (files.exists(folder) && files.listStatus(folder).length == 0) {
            deleteFile(folder);
        }
    }
}
