package dev.bellman.cuda;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.Rmm;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import java.util.function.IntToLongFunction;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.internal.SQLConf;

/**
 * The GPU memory that a batch may use in addition to its columns. All of this memory comes from RAPIDS' pool. It does
 * not matter how much memory is currently free in the pool: if an allocation does not fit, RAPIDS spills columns and
 * delays other tasks. The task fails only if the pool can never satisfy an allocation.
 *
 * @param perInstance the number of bytes that one instance may use ({@link GpuSide#MEMORY}; three quarters of RAPIDS'
 *     pool by default); the CPU solves larger instances
 */
public record GpuMemory(long perInstance) {
    /** The total size of the instances, in bytes, with which a launch keeps even the largest GPU busy. */
    private static final long ENOUGH = 2L << 30;

    private static final int LAUNCHES = 8;

    /** Returns the memory that is configured in the Spark session of this thread's task. */
    public static GpuMemory ofSession() {
        String set = SQLConf.get().getConfString(GpuSide.MEMORY, null);
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
                "%s is '%s'; it must be a size above 0, such as 500m or 8g".formatted(GpuSide.MEMORY, size),
                cause);
    }

    /**
     * Returns the total number of bytes that the instances of one launch may use. A single instance may use more.
     */
    public long perLaunch() {
        return Math.min(ENOUGH, perInstance / LAUNCHES);
    }

    /**
     * Returns how many of the given instances a launch solves in parallel, which is at least one. Instances may take 0
     * bytes.
     */
    public int together(int count, long bytesOfEach) {
        return (int) Math.min(count, Math.max(1, perLaunch() / Math.max(1, bytesOfEach)));
    }

    /**
     * Does the same as {@link #together(int, long)} for instances that take a long time. If possible, returns as many
     * instances as keep the GPU busy; all of them together may use a quarter of the limit for a single instance.
     *
     * @param busy the number of instances that keep the GPU busy
     */
    public int together(int count, long bytesOfEach, int busy) {
        long fit = perInstance / 4 / Math.max(1, bytesOfEach);
        return Math.max(together(count, bytesOfEach), (int) Math.min(fit, Math.min(count, busy)));
    }

    /**
     * Returns the largest size of an instance that fits in the memory.
     *
     * @param unit the number of bytes per unit of size
     */
    public int largest(long unit) {
        return (int) Math.min(Integer.MAX_VALUE, perInstance / unit);
    }

    /**
     * Returns the largest size of an instance that fits in the memory.
     *
     * @param most the maximum size to consider
     * @param bytes returns the number of bytes for an instance of a given size; must be nondecreasing and fit in a
     *     {@code long}
     * @return 0 if even size 1 does not fit
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
