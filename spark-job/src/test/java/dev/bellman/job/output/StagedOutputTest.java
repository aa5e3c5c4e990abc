package dev.bellman.job.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.Thorough;
import dev.bellman.job.output.FaultyFileSystem.Fault;
import dev.bellman.job.output.FaultyFileSystem.Killed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commits that are cut off at every step, fail at every step, and run into each other. A run's rows are its name, in
 * every file.
 */
class StagedOutputTest {
    private static final String REPORT = "_bellman/report.json";

    @TempDir
    Path folder;

    private List<String> names = List.of(
            "part-0", "part-1", "lang=de/part-0", "lang=en/town=a/part-0", "_SUCCESS", "_bellman/quarantine/part-0");

    private final Configuration configuration = FaultyFileSystem.configuration();
    private final List<String> notes = new ArrayList<>();

    @AfterEach
    void noMoreFaults() {
        FaultyFileSystem.plan(Fault.NONE, 0);
        FaultyFileSystem.beforeRename(() -> {});
    }

    private StagedOutput open(String scheme, SaveMode mode) {
        return StagedOutput.open(scheme + ":" + folder.resolve("out"), mode, configuration, notes::add);
    }

    /** Writes what a run of that name writes, and commits. */
    private void run(String scheme, String name, SaveMode mode) {
        try (StagedOutput output = open(scheme, mode)) {
            if (output.ignored()) {
                return;
            }
            stage(output, name);
            output.commit();
        }
    }

