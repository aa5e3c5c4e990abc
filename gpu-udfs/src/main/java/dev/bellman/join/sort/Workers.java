package dev.bellman.join.sort;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Provides threads for work that one task does while the other tasks of its process wait, such as numbering all
 * strings, choosing the method, and filling the GPU. There is one thread per core that the process may use; idle
 * threads terminate.
 */
public final class Workers {
    private static final ForkJoinPool POOL = new ForkJoinPool(Math.max(1, TaskMemory.cores()));

    /** The minimum number of strings per thread. */
    private static final int MIN_PER_TASK = 1 << 14;

    private Workers() {}

    /** A loop over the strings from {@code from} to {@code to}, exclusive. */
    @FunctionalInterface
    public interface Range {
        void run(int from, int to);
    }

    /**
     * Calls {@code work} with each number below {@code count}, in any order, and waits until all calls have returned.
     */
    public static void each(int count, IntConsumer work) {
        AtomicBoolean stopped = new AtomicBoolean();
        List<ForkJoinTask<?>> calls = IntStream.range(0, count)
                .<ForkJoinTask<?>>mapToObj(i -> POOL.submit(() -> {
                    if (!stopped.get()) {
                        work.accept(i);
                    }
                }))
                .toList();
        try {
            for (ForkJoinTask<?> call : calls) {
                Cancellation.await(call);
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException exception ? exception : new IllegalStateException(e);
        } finally {
            // other threads may still write to the caller's memory, so wait for them below
            stopped.set(true);
            calls.forEach(ForkJoinTask::quietlyJoin);
        }
    }

    /** Returns the number of ranges into which {@link #ranges} divides {@code count} strings. */
    public static int parts(int count) {
        return Math.max(1, Math.min(4 * POOL.getParallelism(), count / MIN_PER_TASK));
    }

    /** Returns the beginning of range number {@code part}. */
    public static int start(int count, int part) {
        return (int) ((long) count * part / parts(count));
    }

    /** Divides the numbers below {@code count} into {@link #parts} ranges and calls {@code work} with each. */
    public static void ranges(int count, Range work) {
        each(parts(count), part -> work.run(start(count, part), start(count, part + 1)));
    }
}
