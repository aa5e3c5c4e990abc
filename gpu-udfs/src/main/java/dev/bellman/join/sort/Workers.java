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
 * Threads for work of one task while the other tasks of its process wait for it: numbering all strings, choosing the
 * method, filling the GPU. There are as many as the process has cores; idle threads end.
 */
public final class Workers {
    private static final ForkJoinPool POOL = new ForkJoinPool(Math.max(1, TaskMemory.cores()));

    /** The minimum work for a thread, in strings. */
    private static final int MIN_PER_TASK = 1 << 14;

    private Workers() {}

    /** A loop over the strings {@code from} to {@code to}, without the latter. */
    @FunctionalInterface
    public interface Range {
        void run(int from, int to);
    }

    /** Calls {@code work} with the numbers below {@code count} in any order, and waits for all. */
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
            // running threads may write to the caller's memory
            stopped.set(true);
            calls.forEach(ForkJoinTask::quietlyJoin);
        }
    }

    /** The number of ranges into which {@link #ranges} divides {@code count} strings. */
    public static int parts(int count) {
        return Math.max(1, Math.min(4 * POOL.getParallelism(), count / MIN_PER_TASK));
    }

    /** The beginning of the {@code part}-th range. */
    public static int start(int count, int part) {
        return (int) ((long) count * part / parts(count));
    }

    /** Divides the numbers below {@code count} into {@link #parts} ranges, and calls {@code work} with each. */
    public static void ranges(int count, Range work) {
        each(parts(count), part -> work.run(start(count, part), start(count, part + 1)));
    }
}
