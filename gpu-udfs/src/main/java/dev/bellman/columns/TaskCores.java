package dev.bellman.columns;

import org.apache.spark.TaskContext;

/** The cores that Spark gives to a task. */
public final class TaskCores {
    private TaskCores() {}

    /**
     * Returns the number of cores of this thread's task, {@code spark.task.cpus}; 1 outside tasks, as when Spark folds
     * a constant.
     */
    public static int count() {
        TaskContext task = TaskContext.get();
        return task == null ? 1 : Math.max(1, task.cpus());
    }
}
