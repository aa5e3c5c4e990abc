package dev.bellman.columns;

import com.sun.management.OperatingSystemMXBean;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;

/**
 * The share of the heap that a task may use. Tasks run concurrently, and an array that does not fit would end the
 * executor and lose the work of all of them. So memory that depends on the size of an instance is checked here before
 * it is allocated.
 */
public final class TaskMemory {
    /** The rest of the heap is for rows, readers and writers. */
    private static final double SHARED = 0.75;

    private static final Pattern LOCAL = Pattern.compile("local(?:\\[(\\*|\\d+).*)?");

    private TaskMemory() {}

    /** The bytes available to a task. */
    public static long bytes() {
        SparkEnv environment = SparkEnv.get();
        return ofAllTasks() / (environment == null ? 1 : tasks(environment.conf()));
    }

    /** The bytes available to all tasks of this process together. */
    public static long ofAllTasks() {
        return (long) (Runtime.getRuntime().maxMemory() * SHARED);
    }

    /** The bytes available to all tasks of an executor together, as its driver reckons them. */
    public static long ofExecutor() {
        SparkEnv environment = SparkEnv.get();
        return environment == null
                        || LOCAL.matcher(environment.conf().get("spark.master", ""))
                                .matches()
                ? ofAllTasks()
                : (long) (environment.conf().getSizeAsBytes("spark.executor.memory", "1g") * SHARED);
    }

    /** Half of the bytes that the heap leaves of this machine's memory, or this container's. */
    public static long besideHeap() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return Math.max(0, system.getTotalMemorySize() - Runtime.getRuntime().maxMemory()) / 2;
    }

    /** The cores that Spark gives to this process; all of them outside Spark. */
    public static int cores() {
        SparkEnv environment = SparkEnv.get();
        return environment == null ? Runtime.getRuntime().availableProcessors() : cores(environment.conf());
    }

    /** The number of concurrent tasks in this process. */
    static int tasks(SparkConf conf) {
        return Math.max(1, cores(conf) / conf.getInt("spark.task.cpus", 1));
    }

    private static int cores(SparkConf conf) {
        int processors = Runtime.getRuntime().availableProcessors();
        String master = conf.get("spark.master", "");
        Matcher local = LOCAL.matcher(master);
        if (local.matches()) {
            String threads = local.group(1);
            return threads == null ? 1 : threads.equals("*") ? processors : Integer.parseInt(threads);
        }
        // a standalone executor takes all cores of its host, others one
        return conf.getInt("spark.executor.cores", master.startsWith("spark:") ? processors : 1);
    }

    /**
     * Refuses an instance that takes more than a task's share.
     *
     * @param instance the instance in words: {@code the table of 7 leaves}
     * @param bytes everything allocated for it, including its results in Spark
     * @param remedy a remedy besides memory, ending in {@code or}; or empty
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT}
     */
    public static void check(String function, String instance, long bytes, String remedy) {
        long share = bytes();
        if (bytes > share) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("%s: %s takes %,d bytes; a task has %,d, its share of the heap. Use %smore memory"
                                    + " (BELLMAN_DRIVER_MEMORY, or --executor-memory on a cluster), or fewer tasks at a time"
                                    + " (--conf spark.task.cpus=N)")
                            .formatted(function, instance, bytes, share, remedy));
        }
    }
}
