package dev.bellman.job.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.output.FaultyFileSystem.Fault;
import dev.bellman.job.output.FaultyFileSystem.Killed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests commits that conflict with other runs, with other processes, or with files of other programs. In every file, a
 * run's rows contain the run's name.
 */
class StagedOutputTest extends StagedOutputFixture {
    /** A different process creates the output between the two renames of an overwrite. */
    @Test
    void somebodyElseFilledTheGap() throws IOException {
        run("faulty", "old", SaveMode.ERROR);
        FaultyFileSystem.beforeRename(() -> {
            if (Files.notExists(folder.resolve("out"))) {
                FaultyFileSystem.plan(Fault.KILL, 0);
            }
        });
        assertThatThrownBy(() -> run("faulty", "first", SaveMode.OVERWRITE)).isInstanceOf(Killed.class);
        noMoreFaults();
        assertThat(rows()).isEmpty();

        Path theirs = Files.createDirectory(folder.resolve("out")).resolve("part-0-theirs");
        Files.writeString(theirs, "theirs");
        List<String> before = besidesTheOutput();
        assertThatThrownBy(() -> run("faulty", "second", SaveMode.OVERWRITE))
                .hasMessageStartingWith("[BELLMAN_OUTPUT_UNSAFE] an interrupted run renamed the output faulty:")
                .hasMessageEndingWith("move one of the two folders away");
        assertThat(theirs).hasContent("theirs");
        assertThat(besidesTheOutput())
                .containsAll(
                        before.stream().filter(name -> !name.endsWith("lock")).toList());

        Files.delete(theirs);
        open("faulty", SaveMode.APPEND).close();
        assertThat(rows()).isEqualTo(rowsOf("old"));
        assertThat(besidesTheOutput()).isEmpty();
    }

    @Test
    void aLiveRunRenewsItsLock() throws IOException {
        OutputFiles files =
                new OutputFiles(new org.apache.hadoop.fs.Path("store:/").getFileSystem(configuration), configuration);
        Path lock = Files.writeString(folder.resolve("lock"), "mine");
        FileTime old = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
        Files.setLastModifiedTime(lock, old);
        files.touch(new org.apache.hadoop.fs.Path("store:" + lock), "mine");
        assertThat(Files.getLastModifiedTime(lock)).isGreaterThan(old);
        assertThat(lock).hasContent("mine");
    }

    @Test
    void leavesOutputsOfOtherNamesAlone() throws IOException {
        Path other = Files.createDirectory(folder.resolve("_out2.bellman-staging-x"));
        Path similar = Files.createDirectory(folder.resolve("_out.bellman"));
        Path longer = Files.writeString(folder.resolve("_out.bellman-staging-x.bellman-lock"), "");
        run("file", "new", SaveMode.OVERWRITE);
        assertThat(other).exists();
        assertThat(similar).exists();
        assertThat(longer).exists();
    }

