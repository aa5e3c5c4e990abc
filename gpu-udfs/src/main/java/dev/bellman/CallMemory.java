package dev.bellman;

import java.util.function.Supplier;

/**
 * The bytes that the call of a function on this thread holds, as those tell who allocate them. Small ones need not be
 * told.
 */
public final class CallMemory {
    /** The remedy for a lack of memory, for messages. */
    public static final String REMEDY = "more memory (BELLMAN_DRIVER_MEMORY, or --executor-memory on a cluster),"
            + " or fewer tasks at a time (--conf spark.task.cpus=N)";

    private static final ThreadLocal<CallMemory> LOCAL = ThreadLocal.withInitial(CallMemory::new);

    private boolean calling;
    private long held;

    private CallMemory() {}

    /** The result of a call, which holds nothing when it begins. */
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

    /** The bytes that the call holds; 0 outside of calls. */
    public static long held() {
        CallMemory memory = LOCAL.get();
        return memory.calling ? memory.held : 0;
    }

    /** Adds to what the call holds; a negative number if it lets go of some. */
    public static void hold(long bytes) {
        LOCAL.get().held += bytes;
    }
}
