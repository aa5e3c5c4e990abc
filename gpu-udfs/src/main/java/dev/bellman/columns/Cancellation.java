package dev.bellman.columns;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;

/**
 * Stops work that is no longer needed: of a task that Spark has killed, or of an interrupted thread. Long loops count
 * their steps here; each thread has its own object.
 */
public final class Cancellation {
    /** A millisecond or a few, so that checks cost nothing. */
    private static final int STEPS = 1 << 20;

    private static final int LOOK_MILLIS = 50;

    /** In looks. */
    private static final ThreadLocal<Integer> BUDGET = new ThreadLocal<>();

    private long left = STEPS;

    /**
     * Checks once, because many short calls may follow each other.
     *
     * @throws RuntimeException as {@link #check}
     */
    public Cancellation() {
        check();
    }

    /**
     * Counts steps, done or about to be done, and checks from time to time.
     *
     * @throws RuntimeException as {@link #check}
     */
    public void count(long steps) {
        left -= steps;
        if (left < 0) {
            left = STEPS;
            check();
            spend(1);
            // a safepoint: with some collectors compiled loops lack one, and all threads would wait for this thread
            Thread.yield();
        }
    }

    /**
     * Returns if the work is still needed.
     *
     * @throws org.apache.spark.TaskKilledException if this thread's task is killed, as Spark expects
     * @throws CancellationException if this thread is interrupted; it remains interrupted
     */
    public static void check() {
        TaskContext task = TaskContext.get();
        if (task != null) {
            task.killTaskIfInterrupted();
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted");
        }
    }

    /**
     * Waits for a result of other threads as long as the work is needed.
     *
     * @throws ExecutionException if they fail
     * @throws RuntimeException as {@link #check}
     */
    public static <T> T await(Future<T> result) throws ExecutionException {
        while (true) {
            check();
            try {
                return result.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // a task may be killed without an interrupt
                spend(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Returns the result of a computation on this thread, or of threads that it waits for; empty if that takes longer
     * than about this many milliseconds. The limit is a number of steps, the same on any machine.
     *
     * @throws RuntimeException what the computation throws
     */
    public static <T> Optional<T> within(int millis, Supplier<T> computation) {
        BUDGET.set(millis);
        try {
            return Optional.of(computation.get());
        } catch (TooLong e) {
            return Optional.empty();
        } finally {
            BUDGET.remove();
        }
    }

    private static void spend(int looks) {
        Integer budget = BUDGET.get();
        if (budget != null) {
            if (budget < looks) {
                throw new TooLong();
            }
            BUDGET.set(budget - looks);
        }
    }

    /** Ends a computation that takes too long. */
    private static final class TooLong extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLong() {
            super("too long", null, false, false);
        }
    }
}