    /** Tests two concurrent runs, the first of which is paused just before its first rename. */
    @ParameterizedTest
    @ValueSource(strings = {"OVERWRITE", "APPEND", "ERROR", "IGNORE"})
    void twoRunsAtOnce(SaveMode mode) throws Exception {
        boolean replaces = mode == SaveMode.OVERWRITE || mode == SaveMode.APPEND;
        if (replaces) {
            run("faulty", "old", SaveMode.ERROR);
        }
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        FaultyFileSystem.beforeRename(() -> {
            reached.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<?> first = executor.submit(() -> run("faulty", "first", mode));
            reached.await();
            assertThatThrownBy(() -> run("faulty", "second", mode))
                    .isInstanceOfSatisfying(BellmanException.class, failure -> assertThat(failure.code())
                            .isEqualTo(ErrorCode.BELLMAN_OUTPUT_LOCKED))
                    .hasMessageContaining("another run is writing the output faulty:" + folder.resolve("out"))
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
            go.countDown();
            first.get();
        } finally {
            go.countDown();
            executor.shutdown();
        }
        assertThat(rows()).isEqualTo(mode == SaveMode.APPEND ? rowsOf("old", "first") : rowsOf("first"));
        assertThat(besidesTheOutput()).isEmpty();
    }

    /** A run was suspended for so long that its lock was considered dead. */
    @Test
    void aRunThatLostItsLock() throws IOException {
        try (StagedOutput first = open("file", SaveMode.OVERWRITE)) {
            stage(first, "first");
            Files.delete(folder.resolve("_out.bellman-lock"));
            run("file", "second", SaveMode.OVERWRITE);
            Files.writeString(folder.resolve("_out.bellman-lock"), "another");
            assertThatThrownBy(first::commit)
                    .hasMessageStartingWith("[BELLMAN_OUTPUT_LOCKED] another run took over the lock");
        }
        assertThat(rows()).isEqualTo(rowsOf("second"));
        assertThat(folder.resolve("_out.bellman-lock")).hasContent("another");
    }

    @Test
    void locksOfOtherProcesses() throws Exception {
        Process living = new ProcessBuilder("sleep", "600").start();
        Process dead = new ProcessBuilder("true").start();
        LockOwner self = LockOwner.begin();
        try {
            long started = living.info().startInstant().orElseThrow().toEpochMilli();
            dead.waitFor();
            String machine = self.machine();
            // the owner is still running; has ended, and a different process has its id; has ended; or is on a
            // different machine, where it renewed the lock one or six minutes ago
            assertThat(isLockedBy(machine, living.pid(), started, Duration.ofHours(1)))
                    .isTrue();
            assertThat(isLockedBy(machine, living.pid(), started - 60_000, Duration.ZERO))
                    .isFalse();
            assertThat(isLockedBy(machine, dead.pid(), started, Duration.ZERO)).isFalse();
            assertThat(isLockedBy("elsewhere", dead.pid(), started, Duration.ofMinutes(1)))
                    .isTrue();
            assertThat(isLockedBy("elsewhere", dead.pid(), started, Duration.ofMinutes(6)))
                    .isFalse();
        } finally {
            self.end();
            living.destroyForcibly().waitFor();
        }
    }

    /** A run was killed between its commit and the removal of its lock, and later runs do not change its output. */
    @ParameterizedTest
    @ValueSource(strings = {"ERROR", "IGNORE"})
    void locksBesideAnOutputThatStays(SaveMode mode) throws Exception {
        run("file", "old", SaveMode.ERROR);
        Process living = new ProcessBuilder("sleep", "600").start();
        LockOwner self = LockOwner.begin();
        try {
            long started = living.info().startInstant().orElseThrow().toEpochMilli();
            assertThat(staysBeside(mode, self.machine(), living.pid(), started)).isTrue();
            assertThat(staysBeside(mode, "elsewhere", living.pid(), started - 60_000))
                    .isTrue();
            assertThat(staysBeside(mode, self.machine(), living.pid(), started - 60_000))
                    .isFalse();
            assertThat(besidesTheOutput()).isEmpty();
        } finally {
            self.end();
            living.destroyForcibly().waitFor();
        }
        assertThat(rows()).isEqualTo(rowsOf("old"));
    }

    private boolean staysBeside(SaveMode mode, String machine, long pid, long started) throws IOException {
        Path lock = lockOf(machine, pid, started);
        if (mode == SaveMode.IGNORE) {
            open("file", mode).close();
        } else {
            assertThatThrownBy(() -> open("file", mode)).hasMessageStartingWith("[BELLMAN_OUTPUT_EXISTS] ");
        }
        return Files.exists(lock);
    }

    private Path lockOf(String machine, long pid, long started) throws IOException {
        return Files.writeString(
                folder.resolve("_out.bellman-lock"),
                new LockOwner("run", "host", machine, pid, started, Instant.EPOCH).text());
    }

    private boolean isLockedBy(String machine, long pid, long started, Duration age) throws IOException {
        Path lock = lockOf(machine, pid, started);
        Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(age)));
        try {
            open("file", SaveMode.OVERWRITE).close();
            return false;
        } catch (BellmanException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_OUTPUT_LOCKED);
            assertThat(lock).exists();
            return true;
        }
    }

    @Test
    void somebodyElseMadeTheOutputMeanwhile() throws IOException {
        try (StagedOutput output = open("file", SaveMode.ERROR)) {
            stage(output, "first");
            Files.createDirectory(folder.resolve("out"));
            assertThatThrownBy(output::commit).hasMessageStartingWith("[BELLMAN_OUTPUT_EXISTS] ");
        }
        assertThat(rows()).isEmpty();
        assertThat(besidesTheOutput()).isEmpty();
    }

    @Test
    void strangersThatCameMeanwhile() throws IOException {
        run("file", "old", SaveMode.ERROR);
        try (StagedOutput output = open("file", SaveMode.OVERWRITE)) {
            stage(output, "first");
            Files.writeString(folder.resolve("out/notes.txt"), "mine");
            assertThatThrownBy(output::commit)
                    .hasMessageStartingWith("[BELLMAN_OUTPUT_UNSAFE] ")
                    .hasMessageContaining("notes.txt");
        }
        assertThat(rows()).isEqualTo(rowsOf("old"));
        run("file", "second", SaveMode.OVERWRITE_FORCE);
        assertThat(rows()).isEqualTo(rowsOf("second"));
    }

    /**
     * On an object store, a failed run deletes the files that it wrote to the output, but no files that others have
     * added meanwhile.
     */
    @Test
    void strangersInAStore() throws IOException {
        for (String before : List.of("none", "old")) {
            if (before.equals("old")) {
                run("store", "old", SaveMode.ERROR);
            }
            Path notes = folder.resolve("out/notes.txt");
            try (StagedOutput output = open("store", SaveMode.APPEND)) {
                stage(output, "failed");
                Files.writeString(notes, "mine");
            }
            assertThat(notes).hasContent("mine");
            Files.delete(notes);
            assertThat(rows()).isEqualTo(before.equals("old") ? rowsOf("old") : List.of());
            clear();
        }
    }

    @Test
    void foldersThatWereMadeForNothingGo() throws IOException {
        try (StagedOutput output = StagedOutput.open(folder + "/a/b/out", SaveMode.ERROR, configuration, notes::add)) {
            output.folder();
        }
        assertThat(besidesTheOutput()).isEmpty();
    }

    @Test
    void anOutputBehindALink() throws IOException {
        Path real = Files.createDirectories(folder.resolve("elsewhere/real"));
        Path link = Files.createSymbolicLink(folder.resolve("out"), real);
        run("file", "first", SaveMode.OVERWRITE);
        assertThat(link).isSymbolicLink();
        assertThat(real.resolve(REPORT)).hasContent("first");
    }
}
