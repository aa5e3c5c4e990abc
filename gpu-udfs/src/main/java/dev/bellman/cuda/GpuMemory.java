package dev.bellman.cuda;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.Rmm;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.function.IntToLongFunction;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.internal.SQLConf;

/**
 * How much of the GPU's memory a batch may take beside its columns. All of it comes from RAPIDS' pool. What is free there at the moment
 * does not count: an allocation that finds no room makes RAPIDS spill columns and hold other tasks back, and only what the pool can never
 * give fails the task.
 *
 * @param perInstance bytes that one instance may take; a larger one is solved on the CPU
 */
public record GpuMemory(long perInstance) {
    /** The session's setting of {@link #perInstance}; three quarters of RAPIDS' pool without. */
    public static final String KEY = "spark.bellman.gpuMemory";

    /** Bytes that suffice for the instances of a launch to keep the largest GPU busy. */
    private static final long ENOUGH = 2L << 30;

    private static final int LAUNCHES = 8;

    /** As the session of this thread's task is configured. */
    public static GpuMemory ofSession() {
        String set = SQLConf.get().getConfString(KEY, null);
        return new GpuMemory(set == null ? pool() / 4 * 3 : parse(set));
    }

    private static long pool() {
        long total = Cuda.memGetInfo().total;
        return Rmm.isInitialized() && Rmm.getPoolSize() > 0 ? Math.min(total, Rmm.getPoolSize()) : total;
    }

    static long parse(String size) {
        try {
            long bytes = JavaUtils.byteStringAsBytes(size);
            if (bytes > 0) {
                return bytes;
            }
        } catch (NumberFormatException e) {
            throw wrong(size, e);
        }
        throw wrong(size, null);
    }

    private static BellmanException wrong(String size, NumberFormatException cause) {
        return new BellmanException(
                ErrorCode.BELLMAN_CONFIGURATION,
                "%s is '%s'; it must be a size above 0, such as 500m or 8g".formatted(KEY, size),
                cause);
    }

    /** Bytes that the instances of one launch may take together; one instance may take more. */
    public long perLaunch() {
        return Math.min(ENOUGH, perInstance / LAUNCHES);
    }

    /** How many of some instances, at least one, a launch solves side by side. */
    public int together(int count, long bytesOfEach) {
        return (int) Math.min(count, Math.max(1, perLaunch() / bytesOfEach));
    }

    /**
     * The largest size of an instance that fits.
     *
     * @param most the largest that is looked at
     * @param bytes of an instance by its size; not less for a larger one, and never more than a {@code long} holds
     * @return 0 if not even the size 1 fits
     */
    public int largest(int most, IntToLongFunction bytes) {
        int fits = 0;
        int beyond = most;
        if (bytes.applyAsLong(most) <= perInstance) {
            return most;
        }
        while (beyond - fits > 1) {
            int middle = fits + (beyond - fits) / 2;
            if (bytes.applyAsLong(middle) <= perInstance) {
                fits = middle;
            } else {
                beyond = middle;
            }
        }
        return fits;
    }
}
