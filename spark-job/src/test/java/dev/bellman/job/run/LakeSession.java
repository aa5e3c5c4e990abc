package dev.bellman.job.run;

import dev.bellman.function.BellmanExtensions;
import io.delta.sql.DeltaSparkSessionExtension;
import java.nio.file.Path;
import org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions;
import org.apache.spark.sql.SparkSession;

/** Starts a session with Delta and Iceberg tables. */
public final class LakeSession {
    private LakeSession() {}

    /** @param lake the folder that contains the named tables */
    public static SparkSession start(Path lake) {
        SparkSession.clearActiveSession();
        SparkSession.clearDefaultSession();
        return org.apache.spark.sql.classic.SparkSession.builder()
                .withExtensions(extensions -> {
                    new BellmanExtensions().apply(extensions);
                    new DeltaSparkSessionExtension().apply(extensions);
                    new IcebergSparkSessionExtensions().apply(extensions);
                    return null;
                })
                .config("spark.sql.warehouse.dir", lake.resolve("delta").toString())
                .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
                .config("spark.databricks.delta.snapshotPartitions", 1)
                .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
                .config("spark.sql.catalog.lake.type", "hadoop")
                // tests read a table while other sessions write to it
                .config("spark.sql.catalog.lake.cache-enabled", false)
                .config(
                        "spark.sql.catalog.lake.warehouse",
                        lake.resolve("iceberg").toString())
                .config("spark.sql.catalog.default_iceberg", "org.apache.iceberg.spark.SparkCatalog")
                .config("spark.sql.catalog.default_iceberg.type", "hadoop")
                .config(
                        "spark.sql.catalog.default_iceberg.warehouse",
                        lake.resolve("default").toString())
                .getOrCreate();
    }
}
