package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.LocalSpark;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Tile;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.commons.io.FileUtils;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests damaged or missing files of tiles that exceed GPU and host memory, and full or read-only disks, while threads
 * read and write these files. Afterwards, the run must be able to continue.
 */
class LevelFailuresTest {
    /**
     * With this much memory, two rounds run together, 64 tiles are in files, and files are read ahead and written in
     * the background.
     */
    private static final int ON_GPU = 64;

    private static final int ON_HOST = 160;

    private JavaSparkContext spark;
    private Path local;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws IOException {
        spark = JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());
        local = Files.createDirectories(folder.resolve("local"));
    }

    @AfterEach
    void reset() {
        Numbers.left.set(Integer.MAX_VALUE);
    }

    private TileRun<double[]> run() {
        Numbers problem = new Numbers(Pattern.CLOSURE);
        return new TileRun<>(
                spark,
                problem,
                new TileSettings(
                        folder.resolve("tiles").toUri().toString(),
                        "numbers",
                        1,
                        (long) ON_HOST * problem.bytes(),
                        Duration.ZERO,
                        new TileSettings.Gpu((long) ON_GPU * problem.bytes(), local.toString())),
                note -> {});
    }

    private BellmanException fails(ErrorCode code, String... words) {
        Throwable failure = catchThrowable(() -> run().run());
        BellmanException own = BellmanException.in(failure).orElseThrow(() -> new AssertionError(failure));
        assertThat(own.code()).isEqualTo(code);
        assertThat(own).hasMessageContainingAll(words);
        assertThat(local).isEmptyDirectory();
        return own;
    }

    private void runsToTheEnd(boolean continues) {
        Numbers.left.set(Integer.MAX_VALUE);
        TileRun<double[]> run = run();
        TileFolder<double[]> found = run.run();
        Numbers expected = new Numbers(Pattern.CLOSURE);
        expected.solve();
        for (int i = 0; i < Numbers.SIDE * Numbers.SIDE; i++) {
            Tile tile = new Tile(i / Numbers.SIDE, i % Numbers.SIDE);
            assertThat(found.read(tile).get(0, 0)).as("%s", tile).isEqualTo(expected.make(tile));
        }
        double all = Math.pow(Numbers.N, 3);
        assertThat((double) run.report().get("operations")).isBetween(continues ? 1.0 : all, continues ? all - 1 : all);
    }

    /** The event occurs in the middle of the third round, which is in the second job. */
    private void inTheThirdRound(Runnable event) {
        Numbers.event = event;
        Numbers.left.set(5 * Numbers.SIDE * Numbers.SIDE / 2);
    }

    private void forEachFile(Consumer<Path> action) {
        for (File table : local.toFile().listFiles()) {
            assertThat(table.listFiles()).hasSizeGreaterThan(Numbers.SIDE).allMatch(File::isFile);
            for (File file : table.listFiles()) {
                action.accept(file.toPath());
            }
        }
    }

    private static void flip(Path file) {
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
            content.seek(1);
            int old = content.read();
            content.seek(1);
            content.write(old ^ 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void cutOff(Path file) {
        try (FileChannel content = FileChannel.open(file, StandardOpenOption.WRITE)) {
            content.truncate(content.size() / 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private enum Damage {
        FLIPPED(LevelFailuresTest::flip, "is damaged: its checksum does not match"),
        CUT_OFF(LevelFailuresTest::cutOff, "bytes are missing"),
        DELETED(file -> FileUtils.deleteQuietly(file.toFile()), "NoSuchFileException");

        private final Consumer<Path> done;
        private final String found;

        Damage(Consumer<Path> done, String found) {
            this.done = done;
            this.found = found;
        }
    }

    @ParameterizedTest
    @EnumSource
    void damaged(Damage damage) {
        inTheThirdRound(() -> forEachFile(damage.done));
        fails(ErrorCode.BELLMAN_INPUT_READ, "the tile " + local, damage.found, "--resume");
        runsToTheEnd(true);
    }

    /**
     * The files of a killed executor are deleted. Files remain if a different executor uses them, if one on a different
     * machine may use them, or if they do not belong to this user, even if a link leads to them.
     */
    @Test
    void abandoned() throws IOException {
        String name = ScratchFolder.lockName();
        Path dead = abandoned("bellman-tiles1", name);
        Path used = abandoned("bellman-tiles2", name);
        Path elsewhere = abandoned("bellman-tiles3", "lock-of-another-machine");
        Path mine = abandoned("mine", name);
        Files.createSymbolicLink(local.resolve("bellman-tiles4"), mine);
        try (FileChannel lock = FileChannel.open(used.resolve(name), StandardOpenOption.READ)) {
            lock.lock(0, Long.MAX_VALUE, true);
            runsToTheEnd(false);
        }
        assertThat(dead).doesNotExist();
        assertThat(used).isNotEmptyDirectory();
        assertThat(elsewhere).isNotEmptyDirectory();
        assertThat(mine).isNotEmptyDirectory();
    }

    private Path abandoned(String name, String lock) throws IOException {
        Path made = Files.createDirectories(local.resolve(name));
        Files.createFile(made.resolve(lock));
        Files.writeString(made.resolve("7"), "a tile");
        return made;
    }

    /** The disk is full from the start, and the table does not fit in memory. */
    @Test
    void fullDisk() {
        try (SmallDisk disk = new SmallDisk(local, 200)) {
            fails(
                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                    "cannot write the tile " + local,
                    "No space left on device",
                    "then rerun with --resume");
            disk.grow();
            runsToTheEnd(false);
        }
    }

    @Test
    void readOnlyDisk() {
        try (SmallDisk disk = new SmallDisk(local, 65_536)) {
            inTheThirdRound(disk::readOnly);
            Throwable failure = catchThrowable(() -> run().run());
            assertThat(BellmanException.in(failure)).hasValueSatisfying(own -> {
                assertThat(own.code()).isEqualTo(ErrorCode.BELLMAN_OUTPUT_WRITE);
                assertThat(own).hasMessageContainingAll("cannot write the tile " + local, "Read-only file system");
            });
            disk.writable();
            runsToTheEnd(true);
        }
    }
}
