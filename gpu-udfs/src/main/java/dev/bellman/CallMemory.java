package dev.bellman;

import java.util.function.Supplier;

/**
 * Tracks how many bytes the function call on this thread holds. Code that allocates memory reports how many bytes it
 * allocates, except for small allocations.
 */
public final class CallMemory {
    /** Advice on how to provide more memory, for error messages. */
    public static final String REMEDY = "more memory (BELLMAN_DRIVER_MEMORY, or --executor-memory on a cluster),"
            + " or fewer tasks at a time (--conf spark.task.cpus=N)";

    private static final ThreadLocal<CallMemory> LOCAL = ThreadLocal.withInitial(CallMemory::new);

    private boolean calling;
    private long held;

    private CallMemory() {}

    /** Runs a call, counting its bytes from 0, and returns its result. */
    static <R> R during(Supplier<R> call) {
        CallMemory memory = LOCAL.get();
        memory.calling = true;
        memory.held = 0;
        try {
            return call.get();
        } finally {
            memory.calling = false;
        }
    }

    /** Returns the number of bytes that the current call holds, or 0 outside a call. */
    public static long held() {
        CallMemory memory = LOCAL.get();
        return memory.calling ? memory.held : 0;
    }

    /**
     * Adds {@code bytes} to the number of bytes that the current call holds; a negative value means that memory was
     * freed.
     */
    public static void hold(long bytes) {
        LOCAL.get().held += bytes;
    }
}
