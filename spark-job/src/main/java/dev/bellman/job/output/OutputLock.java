package dev.bellman.job.output;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * The right to write to an output. The lock is a file next to the output: only one run can create it, and it identifies
 * this run. While the run is alive, it keeps renewing the file's modification time. A lock is dead, and may be taken
 * over, in three cases: its process on the same machine has ended, its process is on a different machine and has not
 * renewed the lock for {@link #EXPIRY}, or the lock has not named its process for {@link #UNSIGNED}.
 *
 * <p>A run that was suspended may have lost its lock, so the commit checks the lock again.
 */
final class OutputLock implements AutoCloseable {
    static final Duration EXPIRY = Duration.ofMinutes(5);
    private static final Duration RENEWAL = Duration.ofSeconds(15);
    /** The time after which a lock that does not name its owner is dead. */
    private static final Duration UNSIGNED = Duration.ofSeconds(3);

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final OutputFiles files;
    private final Path path;
    private final LockOwner owner = LockOwner.begin();
    private final Thread renewal = new Thread(this::renew, "bellman-output-lock");

    private int pauses;

    private OutputLock(OutputFiles files, Path path) {
        this.files = files;
        this.path = path;
        renewal.setDaemon(true);
    }

    /**
     * Acquires the lock of an output.
     *
     * @param output the output's name for messages
     * @throws BellmanException {@link ErrorCode#BELLMAN_OUTPUT_LOCKED} if a live run holds the lock
     */
    static OutputLock acquire(OutputFiles files, Path path, String output) throws IOException {
        OutputLock lock = new OutputLock(files, path);
        try {
            while (!files.createNew(path, lock.owner.text())) {
                lock.removeDead(output);
            }
            lock.renewal.start();
            return lock;
        } catch (IOException | RuntimeException | Error e) {
            lock.owner.end();
            throw e;
        }
    }

    /**
     * Removes the lock if its run is dead, and fails if its run is alive. If the lock does not name an owner yet, waits
     * briefly; the next call checks the lock again.
     */
    private void removeDead(String output) throws IOException {
        Optional<FileStatus> status = files.status(path);
        Optional<String> text = files.read(path);
        if (status.isEmpty() || text.isEmpty()) {
            return;
        }
        long age = System.currentTimeMillis() - status.get().getModificationTime();
        Optional<LockOwner> other = LockOwner.parse(text.get());
        if (other.isEmpty() && Math.max(age, pauses * PAUSE.toMillis()) < UNSIGNED.toMillis()) {
            pause();
            return;
        }
        if (other.isPresent() && (other.get().ofThisMachine() ? other.get().lives() : age < EXPIRY.toMillis())) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_LOCKED,
                    ("another run is writing the output %s (process %d on %s, since %s); wait until the other run "
                                    + "ends, or choose a different output (the lock is %s)")
                            .formatted(
                                    output,
                                    other.get().pid(),
                                    other.get().host(),
                                    other.get().since(),
                                    path));
        }
        remove(files, path, text.get());
    }

    /**
     * Removes the lock of a run on this machine that was killed after its commit. Keeps any other lock. A lock that
     * cannot be removed does no harm: the next run that writes takes it over.
     */
    static void removeAbandoned(OutputFiles files, Path path) {
        try {
            Optional<String> text = files.read(path);
            boolean dead = text.flatMap(LockOwner::parse)
                    .filter(owner -> owner.ofThisMachine() && !owner.lives())
                    .isPresent();
            if (dead) {
                remove(files, path, text.get());
            }
        } catch (IOException e) {
            return;
        }
    }

    /** Removes a dead lock, unless another run has removed it. */
    private static void remove(OutputFiles files, Path path, String dead) throws IOException {
        // several runs may find the lock dead; the run that renames the lock removes it, but restores it if it is a new
        // one
        Path aside = path.suffix("-" + UUID.randomUUID());
        try {
            files.moveFile(path, aside);
        } catch (IOException e) {
            if (!files.exists(path)) {
                return;
            }
            throw e;
        }
        Optional<String> moved = files.read(aside);
        if (moved.isPresent() && !moved.get().equals(dead)) {
            files.createNew(path, moved.get());
        }
        files.deleteFile(aside);
    }

    private void pause() throws IOException {
        pauses++;
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void renew() {
        while (true) {
            try {
                Thread.sleep(RENEWAL.toMillis());
                if (isHeld()) {
                    files.touch(path, owner.text());
                }
            } catch (IOException e) {
                // the next renewal may succeed; if all renewals fail, a different run takes over the lock, and the
                // commit notices that
                continue;
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Whether this run still holds the lock. */
    boolean isHeld() throws IOException {
        return files.read(path).equals(Optional.of(owner.text()));
    }

    /** Releases the lock. */
    @Override
    public void close() throws IOException {
        renewal.interrupt();
        try {
            if (isHeld()) {
                files.deleteFile(path);
            }
        } finally {
            owner.end();
        }
    }
}
