package dev.bellman.job.output;

/**
 * How a job treats an existing output. The modes are Spark's and {@link #OVERWRITE_FORCE}. Unlike in Spark,
 * {@code overwrite} replaces only files that Spark or Bellman wrote.
 */
public enum SaveMode {
    ERROR,
    OVERWRITE,
    /** Replaces the folder, whatever it contains. */
    OVERWRITE_FORCE,
    APPEND,
    IGNORE;

    boolean overwrites() {
        return this == OVERWRITE || this == OVERWRITE_FORCE;
    }
}
