package dev.bellman.job.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.bellman.BellmanException;
import dev.bellman.job.Thorough;
import dev.bellman.job.output.FaultyFileSystem.Fault;
import dev.bellman.job.output.FaultyFileSystem.Killed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests runs that are killed or fail at every step of the commit, and the runs after them. */
class KilledOutputTest extends StagedOutputFixture {
    /**
     * If a run died before it wrote the lock's owner, makes the lock look older; otherwise, the next run would wait for
     * the owner.
     */
    private void letTimePass() throws IOException {
        Path lock = folder.resolve("_out.bellman-lock");
        if (Files.exists(lock) && LockOwner.parse(text(lock)).isEmpty()) {
            Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(Duration.ofMinutes(1))));
        }
    }

    /**
     * Kills a run at each of its steps; then, a second run opens the output, and a third run follows.
     */
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

    /** A recovery from a commit that was killed at any step is itself killed at every step. */
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

    /** Several runs in a row are killed during their commits, and so are their recoveries. */
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

    /**
     * Runs an action that is killed at a step. Returns 1 if the action was killed, and 0 if it ended before that step.
     */
    private int killed(int step, ThrowingCallable work) throws IOException {
        FaultyFileSystem.plan(Fault.KILL, step);
        catchThrowable(work);
        boolean happened = FaultyFileSystem.happened();
        FaultyFileSystem.plan(Fault.NONE, 0);
        letTimePass();
        return happened ? 1 : 0;
    }

    /**
     * If an operation fails, the run fails, unless the operation has had its effect or is unnecessary. The output is
     * either the old one or the new one.
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
                .hasMessageStartingWith("[BELLMAN_OUTPUT_UNSAFE] the output")
                .hasMessageContaining("_out.bellman-replaced-1", "_out.bellman-replaced-2");
        assertThat(besidesTheOutput()).containsExactlyInAnyOrder("_out.bellman-replaced-1", "_out.bellman-replaced-2");
    }

    @Test
    void killedTellsItselfFromFailures() {
        FaultyFileSystem.plan(Fault.KILL, 0);
        assertThatThrownBy(() -> run("faulty", "first", SaveMode.ERROR)).isInstanceOf(Killed.class);
    }
}
