package dev.bellman.job.output;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * An output folder that is either complete or absent. A lock ensures that only one run at a time writes to the folder.
 * If a run is killed, the next run completes or undoes its work, or continues from its finished parts. After any other
 * failure or interruption, nothing is left behind except work that {@code --resume} can continue.
 *
 * <p>Bellman's own files next to an output have names such as {@code _<output>.bellman-lock}, which Spark ignores.
 */
public final class StagedOutput implements AutoCloseable {
    /** The report's key for the fingerprint, which covers everything on which the rows depend. */
    public static final String FINGERPRINT = "fingerprint";

    private static final String TILES = "tiles";
    private final OutputFiles files;
    private final Path output;
    private final String display;
    private final SaveMode mode;
    private final Parts parts;
    private final Optional<String> resumed;
    private final Consumer<String> notes;
    private final Runnable hook = this::close;
    /** The folders that were created to contain the output, innermost first. */
    private final Deque<Path> parents = new ArrayDeque<>();

    private boolean ignored;
    private boolean made;
    private OutputLock lock;
    private OutputCommit commit;
    private Path folder;
    private boolean committed;
    private boolean closed;

    private StagedOutput(
            OutputFiles files,
            Path output,
            String display,
            SaveMode mode,
            Parts parts,
            Optional<String> resumed,
            Consumer<String> notes) {
        this.files = files;
        this.output = output;
        this.display = display;
        this.mode = mode;
        this.parts = parts;
        this.resumed = resumed;
        this.notes = notes;
    }

    /** Whether a run writes its output in parts ({@link PartedOutput}), which survive an interruption. */
    public enum Parts {
        NONE,
        /** Write parts; start from the beginning. */
        NEW,
        /** Write parts; keep those that an interrupted run finished. */
        RESUMED
    }

    /** Prepares an output that is written in one piece. */
    public static StagedOutput open(String folder, SaveMode mode, Configuration configuration, Consumer<String> notes) {
        return open(folder, mode, Parts.NONE, Optional.empty(), configuration, notes);
    }

