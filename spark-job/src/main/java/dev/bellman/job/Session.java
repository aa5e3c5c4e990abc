package dev.bellman.job;

import org.apache.spark.sql.SparkSession;

/** The Spark session of the process: one that is there already is left running. */
record Session(SparkSession spark, boolean own) implements AutoCloseable {
    static Session open() {
        boolean own = SparkSession.getDefaultSession().isEmpty();
        return new Session(SparkSession.builder().appName("bellman").getOrCreate(), own);
    }

    @Override
    public void close() {
        if (own) {
            spark.stop();
        }
    }
}
