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

    /** The minimum number of strings in a range. */
    private static final int MIN_PER_TASK = 1 << 14;

    /** The minimum number of strings for which the first range runs alone. */
    private static final int MANY = 1 << 20;

    /** The number of strings in a first range that runs alone. */
    private static final int ALONE = 1 << 16;

    private Workers() {}

    /** A loop over the strings from {@code from} to {@code to}, exclusive. */
    @FunctionalInterface
    public interface Range {
        void run(int from, int to);
    }

    /** A loop over the strings of range number {@code part}. */
    @FunctionalInterface
    public interface Part {
        void run(int part, int from, int to);
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

    /**
     * Like {@link #each}, but calls {@code work} with 0 before all other calls. Until Java has optimized a loop, each
     * of its iterations increments counters that all threads share, which takes a hundred times as long if many threads
     * run the loop. A single thread soon reaches the number of iterations after which Java optimizes the loop.
     */
    public static void firstAlone(int count, IntConsumer work) {
        if (count > 0) {
            work.accept(0);
            each(count - 1, i -> work.accept(i + 1));
        }
    }

    /** Returns the number of ranges into which {@link #ranges} divides {@code count} strings. */
    public static int parts(int count) {
        int equal = Math.max(1, Math.min(4 * POOL.getParallelism(), count / MIN_PER_TASK));
        return count < MANY ? equal : equal + 1;
    }

    /** Returns the beginning of range number {@code part}. */
    private static int start(int count, int part) {
        return count < MANY
                ? (int) ((long) count * part / parts(count))
                : part == 0 ? 0 : ALONE + (int) ((long) (count - ALONE) * (part - 1) / (parts(count) - 1));
    }

    /**
     * Divides the numbers below {@code count} into {@link #parts} ranges and calls {@code work} with the number, the
     * beginning and the end of each. If there are many numbers, the first range is short and runs alone.
     */
    public static void parts(int count, Part work) {
        int parts = parts(count);
        IntConsumer call = part -> work.run(part, start(count, part), start(count, part + 1));
        if (count < MANY) {
            each(parts, call);
        } else {
            firstAlone(parts, call);
        }
    }

    /** Like {@link #parts(int, Part)}, but does not pass the number of the range. */
    public static void ranges(int count, Range work) {
        parts(count, (part, from, to) -> work.run(from, to));
    }
}
