package dev.bellman.job.cli;

import dev.bellman.GpuSide;
import dev.bellman.columns.GpuOfTask;
import dev.bellman.columns.Rapids;
import dev.bellman.job.format.Format;
import dev.bellman.job.format.ParquetRows;
import dev.bellman.job.progress.Milestones;
import dev.bellman.job.report.Timeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.rdd.RDDOperationScope$;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation$;
import org.apache.spark.sql.catalyst.parser.SqlBaseLexer;
import org.apache.spark.sql.catalyst.parser.SqlBaseParser;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.ShutdownHookManager;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.SimpleCompiler;

/**
 * On other threads, loads the classes and libraries that runs need, while the session starts and the run reads its
 * first rows. The initializers of these classes must be independent, because two threads that initialize classes in a
 * cycle would deadlock.
 */
final class WarmUp {
    private WarmUp() {}

    /** Starts to load the GPU libraries if this process will open a session with a GPU. */
    static void gpu(SparkConf given) {
        if (Rapids.hasGpu(given) && given.get("spark.master", "").startsWith("local[")) {
            // RAPIDS uses the first GPU, too
            gpu(0);
        }
    }

    /** Starts to load the GPU libraries, and to create the context of this GPU. */
    static void gpu(int number) {
        GpuSide.find(GpuOfTask.class)
                .ifPresent(gpu -> begin("gpu", () -> {
                    gpu.load(number);
                    Milestones.reach("GPU libraries loaded");
                }));
    }

    /**
     * Starts to load the classes with which Spark plans a query, such as the parser's tables and the compiler of
     * generated code.
     */
    static void queries() {
        begin("queries", () -> {
            load(SqlBaseLexer.class);
            load(SqlBaseParser.class);
            try {
                new SimpleCompiler().cook("public class Sum { public long of(long a, int b) { return a + b; } }");
            } catch (CompileException e) {
                throw new IllegalStateException(e);
            }
            load(RDDOperationScope$.class);
            Milestones.reach("classes of queries loaded");
        });
    }

    /**
     * Starts two small queries on the session's GPUs, like those of a job. The first such query in a process takes
     * seconds longer than later ones, because it loads RAPIDS' rules and kernels. In the meantime, the run reads its
     * first rows.
     *
     * @param gpus the number of executors with a GPU, each of which runs a task of each query
     * @param shuffles whether the second query shuffles and sorts its rows, as joins do
     * @param ready returns when the executors can run tasks; before that, only plans a query
     */
    static Thread gpuQueries(SparkSession session, int gpus, boolean shuffles, Runnable ready) {
        return begin("gpu-queries", () -> {
            SparkSession own = session.newSession();
            own.sparkContext().setJobDescription(Timeline.WARM_UP);
            // this rule would compute the first query in the driver, without a GPU
            own.conf().set("spark.sql.optimizer.excludedRules", ConvertToLocalRelation$.MODULE$.ruleName());
            String folder = temporaryFolder();
            StructType strings = new StructType().add("a", DataTypes.StringType).add("b", DataTypes.StringType);
            List<Row> rows = Collections.nCopies(gpus, RowFactory.create("a", "b"));
            // from an RDD instead, Spark would convert the rows with Scala's reflection, which takes half a second to
            // load
            Dataset<Row> first = own.createDataFrame(rows, strings);
            distances(first).queryExecution().executedPlan();
            Milestones.reach("GPU queries planned");
            ready.run();
            write(first, folder + "/one");
            Dataset<Row> second = own.read().parquet(folder + "/one");
            write(shuffles ? shuffled(second) : second, folder + "/two");
            // the preview of a job's output reads Parquet in this process
            readFirst(folder + "/two", own);
            Milestones.reach("GPU queries loaded");
        });
    }

    private static Dataset<Row> shuffled(Dataset<Row> rows) {
        return rows.repartition(rows.col("a")).sortWithinPartitions(functions.xxhash64(rows.col("a")));
    }

    private static Dataset<Row> distances(Dataset<Row> rows) {
        return rows.selectExpr("a", "b", "edit_distance(a, b) AS distance");
    }

    private static void write(Dataset<Row> rows, String folder) {
        Format.PARQUET.write(distances(rows), Map.of()).to(folder);
    }

    private static void readFirst(String folder, SparkSession session) {
        try {
            ParquetRows.of(folder, session.sparkContext().hadoopConfiguration())
                    .orElseThrow()
                    .first(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates a folder that is deleted when the process ends. */
    private static String temporaryFolder() {
        try {
            Path folder = Files.createTempDirectory("bellman-warm-up");
            ShutdownHookManager.registerShutdownDeleteDir(folder.toFile());
            return folder.toUri().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void load(Class<?> type) {
        try {
            Class.forName(type.getName(), true, type.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Starts a thread, and ignores its failure, because the failure will occur again, with an explanation, when the
     * session needs the class.
     */
    private static Thread begin(String what, Runnable load) {
        Thread thread = new Thread(load, "bellman-warm-up-" + what);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((of, failure) -> {});
        thread.start();
        return thread;
    }
}
