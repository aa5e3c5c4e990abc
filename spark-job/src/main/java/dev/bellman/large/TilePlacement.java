package dev.bellman.large;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.report.Provenance;
import dev.bellman.large.grid.TileManifest;
import dev.bellman.large.grid.TileSettings;
import dev.bellman.large.grid.TileSizes;
import dev.bellman.large.levels.LevelSizes;
import dev.bellman.large.tiles.TiledProblem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;

/**
 * Determines how large the tiles of a table are and where they are kept, from the settings
 * {@code spark.bellman.tiles.*} and from the cluster.
 */
public final class TilePlacement {
    private static final String HOST_MEMORY = "spark.bellman.tiles.hostMemory";
    private static final String GPU_MEMORY = "spark.bellman.tiles.gpuMemory";
    private static final String DIRECTORY = "spark.bellman.tiles.directory";
    private static final String EXCHANGE = "spark.bellman.tiles.exchangeDirectory";
    private static final String CHECKPOINT = "spark.bellman.tiles.checkpoint";

    /** The names of all settings of tiles. */
    public static final List<String> SETTINGS = List.of(HOST_MEMORY, GPU_MEMORY, DIRECTORY, EXCHANGE, CHECKPOINT);

    private final SparkSession spark;
    private final JavaSparkContext context;
    private final RuntimeConfig settings;
    private final Consumer<String> notes;

    /** @param settings the settings in the user's session */
    TilePlacement(SparkSession spark, RuntimeConfig settings, Consumer<String> notes) {
        this.spark = spark;
        this.context = new JavaSparkContext(spark.sparkContext());
        this.settings = settings;
        this.notes = notes;
    }

    /** Returns the maximum number of bytes that tiles may occupy in the heap of an executor. */
    long memory() {
        SparkContext all = context.sc();
        return bytes(HOST_MEMORY)
                .orElseGet(() ->
                        (all.isLocal() ? Runtime.getRuntime().maxMemory() : (long) all.executorMemory() << 20) / 2);
    }

    /**
     * Returns the maximum number of bytes that tiles may occupy in the memory of a GPU.
     *
     * @param all how much GPU memory one instance may use
     */
    long gpuMemory(long all) {
        return Math.min(all, bytes(GPU_MEMORY).orElse(all));
    }