    /**
     * Prepares an output.
     *
     * @param folder a path, not a pattern
     * @param resumed the fingerprint of the rows if this run continues a killed run; if a report of the output contains
     *     this fingerprint as {@link #FINGERPRINT}, the killed run had finished, and no work remains ({@link #isMade})
     * @param notes receives a note about files of interrupted runs
     * @throws BellmanException {@link ErrorCode#BELLMAN_OUTPUT_EXISTS} if the output exists and {@code mode} is error;
     *     {@link ErrorCode#BELLMAN_OUTPUT_UNSAFE} if the output contains something that must not be replaced;
     *     {@link ErrorCode#BELLMAN_OUTPUT_LOCKED} if another run is writing to the output
     */
    public static StagedOutput open(
            String folder,
            SaveMode mode,
            Parts parts,
            Optional<String> resumed,
            Configuration configuration,
            Consumer<String> notes) {
        OutputPath path = OutputPath.ofOutput(folder, configuration);
        if (path.path().isRoot()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "the output %s is the root of a file system; choose a folder below the root".formatted(folder));
        }
        OutputFiles files = new OutputFiles(path.fileSystem(), configuration);
        if (parts != Parts.NONE && files.objectStore()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "output.parts requires atomic renames, but the file system of %s renames by copying"
                            .formatted(folder));
        }
        StagedOutput opened = new StagedOutput(files, path.path(), path.display(), mode, parts, resumed, notes);
        try {
            opened.prepare(configuration);
            return opened;
        } catch (IOException e) {
            opened.close();
            throw WriteFailures.cannotWrite(opened.display, e);
        } catch (RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    private void prepare(Configuration configuration) throws IOException {
        Optional<FileStatus> status = files.status(output);
        if (status.isPresent() && !status.get().isDirectory()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_UNSAFE,
                    "the output %s is a file; choose the path of a folder".formatted(display));
        }
        Path locked = OutputNames.beside(output, OutputNames.LOCK);
        OutputLock.removeAbandoned(files, locked);
        if (status.isPresent() && OutputNames.left(files, output).isEmpty() && settledAsItIs()) {
            return;
        }
        makeParents();
        lock = OutputLock.acquire(files, locked, display);
        for (Path path : OutputNames.left(files, output)) {
            if (path.getName().startsWith(locked.getName() + "-")) {
                // delete the files of a run that died while it removed a dead lock
                files.deleteFile(path);
            }
        }
        if (files.objectStore()) {
            DirectOutput.recover(files, output, notes);
        } else {
            RenamedOutput.recover(files, output, parts == Parts.RESUMED, notes);
        }
        if (files.exists(output)) {
            if (settledAsItIs()) {
                return;
            }
            if (mode == SaveMode.OVERWRITE) {
                OutputRules.mustBeReplaceable(files, output, display);
            }
        }
        commit = files.objectStore()
                ? new DirectOutput(files, output, mode)
                : new RenamedOutput(files, output, mode, parts != Parts.NONE, notes);
        // without a default value, Hadoop would search its whole configuration
        long limit = configuration.getTimeDuration(
                CommonConfigurationKeysPublic.SERVICE_SHUTDOWN_TIMEOUT,
                CommonConfigurationKeysPublic.SERVICE_SHUTDOWN_TIMEOUT_DEFAULT,
                TimeUnit.SECONDS);
        ShutdownHookManager.get().addShutdownHook(hook, FileSystem.SHUTDOWN_HOOK_PRIORITY + 1, limit, TimeUnit.SECONDS);
    }

    /** Whether an existing output must be left unchanged; fails if the output must not exist. */
    private boolean settledAsItIs() throws IOException {
        made = resumed.isPresent() && !RenamedOutput.hasShards(files, output) && hasRun(resumed.get());
        if (made) {
            return true;
        }
        if (mode == SaveMode.ERROR) {
            throw exists(display);
        }
        ignored = mode == SaveMode.IGNORE;
        return ignored;
    }

    /** Returns the error for an output that must not exist. */
    public static BellmanException exists(String display) {
        return new BellmanException(
                ErrorCode.BELLMAN_OUTPUT_EXISTS,
                "the output %s exists; choose a different output, or a different output.mode (--output-mode)"
                        .formatted(display));
    }

    /** Whether the output contains the report of a run with this fingerprint. */
    private boolean hasRun(String fingerprint) throws IOException {
        for (FileStatus report : files.list(new Path(output, OutputNames.RUNS))) {
            if (files.read(report.getPath())
                    .filter(text -> text.contains("\"%s\" : \"%s\"".formatted(FINGERPRINT, fingerprint)))
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }

    private void makeParents() throws IOException {
        for (Path parent = output.getParent(); !files.exists(parent); parent = parent.getParent()) {
            parents.addLast(parent);
        }
        if (!parents.isEmpty()) {
            files.makeFolder(output.getParent());
        }
    }

    /** Whether no work remains because the killed run had already finished. */
    public boolean isMade() {
        return made;
    }

    /** Whether no work remains because the output exists and the mode is ignore. */
    public boolean ignored() {
        return ignored;
    }

    /** Returns the folder in which the run writes. */
    public synchronized String folder() {
        if (folder == null) {
            mustBeOpen();
            try {
                folder = commit.begin();
            } catch (IOException e) {
                throw WriteFailures.cannotWrite(display, e);
            }
        }
        return folder.toString();
    }

    /**
     * Returns a folder next to the output in which a tiled table can be stored. The run deletes the folder when the
     * output is complete. An interrupted run leaves it for the next run.
     */
    public String tiles() {
        return OutputNames.beside(output, TILES).toString();
    }

    /** Deletes the folder that {@link #tiles} returns; returns whether it existed. */
    public synchronized boolean removeTiles() {
        mustBeOpen();
        try {
            Path tiles = new Path(tiles());
            boolean there = files.exists(tiles);
            files.deleteFolder(tiles);
            return there;
        } catch (IOException e) {
            throw WriteFailures.cannotWrite(display, e);
        }
    }

    /** Whether the output folder exists. */
    public boolean exists() {
        try {
            return files.exists(output);
        } catch (IOException e) {
            throw WriteFailures.cannotWrite(display, e);
        }
    }

    /** Lists the files that the output contains now. */
    public List<String> present() {
        try {
            return files.filesBelow(output);
        } catch (IOException e) {
            throw WriteFailures.cannotWrite(display, e);
        }
    }

    /** Returns the output's path, with the scheme of its file system. */
    public String path() {
        return output.toString();
    }

    /** Returns the output's path for messages: as given, without the scheme of local files. */
    public String display() {
        return display;
    }

    /** Writes a small text file that describes the run. The file name is relative to the output. */
    public synchronized void write(String name, String text) {
        mustBeOpen();
        try {
            commit.write(name, text);
        } catch (IOException e) {
            throw WriteFailures.cannotWrite(display, e);
        }
    }

    /**
     * Publishes the written files as the output.
     *
     * @throws BellmanException if another run has taken over the lock, if another process has created the output or
     *     added files to it that must not be replaced, or if publishing fails; {@link #close} or the next run then
     *     restores the old output, or completes a commit that has already happened
     */
    public synchronized void commit() {
        mustBeOpen();
        try {
            if (!lock.isHeld()) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_OUTPUT_LOCKED,
                        ("another run took over the lock of the output %s, because this run did not renew the lock in "
                                        + "time; run the job again")
                                .formatted(display));
            }
            boolean exists = files.exists(output);
            if (exists && !files.objectStore() && (mode == SaveMode.ERROR || mode == SaveMode.IGNORE)) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_OUTPUT_EXISTS,
                        "another process created the output %s while this run was computing it".formatted(display));
            }
            if (exists && mode == SaveMode.OVERWRITE) {
                OutputRules.mustBeReplaceable(files, output, display);
            }
            commit.commit();
            committed = true;
        } catch (IOException e) {
            throw WriteFailures.cannotWrite(display, e);
        }
    }

    /**
     * If Spark failed in a task that writes or in its own commit, converts the exception to one that reports a failure
     * to write the output.
     */
    public Optional<BellmanException> writeFailure(Throwable failure) {
        return WriteFailures.ofSpark(display, failure);
    }

    private void mustBeOpen() {
        if (closed) {
            throw new IllegalStateException("the output is closed");
        }
    }

    /** Makes {@link #close} delete everything that was written, including parts that a later run could have reused. */
    public synchronized void discard() {
        mustBeOpen();
        commit.discard();
    }

    /** Makes {@link #close} omit the advice to continue from the kept parts, because this run cannot use them. */
    synchronized void refuse() {
        commit.refuse();
    }

    OutputFiles files() {
        return files;
    }

    /**
     * Removes uncommitted files, except parts that a later run can reuse. If this fails, prints a note; the next run
     * tries again.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (ShutdownHookManager.get().isShutdownInProgress()) {
            notes.accept(
                    committed
                            ? "interrupted; the output %s is complete".formatted(display)
                            : "interrupted; the output %s is unchanged".formatted(display));
        }
        try {
            tidyUp();
        } catch (IOException | BellmanException e) {
            notes.accept("cannot remove temporary files of the output %s: %s; the next run will try again"
                    .formatted(display, WriteFailures.reason(e)));
        } finally {
            if (!ShutdownHookManager.get().isShutdownInProgress()) {
                ShutdownHookManager.get().removeShutdownHook(hook);
            }
        }
    }

    private void tidyUp() throws IOException {
        try (OutputLock held = lock) {
            // if the lock is lost, a different run has taken it over, and the files next to the output belong to that
            // run
            if (commit != null && held.isHeld()) {
                commit.close();
                if (committed) {
                    files.deleteFolder(new Path(tiles()));
                }
            }
        }
        if (!committed) {
            for (Path parent : parents) {
                files.deleteIfEmpty(parent);
            }
        }
    }
}
