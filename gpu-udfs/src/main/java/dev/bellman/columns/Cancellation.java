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
 * Stops work that nobody waits for any more: the work of a task that Spark has killed, or of a thread that is
 * interrupted. Long loops count their steps here, each thread with an object of its own.
 */
public final class Cancellation {
    /** A millisecond or few, so that looking costs nothing. */
    private static final int STEPS = 1 << 20;

    private static final int LOOK_MILLIS = 50;

    /** In looks. */
    private static final ThreadLocal<Integer> BUDGET = new ThreadLocal<>();

    private long left = STEPS;

    /**
     * Looks once: short calls follow each other for long, too.
     *
     * @throws RuntimeException as {@link #check}
     */
    public Cancellation() {
        check();
    }

    /**
     * Counts steps that are done or about to be done, and looks from time to time.
     *
     * @throws RuntimeException as {@link #check}
     */
    public void count(long steps) {
        left -= steps;
        if (left < 0) {
            left = STEPS;
            check();
            spend(1);
            // a safepoint: with some collectors compiled loops have none, and all threads would wait for this one
            Thread.yield();
        }
    }

    /**
     * Returns if the work is still wanted.
     *
     * @throws org.apache.spark.TaskKilledException if this thread's task is killed, which Spark then reports as that
     * @throws CancellationException if this thread is interrupted; it stays so
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
     * The result of other threads, waited for as long as it is wanted.
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
     * The result of a computation on this thread, or of others that it waits for; empty if that takes more than about
     * so many milliseconds. It ends after the same number of steps on any machine.
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
