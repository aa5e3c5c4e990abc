package dev.bellman.columns;

import org.apache.spark.SparkConf;

/** The RAPIDS Accelerator, Spark's plugin for GPUs. */
public final class Rapids {
    /** Spark's setting for plugins. */
    public static final String PLUGINS = "spark.plugins";

    public static final String PLUGIN = "com.nvidia.spark.SQLPlugin";

    private Rapids() {}

    /**
     * Whether an application with these settings can use GPUs. In the mode {@code explainOnly}, RAPIDS neither loads
     * CUDA nor runs queries.
     */
    public static boolean hasGpu(SparkConf conf) {
        return conf.get(PLUGINS, "").contains(PLUGIN)
                && !conf.get("spark.rapids.sql.mode", "").equalsIgnoreCase("explainOnly");
    }
}
