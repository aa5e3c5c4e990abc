package dev.bellman.large.grid;

import dev.bellman.align.gap.GapTiles;
import dev.bellman.chain.matrix.MatrixChain;
import dev.bellman.chain.matrix.MatrixChainTiles;
import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTable;
import dev.bellman.graph.PathTiles;
import dev.bellman.graph.ShortestPaths;
import dev.bellman.job.LocalSpark;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.Row;

/**
 * A driver whose executors run in separate processes. The four arguments are a folder, the kind of table (a constant of
 * this class, such as {@link #PATHS}), its size (the number of vertices, rows, matrices or letters), and the master.
 * The driver records its current phase and, at the end, a checksum of the table.
 */
final class ClusterTable {
    /** Shortest paths in the executors' memory. */
    static final String PATHS = "paths";

    /** The elimination of a matrix. */
    static final String MATRIX = "matrix";

    /** Shortest paths on two GPUs. */
    static final String GPUS = "gpus";

    /** Shortest paths on one GPU. Most tiles are in files, which are read ahead and written in the background. */
    static final String FILES = "files";

    /** The executors' local folder. */
    static final String LOCAL = "local";

    private static final int TILES_ON_GPU = 6;
    /** The number of tiles that fit in host memory. With this number, some tiles are read ahead. */
    private static final int TILES_ON_HOST = 10;

    /** A file that contains the phase of the current job. */
    static final String PHASE = "phase";

    /** The phase in which tasks read the finished table. */
    static final String RESULT = "result";

    /** A file that contains one byte for each task that ran a second time because it was slow. */
    static final String REPEATED = "repeated";

    /** Two tables whose panels are kept until the end. */
    static final String KEPT = "kept";

    private ClusterTable() {}

    public static void main(String... arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        int size = Integer.parseInt(arguments[2]);
        SparkConf conf = new SparkConf()
                .setAppName("table")
                .setMaster(arguments[3])
                .set("spark.ui.enabled", "false")
                .set("spark.executor.memory", "512m")
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                // executors live for only a few seconds
                .set("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
                // a killed executor counts as a failure of its tasks
                .set("spark.task.maxFailures", "1000")
                .set("spark.executor.cores", "1")
                // each task that takes longer than the others also runs on the other host, unless that host has no
                // tiles for the task
                .set("spark.speculation", Boolean.toString(!arguments[1].equals(GPUS)))
                .set("spark.speculation.interval", "20ms")
                .set("spark.speculation.multiplier", "1.01")
                .set("spark.speculation.quantile", "0.1")
                .set("spark.speculation.minTaskRuntime", "1ms");
        Path repeated = folder.resolve(REPEATED);
        if (Files.notExists(repeated)) {
            Files.createFile(repeated);
        }
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            spark.sc().addSparkListener(new Watch(folder));
            long sum =
                    switch (arguments[1]) {
                        case MATRIX -> matrix(spark, size, folder);
                        case KEPT -> kept(spark, size, folder);
                        case GPUS -> onGpus(spark, size, PathTiles.of(graph(size), false), folder);
                        case FILES -> inFiles(spark, size, PathTiles.of(graph(size), false), folder);
                        default -> paths(spark, size, PathTiles.of(graph(size), false), folder);
                    };
            Files.writeString(folder.resolve("sum"), Long.toString(sum));
        }
    }

    private static final class Watch extends SparkListener {
        private final Path folder;

        Watch(Path folder) {
            this.folder = folder;
        }

        @Override
        public void onJobStart(SparkListenerJobStart job) {
            String description = job.properties().getProperty("spark.job.description", RESULT);
            String phase = description.startsWith("checkpoint")
                    ? "checkpoint"
                    : description.substring(description.indexOf(", ") + 1).strip();
            write(phase);
        }

        @Override
        public void onJobEnd(SparkListenerJobEnd job) {
            write("");
        }

