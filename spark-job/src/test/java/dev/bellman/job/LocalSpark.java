package dev.bellman.job;

import dev.bellman.GpuSide;
import dev.bellman.columns.GpuFunctions;
import dev.bellman.function.BellmanExtensions;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The Spark session that this module's tests share. */
public final class LocalSpark {
    private LocalSpark() {}

    /**
     * Returns the message with which a job that requires a GPU fails: the given one, or a different one if this build
     * has no GPU side.
     */
    public static String noGpu(String messageOfTheGpuSide) {
        return GpuSide.find(GpuFunctions.class).isPresent()
                ? messageOfTheGpuSide
                : "this build of Bellman has no GPU support";
    }

    /** Returns the rows as Spark prints them, in ascending order. */
    public static List<String> lines(Dataset<Row> rows) {
        return rows.collectAsList().stream().map(Row::toString).sorted().toList();
    }

    /** Returns the rows in the output {@code out} of a job that ran in a folder. */
    public static Dataset<Row> output(Path folder) {
        return session().read().parquet(folder.resolve("out").toString());
    }

    /** Returns columns or expressions of the rows in {@link #output} as Spark prints them, in ascending order. */
    public static List<String> written(Path folder, String... columns) {
        return lines(output(folder).selectExpr(columns.length == 0 ? new String[] {"*"} : columns));
    }

    public static SparkSession session() {
        return SparkSession.builder()
                .master("local[2]")
                .appName("tests")
                .config("spark.sql.extensions", BellmanExtensions.class.getName())
                // each job has a separate session, and all sessions share the compiled code of their queries
                .config("spark.sql.artifact.isolation.enabled", false)
                // as in the sessions of jobs, a task that runs out of memory does not end the process
                .config("spark.executor.killOnFatalError.depth", 0)
                .getOrCreate();
    }

    /** Returns the session of tests that need a GPU. */
    public static SparkSession withRapids() {
        return SparkSession.builder()
                .master("local[*]")
                .config("spark.plugins", "com.nvidia.spark.SQLPlugin")
                .config("spark.sql.extensions", BellmanExtensions.class.getName())
                .config("spark.rapids.memory.gpu.minAllocFraction", "0.01")
                .config("spark.sql.shuffle.partitions", "4")
                .config("spark.ui.enabled", false)
                .getOrCreate();
    }
}
