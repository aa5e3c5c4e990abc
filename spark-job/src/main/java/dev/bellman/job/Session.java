package dev.bellman.job;

import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;

/** The Spark session of the process: one that is there already is left running. */
record Session(SparkSession spark, boolean own) implements AutoCloseable {
    static Session open() {
        boolean own = SparkSession.getDefaultSession().isEmpty();
        SparkSession.Builder builder = SparkSession.builder().appName("bellman");
        if (new SparkConf().get("spark.master", "").startsWith("local")) {
            // a task without memory fails; by default it ends the process, which here is the driver too, with code 52
            builder.config("spark.executor.killOnFatalError.depth", 0);
        }
        return new Session(builder.getOrCreate(), own);
    }

    @Override
    public void close() {
        if (own) {
            spark.stop();
        }
    }
}
