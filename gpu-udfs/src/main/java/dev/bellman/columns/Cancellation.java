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
 * Stops work that is no longer needed because Spark has killed the task or the thread was interrupted. Long loops count
 * their steps here; each thread has its own object.
 */
public final class Cancellation {
    /** Steps between checks: they take a few milliseconds, so that checks cost nothing. */
    private static final int STEPS = 1 << 20;

    private static final int LOOK_MILLIS = 50;

    /** The remaining budget, in units of {@link #STEPS} steps. */
    private static final ThreadLocal<Integer> BUDGET = new ThreadLocal<>();

    private long left = STEPS;

    /**
     * Checks once, because a task may make many short calls in a row.
     *
     * @throws RuntimeException as {@link #check}
     */
    public Cancellation() {
        check();
    }

    /**
     * Counts steps that are done or about to be done, and checks from time to time.
     *
     * @throws RuntimeException as {@link #check}
     */
    public void count(long steps) {
        left -= steps;
        if (left < 0) {
            left = STEPS;
            check();
            spend(1);
            // yielding is a safepoint: with some collectors compiled loops lack one, and all threads would wait for
            // this thread
            Thread.yield();
        }
    }

    /**
     * Returns normally if the work is still needed.
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
     * Waits for the result of other threads as long as it is needed.
     *
     * @throws ExecutionException if the computation fails
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
     * Returns the result of a computation on this thread or on threads that it waits for; empty if the computation
     * takes longer than about {@code millis} milliseconds. The limit is a number of steps, so it is the same on any
     * machine.
     *
     * @throws RuntimeException if the computation throws it
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
