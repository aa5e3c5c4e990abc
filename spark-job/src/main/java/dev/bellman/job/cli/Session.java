package dev.bellman.job.cli;

import dev.bellman.BellmanException;
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

/** The process's Spark session. Closing it leaves a session that already existed running. */
record Session(SparkSession spark, boolean own, Optional<ExecutorWatch> watch) implements AutoCloseable {
    /** The main class that spark-submit starts. */
    private static final String MAIN = "dev.bellman.job.Main";

    /** The setting that loads each session's classes separately, which jobs do not need. */
    private static final String ISOLATION = "spark.sql.artifact.isolation.enabled";

    /** The logger that reports failures in messages between Spark's components. */
    private static final String INBOX = "org.apache.spark.rpc.netty.Inbox";

    /** @param name the application's name in Spark's UI, unless the user has set one */
    static Session open(String name) {
        boolean own = SparkSession.getDefaultSession().isEmpty();
        // the generic builder would spend most of a second finding this builder by Scala reflection
        SparkSession.Builder builder = SparkSession.builder();
        SparkConf given = new SparkConf();
        // by default, spark-submit uses the main class as the application's name
        if (given.get("spark.app.name", MAIN).equals(MAIN)) {
            builder.appName(name);
        }
        String master = given.get("spark.master", "");
        if (master.startsWith("local")) {
            // heartbeats report progress
            builder.config("spark.executor.heartbeatInterval", given.get("spark.executor.heartbeatInterval", "4s"));
        }
        if (master.matches("local(\\[.*)?")) {
            // a task that runs out of memory should fail; by default it ends its process, even the driver, with code 52
            builder.config("spark.executor.killOnFatalError.depth", 0);
        }
        // the folder of the executors that the launcher starts on this host (see submit/gpu-cluster.sh)
        Optional.ofNullable(System.getenv("BELLMAN_CLUSTER"))
                .map(File::new)
                .ifPresent(ShutdownHookManager::registerShutdownDeleteDir);
        // isolated sessions would compile all code again, and executors would request each class from the driver;
        // PySpark also turns isolation off
        builder.config(ISOLATION, given.get(ISOLATION, "false"));
        // Kryo cannot serialize records, which are inputs and results of tasks
        builder.config("spark.serializer", JavaSerializer.class.getName());
        // the extension plans the joins of close pairs
        builder.config(BellmanExtensions.KEY, BellmanExtensions.among(given.get(BellmanExtensions.KEY, "")));
        Optional<ExecutorWatch> watch = ExecutorWatch.ofProcess(given);
        if (own) {
            WarmUp.queries();
        }
        try {
            SparkSession spark = start(builder);
            Milestones.reach("session open");
            watch.ifPresent(executors -> executors.opened(spark.sparkContext()));
            return new Session(spark, own, watch);
        } catch (Exception e) {
            // Scala throws an InterruptedException without declaring it
            throw watch.flatMap(ExecutorWatch::failure).orElseGet(() -> Failures.explain(e));
        }
    }

    /**
     * Starts Spark. Throws the exceptions that prevent Spark from starting. Suppresses one misleading stack trace: the
     * executor of a local run sends heartbeats before it has registered, and if registration takes seconds, as with a
     * GPU or on a busy machine, Spark logs a {@code NullPointerException} because the executor has no name yet.
     */
    private static SparkSession start(SparkSession.Builder builder) {
        Level before = LogManager.getLogger(INBOX).getLevel();
        Configurator.setLevel(INBOX, Level.OFF);
        // after a failure, Spark would log everything else that ends with the session
        SparkSession session = builder.getOrCreate();
        Configurator.setLevel(INBOX, before);
        return session;
    }

    /** Converts a failure to a {@link BellmanException}. */
    BellmanException explain(Throwable failure) {
        return watch.flatMap(ExecutorWatch::failure).orElseGet(() -> Failures.explain(failure));
    }

    @Override
    public void close() {
        watch.ifPresent(ExecutorWatch::close);
        if (own && !ProcessEnd.leaves(spark.sparkContext())) {
            spark.stop();
        }
        Milestones.reach("session closed");
    }
}
