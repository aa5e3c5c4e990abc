package dev.bellman.columns;

import org.apache.spark.TaskContext;

/** The cores that Spark assigns to a task. */
public final class TaskCores {
    private TaskCores() {}

    /**
     * Returns the number of cores that this thread's task may use ({@code spark.task.cpus}), or 1 outside tasks, for
     * example while Spark folds a constant.
     */
    public static int count() {
        TaskContext task = TaskContext.get();
        return task == null ? 1 : Math.max(1, task.cpus());
    }
}
