package dev.bellman.columns;

import org.apache.spark.TaskContext;

/** The cores that Spark gives to a task. */
public final class TaskCores {
    private TaskCores() {}

    /**
     * The cores of this thread's task, {@code spark.task.cpus}; one if it runs no task, as when Spark folds a constant.
     */
    public static int count() {
        TaskContext task = TaskContext.get();
        return task == null ? 1 : Math.max(1, task.cpus());
    }
}
