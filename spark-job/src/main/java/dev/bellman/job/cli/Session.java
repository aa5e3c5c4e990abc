package dev.bellman.job.cli;

import dev.bellman.BellmanException;
import dev.bellman.columns.Rapids;
import dev.bellman.function.BellmanExtensions;
import dev.bellman.job.progress.Milestones;
import dev.bellman.job.terminal.Failures;
import java.io.File;
import java.util.Optional;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.util.ShutdownHookManager;

/**
 * The Spark session of this process. Closing this object stops the session, unless it existed before or may stay open
 * until the process ends.
 */
record Session(SparkSession spark, boolean own, Optional<ExecutorWatch> watch, Optional<EarlyEnd> earlyEnd)
        implements AutoCloseable {
    /** The main class that spark-submit starts. */
    private static final String MAIN = "dev.bellman.job.Main";

    /** The setting that makes Spark load classes separately for each session; jobs do not need this. */
    private static final String ISOLATION = "spark.sql.artifact.isolation.enabled";

    /** The logger through which Spark's components report failures when they exchange messages. */
    private static final String INBOX = "org.apache.spark.rpc.netty.Inbox";

    /** @param name the application's name in Spark's UI, unless the user has set a different name */
    static Session open(String name) {
        boolean own = SparkSession.getDefaultSession().isEmpty();
        // the generic builder would take most of a second to find this builder by Scala reflection
        SparkSession.Builder builder = SparkSession.builder();
        SparkConf given = new SparkConf();
        // by default, spark-submit uses the name of the main class as the application's name
        if (given.get("spark.app.name", MAIN).equals(MAIN)) {
            builder.appName(name);
        }
        String master = given.get("spark.master", "");
        if (master.startsWith("local")) {
            // executors report progress in heartbeats, by default only every 10 seconds
            builder.config("spark.executor.heartbeatInterval", given.get("spark.executor.heartbeatInterval", "4s"));
        }
        if (master.matches("local(\\[.*)?")) {
            // a task that runs out of memory should fail on its own; by default it ends its process with code 52, even
            // if the process is the driver
            builder.config("spark.executor.killOnFatalError.depth", 0);
        }
        // delete the folder of the executors that the launcher starts on this host (see submit/gpu-cluster.sh)
        Optional.ofNullable(System.getenv("BELLMAN_CLUSTER"))
                .map(File::new)
                .ifPresent(ShutdownHookManager::registerShutdownDeleteDir);
        // isolated sessions would compile all code again, and executors would request each class from the driver;
        // PySpark turns isolation off, too
        builder.config(ISOLATION, given.get(ISOLATION, "false"));
        // Kryo cannot serialize records, but tasks have records as inputs and results
        builder.config("spark.serializer", JavaSerializer.class.getName());
        // this extension plans the joins that find close pairs
        builder.config(BellmanExtensions.KEY, BellmanExtensions.among(given.get(BellmanExtensions.KEY, "")));
        builder.config(Rapids.PLUGINS, FatalGpuError.among(given));
        Optional<ExecutorWatch> watch = ExecutorWatch.ofProcess(given);
        if (own) {
            WarmUp.queries();
        }
        try {
            SparkSession spark = start(builder);
            Milestones.reach("session open");
            watch.ifPresent(executors -> executors.opened(spark.sparkContext()));
            Optional<EarlyEnd> earlyEnd = own && ProcessEnd.canLeave(spark.sparkContext())
                    ? Optional.of(EarlyEnd.cancelling(spark.sparkContext()))
                    : Optional.empty();
            return new Session(spark, own, watch, earlyEnd);
        } catch (Exception e) {
            // Scala code throws an InterruptedException without declaring it
            throw watch.flatMap(ExecutorWatch::failure).orElseGet(() -> Failures.explain(e));
        }
    }

    /**
     * Starts Spark. Suppresses one misleading stack trace: the executor of a local run sends heartbeats before it has
     * registered. If registration takes seconds, as it does with a GPU or on a busy machine, Spark logs a
     * {@code NullPointerException}, because the executor has no name yet.
     */
    private static SparkSession start(SparkSession.Builder builder) {
        Level before = LogManager.getLogger(INBOX).getLevel();
        Configurator.setLevel(INBOX, Level.OFF);
        // if this fails, the logger stays off, because Spark would log everything that ends together with the session
        SparkSession session = builder.getOrCreate();
        Configurator.setLevel(INBOX, before);
        return session;
    }

    /** Waits for the executors that the launcher starts on this host. */
    void await() {
        watch.ifPresent(executors -> {
            executors.await();
            Milestones.reach("executors registered");
        });
    }

    /** Converts a failure to a {@link BellmanException}. */
    BellmanException explain(Throwable failure) {
        return watch.flatMap(ExecutorWatch::failure)
                .or(() -> FatalGpuError.in(failure))
                .orElseGet(() -> Failures.explain(failure));
    }

    @Override
    public void close() {
        watch.ifPresent(ExecutorWatch::close);
        earlyEnd.ifPresent(EarlyEnd::close);
        if (own && !ProcessEnd.leaves(spark.sparkContext())) {
            spark.stop();
        }
        Milestones.reach("session closed");
    }
}