    /** As Spark's tasks do, in files with names unique to this run. */
    private void stage(StagedOutput output, String name) {
        try {
            Path staging = Path.of(
                    new org.apache.hadoop.fs.Path(output.folder()).toUri().getPath());
            for (String file : names) {
                Path path = staging.resolve(file.endsWith("_SUCCESS") ? file : file + "-" + UUID.randomUUID());
                Files.createDirectories(path.getParent());
                Files.writeString(path, path.endsWith("_SUCCESS") ? "" : name);
            }
            output.write(REPORT, name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The rows of the output, including bad ones, each with its folder; then the name of the run that the report
     * describes.
     */
    private List<String> rows() {
        Path output = folder.resolve("out");
        try (Stream<Path> files = Files.exists(output) ? Files.walk(output) : Stream.of()) {
            return files.filter(
                            file -> file.getFileName().toString().startsWith("part-") || file.endsWith(Path.of(REPORT)))
                    .map(file -> output.relativize(file).toString().replaceAll("part-(\\d)-.*", "part-$1") + " "
                            + text(file))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The expected {@link #rows} if exactly these runs are in the output, complete, the last of them last. */
    private List<String> rowsOf(String... runs) {
        if (runs.length == 0) {
            return List.of();
        }
        Stream<String> data = names.stream()
                .filter(file -> !file.endsWith("_SUCCESS"))
                .flatMap(file -> Stream.of(runs).map(run -> file + " " + run));
        return Stream.concat(data, Stream.of(REPORT + " " + runs[runs.length - 1]))
                .sorted()
                .toList();
    }

    private List<String> besidesTheOutput() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("out"))
                    .toList();
        }
    }

    private void clear() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                if (!file.equals(folder)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** A lock that its run had not signed when it died is waited for; skips that time. */
    private void letTimePass() throws IOException {
        Path lock = folder.resolve("_out.bellman-lock");
        if (Files.exists(lock) && LockOwner.parse(text(lock)).isEmpty()) {
            Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(Duration.ofMinutes(1))));
        }
    }

    /** For every step of a run: the run is killed there, then another run opens the output, then another runs. */
    @ParameterizedTest
    @CsvSource({
        "faulty, ERROR",
        "faulty, OVERWRITE",
        "faulty, APPEND",
        "faulty, IGNORE",
        "store, ERROR",
        "store, OVERWRITE",
        "store, APPEND",
        "store, IGNORE"
    })
    void killedAtEveryStep(String scheme, SaveMode mode) throws IOException {
        boolean replaces = mode == SaveMode.OVERWRITE || mode == SaveMode.APPEND;
        List<String> old = replaces ? rowsOf("old") : rowsOf();
        List<String> committed = mode == SaveMode.APPEND ? rowsOf("old", "first") : rowsOf("first");
        int undone = 0;
        int done = 0;
        for (int step = 0; ; step++) {
            clear();
            if (replaces) {
                run(scheme, "old", SaveMode.ERROR);
            }
            FaultyFileSystem.plan(Fault.KILL, step);
            Throwable killed = catchThrowable(() -> run(scheme, "first", mode));
            boolean happened = FaultyFileSystem.happened();
            FaultyFileSystem.plan(Fault.NONE, 0);
            letTimePass();
            if (!happened) {
                assertThat(killed).isNull();
                assertThat(rows()).isEqualTo(committed);
                break;
            }

            open(scheme, SaveMode.APPEND).close();
            List<String> recovered = rows();
            assertThat(recovered).as("killed at step %d", step).isIn(old, committed);
            assertThat(besidesTheOutput()).as("killed at step %d", step).isEmpty();

            boolean wasDone = recovered.equals(committed);
            Throwable refused = catchThrowable(() -> run(scheme, "second", mode));
            switch (mode) {
                case OVERWRITE -> assertThat(rows()).isEqualTo(rowsOf("second"));
                case APPEND ->
                    assertThat(rows()).isEqualTo(wasDone ? rowsOf("old", "first", "second") : rowsOf("old", "second"));
                case IGNORE -> assertThat(rows()).isEqualTo(wasDone ? rowsOf("first") : rowsOf("second"));
                default -> {
                    assertThat(rows()).isEqualTo(wasDone ? rowsOf("first") : rowsOf("second"));
                    assertThat(refused != null).isEqualTo(wasDone);
                }
            }
            assertThat(besidesTheOutput()).isEmpty();
            done += wasDone ? 1 : 0;
            undone += wasDone ? 0 : 1;
        }
        assertThat(undone).isPositive();
        assertThat(done).isPositive();
    }

    static List<Arguments> recoveries() {
        return Thorough.cases(
                2,
                arguments("faulty", SaveMode.OVERWRITE),
                arguments("store", SaveMode.APPEND),
                arguments("faulty", SaveMode.APPEND),
                arguments("store", SaveMode.OVERWRITE));
    }

    /** A recovery that is itself killed, at every step, after a commit that was killed at every step. */
    @ParameterizedTest
    @MethodSource("recoveries")
    void killedAgainWhileItRecovers(String scheme, SaveMode mode) throws IOException {
        names = List.of("part-0", "lang=de/part-0", "_SUCCESS");
        List<String> committed = mode == SaveMode.APPEND ? rowsOf("old", "first") : rowsOf("first");
        int recoveries = 0;
        boolean commitEnded = false;
        for (int step = 0; !commitEnded; step++) {
            boolean recoveryEnded = false;
            for (int second = 0; !recoveryEnded; second++) {
                clear();
                run(scheme, "old", SaveMode.ERROR);
                FaultyFileSystem.plan(Fault.KILL, step);
                catchThrowable(() -> run(scheme, "first", mode));
                commitEnded = !FaultyFileSystem.happened();
                letTimePass();
                FaultyFileSystem.plan(Fault.KILL, second);
                catchThrowable(() -> open(scheme, SaveMode.APPEND).close());
                recoveryEnded = !FaultyFileSystem.happened();
                FaultyFileSystem.plan(Fault.NONE, 0);
                letTimePass();
                open(scheme, SaveMode.APPEND).close();
                assertThat(rows()).as("killed at steps %d and %d", step, second).isIn(rowsOf("old"), committed);
                assertThat(besidesTheOutput()).isEmpty();
                recoveries++;
            }
        }
        assertThat(recoveries).isGreaterThan(40);
    }

    /** Runs that are killed in their commits, whose recoveries are killed too, one after another. */
    @ParameterizedTest
    @CsvSource({"faulty, OVERWRITE", "faulty, APPEND", "store, OVERWRITE", "store, APPEND"})
    @Tag("thorough")
    void killedAgainAndAgain(String scheme, SaveMode mode) throws IOException {
        int kills = 0;
        for (int seed : Thorough.seeds(2_000).toArray()) {
            Random random = new Random(seed);
            clear();
            run(scheme, "old", SaveMode.ERROR);
            List<String> runs = List.of("old");
            for (int run = 0; run < 4; run++) {
                String name = "run" + run;
                kills += killed(random.nextInt(80), () -> run(scheme, name, mode));
                for (int recoveries = random.nextInt(3); recoveries > 0; recoveries--) {
                    kills += killed(random.nextInt(30), () -> open(scheme, SaveMode.APPEND)
                            .close());
                }
                open(scheme, SaveMode.APPEND).close();
                List<String> committed = mode == SaveMode.APPEND
                        ? Stream.concat(runs.stream(), Stream.of(name)).toList()
                        : List.of(name);
                List<String> rows = rows();
                List<String> before = rowsOf(runs.toArray(String[]::new));
                List<String> after = rowsOf(committed.toArray(String[]::new));
                assertThat(rows).as("seed %d, run %d", seed, run).isIn(before, after);
                assertThat(besidesTheOutput()).as("seed %d, run %d", seed, run).isEmpty();
                runs = rows.equals(after) ? committed : runs;
            }
        }
        assertThat(kills).isPositive();
    }

    /** Kills work at a step; returns 0 if it ended before. */
    private int killed(int step, ThrowingCallable work) throws IOException {
        FaultyFileSystem.plan(Fault.KILL, step);
        catchThrowable(work);
        boolean happened = FaultyFileSystem.happened();
        FaultyFileSystem.plan(Fault.NONE, 0);
        letTimePass();
        return happened ? 1 : 0;
    }

    /**
     * An operation that fails fails the run, unless it was done or not needed; the output is the old or the new one.
     */
    @ParameterizedTest
    @CsvSource({
        "faulty, OVERWRITE, FAIL_BEFORE",
        "faulty, OVERWRITE, FAIL_AFTER",
        "faulty, APPEND, FAIL_BEFORE",
        "faulty, APPEND, FAIL_AFTER",
        "faulty, ERROR, FAIL_BEFORE",
        "store, OVERWRITE, FAIL_BEFORE",
        "store, APPEND, FAIL_AFTER"
    })
    void failsAtEveryStep(String scheme, SaveMode mode, Fault fault) throws IOException {
        int failures = 0;
        for (int step = 0; ; step++) {
            clear();
            boolean replaces = mode != SaveMode.ERROR;
            if (replaces) {
                run(scheme, "old", SaveMode.ERROR);
            }
            List<String> old = rows();
            List<String> committed = mode == SaveMode.APPEND ? rowsOf("old", "first") : rowsOf("first");
            FaultyFileSystem.plan(fault, step);
            Throwable failure = catchThrowable(() -> run(scheme, "first", mode));
            boolean happened = FaultyFileSystem.happened();
            FaultyFileSystem.plan(Fault.NONE, 0);
            letTimePass();
            if (!happened) {
                assertThat(failure).isNull();
                break;
            }
            if (failure == null) {
                assertThat(rows()).as("step %d", step).isEqualTo(committed);
            } else {
                failures++;
                assertThat(failure)
                        .isInstanceOf(BellmanException.class)
                        .hasMessageStartingWith("[BELLMAN_OUTPUT_WRITE] cannot write the output ")
                        .hasMessageEndingWith("No space left on device");
                open(scheme, SaveMode.APPEND).close();
                assertThat(rows()).as("step %d", step).isIn(old, committed);
            }
            run(scheme, "second", replaces ? mode : SaveMode.OVERWRITE);
            assertThat(rows()).containsAll(rowsOf("second"));
            assertThat(besidesTheOutput()).isEmpty();
        }
        assertThat(failures).isPositive();
    }

    @Test
    void tellsWhatItDidAboutADeadRun() throws IOException {
        run("faulty", "old", SaveMode.ERROR);
        Path output = folder.resolve("out");
        Files.move(output, folder.resolve("_out.bellman-replaced-x"));
        Files.createDirectory(folder.resolve("_out.bellman-staging-x"));

        run("file", "new", SaveMode.APPEND);

        assertThat(rows()).isEqualTo(rowsOf("old", "new"));
        assertThat(notes)
                .hasSize(2)
                .anySatisfy(note -> assertThat(note).contains("restored the output file:" + output))
                .anySatisfy(note -> assertThat(note).contains("removed", "_out.bellman-staging-x"));
        assertThat(besidesTheOutput()).isEmpty();
    }

    @Test
    void asksWhichOfSeveralWasTheOutput() throws IOException {
        Files.createDirectory(folder.resolve("_out.bellman-replaced-1"));
        Files.createDirectory(folder.resolve("_out.bellman-replaced-2"));

        assertThatThrownBy(() -> open("file", SaveMode.OVERWRITE))
                .hasMessageStartingWith("[BELLMAN_OUTPUT_UNSAFE] there is no output")
                .hasMessageContaining("_out.bellman-replaced-1", "_out.bellman-replaced-2");
        assertThat(besidesTheOutput()).containsExactlyInAnyOrder("_out.bellman-replaced-1", "_out.bellman-replaced-2");
    }

    /** Between the two renames of an overwrite, somebody else creates the output. */
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
                .hasMessageStartingWith("[BELLMAN_OUTPUT_UNSAFE] an interrupted run moved the output faulty:")
                .hasMessageEndingWith("move one of them away");
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

    /** Two runs, the first paused just before its first rename. */
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
                    .hasMessageContaining("another run writes the output faulty:" + folder.resolve("out"))
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

    /** The run was suspended so long that its lock was considered dead. */
    @Test
    void aRunThatLostItsLock() throws IOException {
        try (StagedOutput first = open("file", SaveMode.OVERWRITE)) {
            stage(first, "first");
            Files.delete(folder.resolve("_out.bellman-lock"));
            run("file", "second", SaveMode.OVERWRITE);
            Files.writeString(folder.resolve("_out.bellman-lock"), "another");
            assertThatThrownBy(first::commit)
                    .hasMessageStartingWith("[BELLMAN_OUTPUT_LOCKED] another run took the lock");
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
            // the process exists; its number now belongs to another; it is gone; it is on another machine
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

    private boolean isLockedBy(String machine, long pid, long started, Duration age) throws IOException {
        Path lock = folder.resolve("_out.bellman-lock");
        Files.writeString(lock, new LockOwner("run", "host", machine, pid, started, Instant.EPOCH).text());
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
     * On an object store, a failed run deletes what it wrote into the output, and nothing that somebody else put there
     * meanwhile.
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

    @Test
    void killedTellsItselfFromFailures() {
        FaultyFileSystem.plan(Fault.KILL, 0);
        assertThatThrownBy(() -> run("faulty", "first", SaveMode.ERROR)).isInstanceOf(Killed.class);
    }
}
