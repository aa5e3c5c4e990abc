package dev.bellman.large.grid;

import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.TiledProblem;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A problem that runs an action in this process after a number of successful tasks. By default, the action makes every
 * further task fail.
 */
final class Breaking<T> extends SameProblem<T> {
    private static final long serialVersionUID = 1L;

    static final String MESSAGE = "cut off";

    /** The number of tasks that succeed before the action runs. */
    static final AtomicInteger left = new AtomicInteger();

    private static volatile Runnable event = Breaking::fail;

    Breaking(TiledProblem<T> problem) {
        super(problem);
    }

    private static void fail() {
        throw new IllegalStateException(MESSAGE);
    }

    private static synchronized void happen() {
        event.run();
    }

    /** Runs an action once, after a number of tasks. */
    static void after(int tasks, Runnable once) {
        event = () -> {
            left.set(Integer.MAX_VALUE);
            event = Breaking::fail;
            once.run();
        };
        left.set(tasks);
    }

    @Override
    public void run(Task task, T target, List<T> sources) {
        if (left.decrementAndGet() < 0) {
            happen();
        }
        super.run(task, target, sources);
    }
}
