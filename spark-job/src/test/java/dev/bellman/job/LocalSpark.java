package dev.bellman.job;

import dev.bellman.function.BellmanExtensions;
import org.apache.spark.sql.SparkSession;

/** The Spark session that the tests of this module share. */
public final class LocalSpark {
    private LocalSpark() {}

    public static SparkSession session() {
        return SparkSession.builder()
                .master("local[2]")
                .appName("tests")
                .config("spark.sql.extensions", BellmanExtensions.class.getName())
                .getOrCreate();
    }
}