        private void write(String phase) {
            try {
                Path attempt = folder.resolve(PHASE + ".new");
                Files.writeString(attempt, phase);
                Files.move(attempt, folder.resolve(PHASE), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void onTaskStart(SparkListenerTaskStart task) {
            if (task.taskInfo().speculative()) {
                try {
                    Files.writeString(folder.resolve(REPEATED), "x", StandardOpenOption.APPEND);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Returns the checksum of a table that this process computes. */
    static long expected(String kind, int size) {
        if (kind.equals(KEPT)) {
            MatrixChain.Solution chain = MatrixChain.solve(dims(size), MatrixChain.Strategy.TABLE);
            String a = letters(size);
            Row pair = LocalSpark.session()
                    .sql("SELECT gap_alignment('%s', '%s', 2, -3, cast(split('%s', ' ') AS ARRAY<BIGINT>))"
                            .formatted(
                                    a,
                                    b(a),
                                    Arrays.stream(dims(size))
                                            .mapToObj(Long::toString)
                                            .collect(Collectors.joining(" "))))
                    .head()
                    .getStruct(0);
            return sum(chain, pair.getLong(0), pair.getString(1));
        }
        return kind.equals(MATRIX)
                ? sum(Matrices.eliminated(Matrices.dominant(size, size + 1)))
                : sum(size, ShortestPaths.solve(graph(size), ShortestPaths.Strategy.BLOCKED, false), 0, size);
    }

    /** Returns the dimensions of a chain, which also serve as gap costs. */
    private static long[] dims(int size) {
        return new Random(size).longs(size + 1L, 1, 9).toArray();
    }

    private static String letters(int size) {
        return new Random(size)
                .ints(size, 'A', 'D')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String b(String a) {
        return a.substring(a.length() / 3) + a.substring(0, a.length() / 5);
    }

    private static long kept(JavaSparkContext spark, int size, Path folder) throws IOException {
        MatrixChainTiles chain = MatrixChainTiles.of(dims(size));
        MatrixChain.Solution solution =
                chain.solution(solve(spark, chain, folder, null).reader(Long.MAX_VALUE));
        String a = letters(size);
        GapTiles pair = GapTiles.of(a.getBytes(), b(a).getBytes(), 2, -3, dims(size));
        Function<Tile, long[][]> table =
                solve(spark, pair, folder.resolve("pair"), null).reader(Long.MAX_VALUE);
        return sum(solution, pair.score(table), pair.cigar(table));
    }

    private static long sum(MatrixChain.Solution chain, long score, String cigar) {
        CRC32C sum = new CRC32C();
        sum.update("%d %s %s %d %s"
                .formatted(chain.cost(), chain.order(), Arrays.toString(chain.splits()), score, cigar)
                .getBytes());
        return sum.getValue();
    }

    private static Graph graph(int vertices) {
        return Graphs.random(vertices, true, 1_000_000);
    }

    private static <T> TileFolder<T> solve(JavaSparkContext spark, TiledProblem<T> problem, Path folder, String given)
            throws IOException {
        return solve(spark, problem, folder, given, 20 << 20, null);
    }

    private static <T> TileFolder<T> solve(
            JavaSparkContext spark,
            TiledProblem<T> problem,
            Path folder,
            String given,
            long memory,
            TileSettings.Gpu gpu)
            throws IOException {
        TileRun<T> run = new TileRun<>(
                spark,
                problem,
                new TileSettings(
                        folder.resolve("tiles").toUri().toString(), "table", 1, memory, Duration.ofSeconds(1), gpu),
                given,
                System.out::println);
        TileFolder<T> table = run.run();
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("report"), run.report().toString());
        return table;
    }

    private static long matrix(JavaSparkContext spark, int n, Path folder) throws IOException {
        String given = Matrices.write(Matrices.dominant(n, n + 1), folder.resolve("tiles"), 1);
        return sum(Matrices.read(solve(spark, Matrices.tiles(n), folder, given), n));
    }

    private static long sum(double[]... matrix) {
        CRC32C sum = new CRC32C();
        for (double[] row : matrix) {
            for (double cell : row) {
                sum.update(ByteBuffer.allocate(Double.BYTES).putDouble(cell).flip());
            }
        }
        return sum.getValue();
    }

    private static <T> long paths(JavaSparkContext spark, int vertices, PathTiles<T> tiles, Path folder)
            throws IOException {
        return sum(spark, vertices, tiles, solve(spark, tiles, folder, null));
    }

    private static <T> long onGpus(JavaSparkContext spark, int vertices, PathTiles<T> tiles, Path folder)
            throws IOException, InterruptedException {
        // the driver is one of the executors
        while (spark.sc().statusTracker().getExecutorInfos().length < 3) {
            Thread.sleep(20);
        }
        TileSettings.Gpu gpus = new TileSettings.Gpu(1L << 40, null, 2, null);
        return sum(
                spark,
                vertices,
                tiles,
                solve(
                        spark,
                        new OnSimulatedGpu<>(tiles, OnSimulatedGpu.Paths.of(tiles.graph())),
                        folder,
                        null,
                        20 << 20,
                        gpus));
    }

    private static <T> long inFiles(JavaSparkContext spark, int vertices, PathTiles<T> tiles, Path folder)
            throws IOException {
        String local = Files.createDirectories(folder.resolve(LOCAL)).toString();
        return sum(
                spark,
                vertices,
                tiles,
                solve(
                        spark,
                        new OnSimulatedGpu<>(tiles, OnSimulatedGpu.Paths.of(tiles.graph())),
                        folder,
                        null,
                        (long) TILES_ON_HOST * tiles.bytes(),
                        new TileSettings.Gpu((long) TILES_ON_GPU * tiles.bytes(), local)));
    }

    private static <T> long sum(JavaSparkContext spark, int vertices, PathTiles<T> tiles, TileFolder<T> table) {
        List<Integer> rows = IntStream.range(0, table.side()).boxed().toList();
        return spark.parallelize(rows, rows.size())
                .map(row -> sum(
                        vertices,
                        tiles.paths(table.tiles(row, 0, table.side())),
                        row * table.edge(),
                        Math.min(vertices, (row + 1) * table.edge())))
                .reduce(Long::sum);
    }

    /** Returns a hash of some rows. Hashes of different rows can be added. */
    private static long sum(int vertices, PathTable paths, int begin, int end) {
        long all = 0;
        for (int from = begin; from < end; from++) {
            CRC32C sum = new CRC32C();
            for (int to = 0; to < vertices; to++) {
                sum.update("%d %d"
                        .formatted(from, paths.reaches(from, to) ? paths.length(from, to) : -1)
                        .getBytes());
            }
            all += sum.getValue();
        }
        return all;
    }
}
