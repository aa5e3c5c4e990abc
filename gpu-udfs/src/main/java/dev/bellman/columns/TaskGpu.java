package dev.bellman.columns;

import ai.rapids.cudf.Cuda;
import dev.bellman.cuda.GpuMemory;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;

/** The GPU that Spark gives to a task, for work that is no query of RAPIDS, which would choose it. */
public final class TaskGpu {
    private TaskGpu() {}

    /** Makes it the GPU of this thread. */
    public static void use() {
        TaskContext task = TaskContext.get();
        if (task != null) {
            ResourceInformation gpu = task.resourcesJMap().get("gpu");
            if (gpu != null) {
                Cuda.setDevice(Integer.parseInt(gpu.addresses()[0]));
            }
        }
    }

    /** The bytes that one instance may take there. */
    public static long memory() {
        use();
        return GpuMemory.ofSession().perInstance();
    }
}
