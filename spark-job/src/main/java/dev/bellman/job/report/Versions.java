package dev.bellman.job.report;

import dev.bellman.GpuSide;
import dev.bellman.columns.GpuOfTask;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.sql.SparkSession;

/** The versions on which a result depends. */
public final class Versions {
    private Versions() {}

    /**
     * Returns the version of each component: Bellman, Spark, Scala, Java and, in a session with RAPIDS, the RAPIDS
     * Accelerator. If this session runs in one process, also returns the CUDA version that the GPU driver supports.
     *
     * @param hasGpu whether the session has RAPIDS
     */
    public static Map<String, String> of(SparkSession spark, boolean hasGpu) {
        Map<String, String> versions = all();
        if (hasGpu) {
            GpuOfTask gpu = GpuSide.get(GpuOfTask.class);
            gpu.rapidsVersion().ifPresent(version -> versions.put("rapids", version));
            if (spark.sparkContext().isLocal()) {
                versions.put("cuda", gpu.cudaVersion());
            }
        }
        return versions;
    }

    /** Returns the version of each component that every session has: Bellman, Spark, Scala and Java. */
    public static Map<String, String> all() {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("bellman", bellman());
        versions.put("spark", org.apache.spark.package$.MODULE$.SPARK_VERSION());
        versions.put("scala", scala.util.Properties.versionNumberString());
        versions.put("java", Runtime.version().toString());
        return versions;
    }

    private static String bellman() {
        Properties properties = new Properties();
        try (InputStream stream = Versions.class.getResourceAsStream("/dev/bellman/job/version.properties")) {
            properties.load(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }
}
