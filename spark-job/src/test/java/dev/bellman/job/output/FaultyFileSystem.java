package dev.bellman.job.output;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * Local files under the schemes {@code faulty}, where renaming works as on HDFS, and {@code store}, where a file
 * appears only when it is complete, as in an object store. Each change to the disk is a step. Before a chosen step, the
 * process "dies": this step and all later ones throw {@link Killed} and change nothing. Alternatively, the step fails,
 * either before or after its change, and all other steps succeed.
 */
public abstract class FaultyFileSystem extends LocalFiles.Raw {
    /** Simulates the end of the process as far as a test can. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    enum Fault {
        NONE,
        KILL,
        FAIL_BEFORE,
        FAIL_AFTER
    }

    /** Files at {@code faulty:/path}. */
    public static final class Faulty extends FaultyFileSystem {
        public Faulty() {
            super("faulty");
        }
    }

    /** Files at {@code store:/path}. */
    public static final class Store extends FaultyFileSystem {
        public Store() {
            super("store");
        }
    }

    private static Fault fault = Fault.NONE;
    private static int stepsLeft;
    private static boolean happened;
    private static Runnable beforeRename = () -> {};

    private final String scheme;

    FaultyFileSystem(String scheme) {
        this.scheme = scheme;
    }

    static Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.setClass("fs.faulty.impl", Faulty.class, FaultyFileSystem.class);
        configuration.setClass("fs.store.impl", Store.class, FaultyFileSystem.class);
        configuration.set("bellman.output.object-stores", "store");
        return configuration;
    }

    /** Plans a fault at this step, counted from 0. */
    static void plan(Fault kind, int step) {
        fault = kind;
        if (kind != Fault.NONE) {
            stepsLeft = step;
            happened = false;
        }
    }

    static void beforeRename(Runnable action) {
        beforeRename = action;
    }

    /** Whether the planned fault has happened. */
    static boolean happened() {
        return happened;
    }

    private interface Step<T> {
        T take() throws IOException;
    }

    private static synchronized <T> T step(Step<T> change) throws IOException {
        if (fault == Fault.NONE || happened && fault != Fault.KILL || !happened && stepsLeft-- > 0) {
            return change.take();
        }
        happened = true;
        if (fault == Fault.KILL) {
            throw new Killed();
        }
        if (fault == Fault.FAIL_AFTER) {
            change.take();
        }
        throw new IOException("No space left on device");
    }

    @Override
    public URI getUri() {
        return URI.create(scheme + ":///");
    }

    @Override
    public String getScheme() {
        return scheme;
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return create(path, overwrite);
    }

    @Override
    public FSDataOutputStream create(
            Path path, boolean overwrite, int bufferSize, short replication, long blockSize, Progressable progress)
            throws IOException {
        return create(path, overwrite);
    }

    @Override
    public FSDataOutputStream create(Path path, boolean overwrite) throws IOException {
        java.nio.file.Path file = pathToFile(path).toPath();
        if (!overwrite && Files.exists(file)) {
            throw new FileAlreadyExistsException(path.toString());
        }
        boolean whole = scheme.equals("store");
        if (!whole) {
            step(() -> put(file, new byte[0]));
        }
        OutputStream content = new ByteArrayOutputStream() {
            @Override
            public void close() throws IOException {
                byte[] bytes = toByteArray();
                if (!whole) {
                    step(() -> put(file, Arrays.copyOf(bytes, bytes.length / 2)));
                }
                step(() -> put(file, bytes));
            }
        };
        return new FSDataOutputStream(content, null);
    }

    private static java.nio.file.Path put(java.nio.file.Path file, byte[] bytes) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        beforeRename.run();
        if (!exists(from)) {
            throw new FileNotFoundException(from.toString());
        }
        // moves the source into the existing folder, as HDFS does
        Path target = exists(to) && getFileStatus(to).isDirectory() ? new Path(to, from.getName()) : to;
        return step(() -> {
            Files.move(pathToFile(from).toPath(), pathToFile(target).toPath());
            return true;
        });
    }

    /** Deletes the files one by one, so that a folder can be partly deleted. */
    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        if (!exists(path)) {
            return false;
        }
        if (getFileStatus(path).isDirectory()) {
            FileStatus[] children = listStatus(path);
            if (!recursive && children.length > 0) {
                throw new IOException(path + " is not empty");
            }
            for (FileStatus child : children) {
                delete(child.getPath(), true);
            }
        }
        return step(() -> Files.deleteIfExists(pathToFile(path).toPath()));
    }

    /** Does nothing in an object store, because object stores ignore this operation. */
    @Override
    public void setTimes(Path path, long modified, long read) throws IOException {
        if (!scheme.equals("store")) {
            super.setTimes(path, modified, read);
        }
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
        if (exists(path)) {
            return true;
        }
        return step(() -> pathToFile(path).mkdirs());
    }
}