    private Optional<Long> bytes(String key) {
        String set = settings.get(key, "");
        try {
            return set.isEmpty() ? Optional.empty() : Optional.of(JavaUtils.byteStringAsBytes(set));
        } catch (NumberFormatException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    "%s is '%s'; it must be a number of bytes, such as 8g".formatted(key, set));
        }
    }

    /** Returns the time between two checkpoints of the tiles; null if it is not set. */
    private Duration checkpoint() {
        String set = settings.get(CHECKPOINT, "");
        try {
            return set.isEmpty() ? null : Duration.ofSeconds(JavaUtils.timeStringAsSec(set));
        } catch (NumberFormatException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    "%s is '%s'; it must be a time, such as 10min".formatted(CHECKPOINT, set));
        }
    }

    /** Returns the settings with which the executors compute a table in tiles. */
    TileSettings settings(TiledProblem<?> tiles, Provenance provenance, StagedOutput output) {
        int cores = context.defaultParallelism();
        int ofExecutor = (cores + executors() - 1) / executors();
        long memory = memory();
        int parts = begun(provenance, output).orElseGet(() -> TileSizes.parts(tiles, cores, ofExecutor, memory));
        return new TileSettings(
                output.tiles(),
                provenance.fingerprint(),
                parts,
                TileSizes.fit(tiles, parts, ofExecutor, memory)
                        ? memory
                        : Math.min(memory, beside(TileSizes.atATime(tiles, parts, ofExecutor), ofExecutor, output)),
                checkpoint());
    }

    /**
     * Returns the memory of an executor, less the tiles that its cores are using, in bytes. Fails if these tiles do not
     * fit, which can happen if the interrupted run had more memory.
     */
    private static long beside(double atATime, int cores, StagedOutput output) {
        double left = TaskMemory.ofExecutor() - atATime;
        if (left < 0) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    ("the tiles in %s need %,.0f bytes on an executor with %,d cores, but only %,d bytes are "
                                    + "available; use executors with more memory or fewer cores, or run without "
                                    + "--resume to start from the beginning")
                            .formatted(output.tiles(), atATime, cores, TaskMemory.ofExecutor()));
        }
        return (long) left;
    }

    /**
     * Returns the number of tiles on each side of the large tiles of an interrupted run, which may have had different
     * memory, cores or GPUs. Empty if there is no such run.
     */
    Optional<Integer> begun(Provenance provenance, StagedOutput output) {
        return TileManifest.parts(output.tiles(), provenance.fingerprint(), context.hadoopConfiguration());
    }

    /**
     * Returns the settings with which GPUs compute a table in large tiles.
     *
     * @param gpuMemory the maximum number of bytes that tiles may occupy in each GPU's memory
     */
    TileSettings settings(TiledProblem<?> tiles, Provenance provenance, StagedOutput output, long gpuMemory) {
        long hostMemory = bytes(HOST_MEMORY).orElseGet(() -> spark.range(1)
                .map((MapFunction<Long, Long>) row -> TaskMemory.besideHeap(), Encoders.LONG())
                .first());
        int most = LevelSizes.parts(tiles, gpuMemory);
        Optional<Integer> begun = begun(provenance, output);
        int ofShares =
                begun.filter(parts -> parts >= tiles.fewestParts()).orElseGet(() -> LevelSizes.partsOfShares(tiles));
        int gpus = gpus(tiles, ofShares, gpuMemory);
        if (gpus == 1 && executors() > 1) {
            notes.accept("only one of the %,d GPUs computes the table: %s"
                    .formatted(executors(), whyOneGpu(tiles, ofShares, gpuMemory)));
        }
        return new TileSettings(
                output.tiles(),
                provenance.fingerprint(),
                gpus > 1
                        ? ofShares
                        : begun.map(parts -> continued(tiles, parts, most, gpuMemory, output))
                                .orElse(most),
                hostMemory,
                checkpoint(),
                new TileSettings.Gpu(gpuMemory, folder(DIRECTORY), gpus, folder(EXCHANGE)));
    }

    /**
     * Returns the number of parts with which one GPU continues an interrupted run. Fails if the GPU cannot use large
     * tiles of this size, which can happen if the interrupted run had no GPU, or one with more memory.
     *
     * @param most the maximum number of parts for a new run
     */
    private static int continued(TiledProblem<?> tiles, int parts, int most, long gpuMemory, StagedOutput output) {
        if (parts < tiles.fewestParts() || parts > most && LevelSizes.minMemory(tiles, parts) > gpuMemory) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    ("cannot continue on this GPU: the tiles in %s have %,d rows each (a GPU needs at least %,d) and "
                                    + "need %,d bytes of GPU memory (available: %,d). Use engine: cpu or as much GPU "
                                    + "memory as before, or run without --resume to start from the beginning")
                            .formatted(
                                    output.tiles(),
                                    parts * tiles.edge(),
                                    tiles.fewestParts() * tiles.edge(),
                                    LevelSizes.minMemory(tiles, parts),
                                    gpuMemory));
        }
        return parts;
    }

    private String folder(String key) {
        String folder = settings.get(key, "");
        return folder.isEmpty() ? null : folder;
    }

    private int executors() {
        // Spark's list of executors also contains the driver
        return Math.max(1, context.sc().statusTracker().getExecutorInfos().length - 1);
    }

    /**
     * Returns how many GPUs compute a table in large tiles: all GPUs, or one if they cannot share the table.
     *
     * @param parts the number of tiles per side of a large tile
     */
    int gpus(TiledProblem<?> tiles, int parts, long gpuMemory) {
        return whyOneGpu(tiles, parts, gpuMemory) == null ? executors() : 1;
    }

    /** Returns the reason why several GPUs cannot share a table; null if they can. */
    private String whyOneGpu(TiledProblem<?> tiles, int parts, long gpuMemory) {
        if (!TileSizes.canShare(tiles.pattern())) {
            return "several GPUs cannot share a table of this kind";
        }
        if (context.getConf().getBoolean("spark.speculation", false)) {
            return "with spark.speculation, tasks may run on GPUs that do not have the tiles";
        }
        long bytes = TileSizes.gpuBytes(tiles, parts, executors());
        return bytes <= gpuMemory
                ? null
                : "each GPU would need %,d bytes for its share, but only %,d are available".formatted(bytes, gpuMemory);
    }
}
