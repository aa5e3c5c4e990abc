package dev.bellman;

import java.util.function.Supplier;

/**
 * Tracks the bytes held by the function call on this thread. Code that allocates memory reports the number of bytes,
 * except for small allocations.
 */
public final class CallMemory {
    /** Ways to provide more memory, as suggested in error messages. */
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

    /** Adds to the bytes that the current call holds; a negative number frees memory. */
    public static void hold(long bytes) {
        LOCAL.get().held += bytes;
    }
}
