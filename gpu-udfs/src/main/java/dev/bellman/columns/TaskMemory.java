package dev.bellman.columns;

import com.sun.management.OperatingSystemMXBean;
import dev.bellman.BellmanException;
import dev.bellman.CallMemory;
import dev.bellman.ErrorCode;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The share of the heap that a task may use. Tasks run concurrently, so an array that does not fit in the heap would
 * crash the executor and lose the work of all its tasks. Therefore, memory whose size depends on the input is reserved
 * with this class before it is allocated. While a row is being solved, the reservations for its arguments, copies,
 * tables and results add up.
 */
public final class TaskMemory {
    /** The fraction of the heap that all tasks share. The rest of the heap is for rows, readers and writers. */
    private static final double SHARED = 0.75;

    private static final Pattern LOCAL = Pattern.compile("local(?:\\[(\\*|\\d+).*)?");

    /**
     * The smallest reservation that is counted. A call allocates few arrays, and smaller arrays fit in the headroom of
     * the heap.
     */
    public static final int MIN_BYTES = 1 << 16;

    /**
     * The number of copies of a string argument: in the row, in the reader or operator that created it, and in the
     * function.
     */
    private static final int COPIES_OF_A_TEXT = 3;

    /**
     * The number of bytes that an array element takes in total: in a Spark row, in a list of objects, and in an array.
     */
    private static final int BYTES_OF_AN_ENTRY = 40;

    private TaskMemory() {}

    /** Returns how many bytes a task may use. */
    public static long bytes() {
        SparkEnv environment = SparkEnv.get();
        return ofAllTasks() / (environment == null ? 1 : tasks(environment.conf()));
    }

    /** Returns how many bytes all tasks of this process together may use. */
    public static long ofAllTasks() {
        return (long) (Runtime.getRuntime().maxMemory() * SHARED);
    }

    /** Estimates, on the driver, how many bytes all tasks of an executor together may use. */
    public static long ofExecutor() {
        SparkEnv environment = SparkEnv.get();
        return environment == null
                        || LOCAL.matcher(environment.conf().get("spark.master", ""))
                                .matches()
                ? ofAllTasks()
                : (long) (environment.conf().getSizeAsBytes("spark.executor.memory", "1g") * SHARED);
    }

    /** Returns half of the memory that the machine or container has in addition to the heap. */
    public static long besideHeap() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return Math.max(0, system.getTotalMemorySize() - Runtime.getRuntime().maxMemory()) / 2;
    }

    /** Returns the number of cores that Spark assigns to this process; outside Spark, the number of all cores. */
    public static int cores() {
        SparkEnv environment = SparkEnv.get();
        return environment == null ? Runtime.getRuntime().availableProcessors() : cores(environment.conf());
    }

    /** Returns how many tasks run concurrently in this process. */
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
        // by default, a standalone executor uses all cores of its host; other executors use one core
        return conf.getInt("spark.executor.cores", master.startsWith("spark:") ? processors : 1);
    }

    /**
     * Reserves memory for the call on this thread. Fails if these bytes and the memory that the call already holds
     * would exceed the task's share. Ignores reservations of less than {@link #MIN_BYTES} bytes.
     *
     * @param function the function's name; empty if unknown
     * @param bytes the number of bytes for everything that is allocated, including the results in Spark
     * @param remedy fixes other than more memory, as the start of a list, such as {@code fewer rows, }; may be empty
     * @param instance a description of the input, such as {@code the table of 7 leaves}
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT}
     */
    public static void take(String function, long bytes, String remedy, Supplier<String> instance) {
        if (bytes < MIN_BYTES) {
            return;
        }
        long held = CallMemory.held();
        long share = bytes();
        if (bytes > share - held) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s%s takes %,d bytes%s; the task's share of the heap is %,d. Use %s%s"
                            .formatted(
                                    function.isEmpty() ? "" : function + ": ",
                                    instance.get(),
                                    bytes,
                                    held == 0 ? "" : " in addition to %,d for the rest of the row".formatted(held),
                                    share,
                                    remedy,
                                    CallMemory.REMEDY));
        }
        CallMemory.hold(bytes);
    }

    /** Reserves memory when neither the function's name nor a fix other than more memory is known. */
    public static void take(long bytes, Supplier<String> instance) {
        take("", bytes, "", instance);
    }

    /** Reserves memory for an array argument, both for the copy and for the original in Spark. */
    public static void takeArgument(String function, String name, int entries) {
        take(function, (long) BYTES_OF_AN_ENTRY * entries, "", () -> "%s with %,d entries".formatted(name, entries));
    }

    /**
     * Like {@link #takeArgument}, but for several array arguments.
     *
     * @param names the names as a list, such as {@code a and b}
     * @param entries the total number of entries
     */
    public static void takeArguments(String function, String names, int entries) {
        take(function, (long) BYTES_OF_AN_ENTRY * entries, "", () -> "the total of %,d entries in %s"
                .formatted(entries, names));
    }

    /**
     * Returns the bytes of a string argument, and reserves memory for all copies of the string, including those in
     * Spark.
     */
    public static byte[] bytesOf(UTF8String argument) {
        take((long) COPIES_OF_A_TEXT * argument.numBytes(), () -> "a string of %,d bytes"
                .formatted(argument.numBytes()));
        return argument.getBytes();
    }

    /** Releases reserved memory. */
    public static void release(long bytes) {
        if (bytes >= MIN_BYTES) {
            CallMemory.hold(-bytes);
        }
    }

    /** Returns how many bytes the call on this thread may still reserve. */
    public static long left() {
        return Math.max(0, bytes() - CallMemory.held());
    }
}
