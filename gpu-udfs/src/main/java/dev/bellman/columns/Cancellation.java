package dev.bellman.columns;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;

/**
 * Stops work that is no longer needed because Spark has killed the task or the thread was interrupted. A long loop
 * counts its steps with an object of this class; each thread has its own object.
 */
public final class Cancellation {
    /**
     * The number of steps between checks. This number of steps takes a few milliseconds, so the cost of a check is
     * negligible.
     */
    private static final int STEPS = 1 << 20;

    private static final int LOOK_MILLIS = 50;

    /** The remaining budget of {@link #within}; a unit is {@link #STEPS} steps, or a millisecond of waiting. */
    private static final ThreadLocal<Integer> BUDGET = new ThreadLocal<>();

    private long left = STEPS;

    /**
     * Checks immediately, because a task may make many consecutive short calls.
     *
     * @throws RuntimeException as {@link #check}
     */
    public Cancellation() {
        check();
    }

    /**
     * Counts steps that were completed or are about to start, and checks after every {@link #STEPS} steps.
     *
     * @throws RuntimeException as {@link #check}
     */
    public void count(long steps) {
        left -= steps;
        if (left < 0) {
            left = STEPS;
            check();
            spend(1);
            // yielding is a safepoint; with some collectors, compiled loops contain no safepoints, so all threads would
            // wait for this thread
            Thread.yield();
        }
    }

    /**
     * Returns normally if the result is still needed.
     *
     * @throws org.apache.spark.TaskKilledException if this thread's task has been killed; Spark expects this exception
     * @throws CancellationException if this thread is interrupted; the thread remains interrupted
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
     * Waits for a result that other threads compute, but only as long as the result is needed.
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
     * Acquires a lock, but waits only as long as the result is needed.
     *
     * @throws RuntimeException as {@link #check}; the lock is then not held
     */
    public static void acquire(Lock lock) {
        while (true) {
            check();
            try {
                if (lock.tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Runs a computation, which may use other threads, and returns its result; returns empty if the computation takes
     * longer than about {@code millis} milliseconds. While this thread computes, its steps are limited rather than its
     * time, so that the limit is the same on every machine.
     *
     * @throws RuntimeException if the computation throws one
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

    /** Aborts a computation that takes too long. */
    private static final class TooLong extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLong() {
            super("too long", null, false, false);
        }
    }
}
