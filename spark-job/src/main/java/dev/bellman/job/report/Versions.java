package dev.bellman.job.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** The versions on which a result depends. */
public final class Versions {
    private Versions() {}

    /** Returns the version of each component: Bellman, Spark, Scala and Java. */
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
