package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.Utils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests damaged or missing tile files, and full or read-only disks, as a user experiences them; afterwards, the run
 * must be able to continue. Each step of the table may be applied only once.
 */
class TileFailuresTest {
    private static final int N = 250;
    private static final double[][] MATRIX = Matrices.dominant(N, N + 1);
    private static final Duration NEVER = Duration.ofDays(1);

    private final List<String> notes = new ArrayList<>();
    private JavaSparkContext spark;
    private Path tiles;

    @TempDir
    Path folder;

    @BeforeEach
    void start() {
        spark = JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());
        tiles = folder.resolve("tiles");
        Breaking.left.set(Integer.MAX_VALUE);
        Matrices.write(MATRIX, tiles, 1);
    }

    /** Runs without memory for tiles, so that every tile and panel is read from a file. */
    private TileRun<double[][]> run(Duration checkpoint) {
        return new TileRun<>(
                spark,
                new Breaking<>(Matrices.tiles(N)),
                new TileSettings(tiles.toUri().toString(), "matrix", 1, 0, checkpoint),
                Matrices.GIVEN,
                notes::add);
    }

    private TileRun<double[][]> runToEnd(Duration checkpoint) {
        TileRun<double[][]> run = run(checkpoint);
        assertThat(Matrices.read(run.run(), N)).isDeepEqualTo(Matrices.eliminated(MATRIX));
        return run;
    }

    private BellmanException fails(Duration checkpoint, ErrorCode code, String... words) {
        Throwable failure = catchThrowable(() -> run(checkpoint).run());
        BellmanException own = BellmanException.in(failure).orElseThrow(() -> new AssertionError(failure));
        assertThat(own.code()).isEqualTo(code);
        assertThat(own).hasMessageContainingAll(words);
        return own;
    }

    private void cutOff(Duration checkpoint, int tasks) {
        Breaking.left.set(tasks);
        assertThat(catchThrowable(() -> run(checkpoint).run())).hasMessageContaining(Breaking.MESSAGE);
        Breaking.left.set(Integer.MAX_VALUE);
    }

    /** Tiles have the permissions of the files that Spark writes, which do not depend on the umask of the process. */
    @Test
    void permissions() throws IOException {
        Configuration hadoop = new Configuration(spark.hadoopConfiguration());
        hadoop.set("fs.permissions.umask-mode", "027");
        new TileStore(folder.resolve("one/two").toString(), hadoop).replace("three/tile", ByteBuffer.allocate(1));
        assertThat(Stream.of("one", "one/two", "one/two/three", "one/two/three/tile")
                        .map(this::permissionsOf))
                .containsExactly("rwxr-x---", "rwxr-x---", "rwxr-x---", "rw-r-----");
    }

    private String permissionsOf(String path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void flip(Path file) {
        try {
            byte[] content = Files.readAllBytes(file);
            content[content.length / 2] ^= 1;
            Files.write(file, content, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path root, String name) {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains(name))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path root) {
        try {
            FileUtils.deleteDirectory(root.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"given", "checkpoints", "panels"})
    void damagedTile(String kind) throws IOException {
        Duration checkpoint = kind.equals("checkpoints") ? Duration.ZERO : NEVER;
        cutOff(checkpoint, 7);
        Path file = files(tiles, "/" + kind + "/").stream()
                .filter(path -> path.endsWith(kind.equals("panels") ? "0-0" : "2-2"))
                .findFirst()
                .orElseThrow();
        flip(file);
        String name = folder.relativize(file).toString();
        fails(checkpoint, ErrorCode.BELLMAN_INPUT_READ, name + " is damaged: its checksum does not match", "--resume");
        flip(file);
        Path aside = folder.resolve("aside");
        Files.move(file, aside);
        fails(checkpoint, ErrorCode.BELLMAN_INPUT_READ, name + " is missing. Replace the tile with an intact copy");
        Files.createFile(file);
        fails(
                checkpoint,
                ErrorCode.BELLMAN_INPUT_READ,
                name + " is damaged: it is truncated. Replace the tile with an intact copy");
        Files.delete(file);
        Files.move(aside, file);
        runToEnd(checkpoint);
    }

    /**
     * Changes or removes bytes in any file that a run left behind. The next run either refuses the file, with its name
     * in the message, or does not read it.
     */
    @Test
    @Tag("thorough")
    void damagedAnywhere() throws IOException {
        int refused = 0;
        for (int seed : Thorough.seeds(260).toArray()) {
            Random random = new Random(seed);
            delete(tiles);
            Matrices.write(MATRIX, tiles, 1);
            Duration checkpoint = random.nextBoolean() ? Duration.ZERO : NEVER;
            cutOff(checkpoint, 2 + random.nextInt(11));
            List<Path> all = files(tiles, "").stream()
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
            Path file = all.get(random.nextInt(all.size()));
            byte[] whole = Files.readAllBytes(file);
            Files.write(file, damaged(whole, random));
            Throwable failure = catchThrowable(() -> runToEnd(checkpoint));
            String what = "seed %d: %s".formatted(seed, folder.relativize(file));
            if (failure != null) {
                BellmanException own =
                        BellmanException.in(failure).orElseThrow(() -> new AssertionError(what, failure));
                assertThat(own.code()).as(what).isEqualTo(ErrorCode.BELLMAN_INPUT_READ);
                assertThat(own).as(what).hasMessageContaining(file.getFileName().toString());
                refused++;
                Files.write(file, whole);
                runToEnd(checkpoint);
            }
        }
        assertThat(refused).isPositive();
    }

    private static byte[] damaged(byte[] whole, Random random) {
        if (whole.length == 0 || random.nextInt(3) == 0) {
            return Arrays.copyOf(whole, whole.length == 0 ? 1 : random.nextInt(whole.length));
        }
        byte[] damaged = whole.clone();
        damaged[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
        return damaged;
    }

    private static Path localFolder() {
        return SparkEnv.get().blockManager().diskBlockManager().localDirs()[0].toPath();
    }

    /** Returns the files that no later task writes again. */
    private static File[] written(File folder) {
        return folder.listFiles((parent, name) -> !name.startsWith("_"));
    }

    /** A tile whose file on an executor's disk is damaged is computed again from the store. */
    @Test
    void damagedTileOnTheDiskOfAnExecutor() {
        Breaking.after(8, () -> {
            for (File cache : localFolder().toFile().listFiles((folder, name) -> name.startsWith("bellman-tiles"))) {
                for (File tile : written(cache)) {
                    try {
                        flip(tile.toPath());
                    } catch (UncheckedIOException e) {
                        // a task has deleted the file in the meantime
                    }
                }
            }
        });
        assertThat(runToEnd(NEVER).report().get("executors").toString()).doesNotContain("stepsRunAgain=0");
    }

    private void deletePanels() {
        for (File wave : tiles.resolve("panels").toFile().listFiles()) {
            for (File panel : written(wave)) {
                FileUtils.deleteQuietly(panel);
            }
        }
    }

    /** Deletes panels while they are needed, or all files, after which a run cannot continue. */
    @ParameterizedTest
    @ValueSource(strings = {"panels", "."})
    void deletedDuringTheRun(String deleted) throws IOException {
        Files.createDirectories(folder.resolve("mine"));
        Files.writeString(folder.resolve("mine/notes"), "of the user");
        boolean all = deleted.equals(".");
        Breaking.after(all ? 0 : 5, all ? () -> delete(tiles) : this::deletePanels);
        if (all) {
            fails(
                    Duration.ZERO,
                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                    "tiles/manifest was deleted while",
                    "run the job again");
        } else {
            fails(
                    NEVER,
                    ErrorCode.BELLMAN_INPUT_READ,
                    "tiles/panels/",
                    " is missing. Replace the tile with an intact copy");
            delete(tiles);
        }
        Matrices.write(MATRIX, tiles, 1);
        runToEnd(NEVER);
        assertThat(folder.resolve("mine/notes")).hasContent("of the user");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void diskThatCannotBeWritten(boolean readOnly) throws IOException {
        delete(tiles);
        Files.createDirectories(tiles);
        try (SmallDisk disk = new SmallDisk(tiles, readOnly ? 65_536 : 1_200)) {
            Files.writeString(tiles.resolve("notes"), "of the user");
            Matrices.write(MATRIX, tiles, 1);
            if (readOnly) {
                Breaking.after(5, disk::readOnly);
            }
            BellmanException failure = fails(
                    NEVER,
                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                    "cannot write the tile file:" + tiles,
                    "Fix the problem, then rerun with --resume");
            // on a read-only disk, the first file that fails depends on timing: either a panel, whose folder cannot be
            // created, or the manifest
            String[] reasons = readOnly
                    ? new String[] {"Mkdirs failed to create", "Read-only file system"}
                    : new String[] {"No space left on device"};
            assertThat(failure.getMessage()).containsAnyOf(reasons);
            if (readOnly) {
                disk.writable();
            } else {
                disk.grow();
            }
            assertThat(runToEnd(NEVER).report().get("operations")).isNotEqualTo(16 / 3.0);
            assertThat(tiles.resolve("notes")).hasContent("of the user");
        }
    }

    /**
     * If a task could not write a panel, it writes the panel when Spark runs it again on the same executor, which has
     * its tile.
     */
    @Test
    void panelThatCannotBeWritten() throws IOException {
        TileWorker.Shared<double[][]> shared = new TileWorker.Shared<>(
                new LargeTiles<>(Matrices.tiles(N), 1),
                tiles.toUri().toString(),
                Matrices.GIVEN,
                new SerializableConfiguration(spark.hadoopConfiguration()),
                1 << 30);
        List<Step> first = new ArrayList<>();
        Step.run(shared.form(), (wave, steps) -> first.addAll(wave == 0 ? steps : List.of()));
        byte[] work = Utils.serialize(new TileWorker.Work(0, Step.NONE, Step.NONE, first, List.of(), Step.NONE));
        Path inTheWay = Files.createFile(tiles.resolve(Step.Panel.FOLDER));
        assertThat(BellmanException.in(catchThrowable(() -> TileWorker.run(shared, work))))
                .hasValueSatisfying(own -> assertThat(own.code()).isEqualTo(ErrorCode.BELLMAN_OUTPUT_WRITE));
        Files.delete(inTheWay);
        TileWorker.run(shared, work);
        assertThat(tiles.resolve(first.get(0).panel().name())).isNotEmptyFile();
        TileWorker.drop(shared.run());
    }

    @Test
    void fullDiskOfAnExecutor() {
        try (SmallDisk disk = new SmallDisk(localFolder(), 200)) {
            fails(
                    NEVER,
                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                    "cannot write the tile file:" + localFolder(),
                    "No space left on device");
            disk.grow();
            runToEnd(NEVER);
        }
    }

    /** A run that continues an interrupted run uses the same parts, regardless of its memory. */
    @Test
    void begun() {
        Configuration hadoop = spark.hadoopConfiguration();
        assertThat(TileManifest.parts(tiles.toUri().toString(), "matrix", hadoop))
                .isEmpty();
        cutOff(NEVER, 3);
        assertThat(TileManifest.parts(tiles.toUri().toString(), "matrix", hadoop))
                .contains(1);
        assertThat(TileManifest.parts(tiles.toUri().toString(), "another", hadoop))
                .isEmpty();
    }

    /** The next checkpoint deletes the checkpoints and panels of other attempts. */
    @Test
    void leftovers() throws IOException {
        cutOff(Duration.ZERO, 12);
        assertThat(tiles.resolve("checkpoints"))
                .isDirectoryContaining("glob:**")
                .satisfies(path -> assertThat(path.toFile().list()).hasSize(1));
        for (String stale : List.of("checkpoints/0", "panels/0")) {
            Files.createDirectories(tiles.resolve(stale));
            Files.writeString(tiles.resolve(stale).resolve("1-1"), "of a step before");
        }
        runToEnd(Duration.ZERO);
        assertThat(tiles.resolve("checkpoints").toFile().list()).hasSize(1);
        assertThat(tiles.resolve("panels").toFile().list()).isEmpty();
    }
}
