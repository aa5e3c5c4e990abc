package dev.bellman.columns;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.NativeDepsLoader;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Properties;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;

/** The GPU that Spark assigns to a task, for work outside RAPIDS queries, which select the GPU themselves. */
public final class TaskGpu implements GpuOfTask {
    /** Makes the task's GPU, if Spark assigned one, the current GPU of this thread. */
    public static void use() {
        TaskContext task = TaskContext.get();
        if (task != null) {
            ResourceInformation gpu = task.resourcesJMap().get("gpu");
            if (gpu != null) {
                Cuda.setDevice(Integer.parseInt(gpu.addresses()[0]));
            }
        }
    }

    @Override
    public void load(int gpu) {
        NativeDepsLoader.loadNativeDeps();
        Cuda.setDevice(gpu);
        Cuda.freeZero();
        Device.sleepWhileWaiting(gpu);
    }

    @Override
    public long memory() {
        use();
        return GpuMemory.ofSession().perInstance();
    }

    @Override
    public String name() {
        return Device.current().name();
    }

    @Override
    public int multiprocessors() {
        return Device.current().multiprocessors();
    }

    @Override
    public Optional<String> rapidsVersion() {
        Properties properties = new Properties();
        try (InputStream stream = Cuda.class.getResourceAsStream("/rapids4spark-version-info.properties")) {
            if (stream != null) {
                properties.load(stream);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Optional.ofNullable(properties.getProperty("version"));
    }

    @Override
    public String cudaVersion() {
        // for example, 13000 for 13.0
        int version = Cuda.getDriverVersion();
        return version / 1000 + "." + version % 1000 / 10;
    }

    @Override
    public double operationsPerSecond() {
        Device device = Device.current();
        // the number of operations per multiprocessor and clock cycle
        int operations = device.major() < 10 ? 64 : 128;
        return (double) device.multiprocessors() * operations * device.clockHertz();
    }
}
