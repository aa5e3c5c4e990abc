package dev.bellman.cuda;

import static jcuda.driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
import static jcuda.driver.JCudaDriver.CU_STREAM_PER_THREAD;
import static jcuda.driver.JCudaDriver.cuGraphDestroy;
import static jcuda.driver.JCudaDriver.cuGraphExecDestroy;
import static jcuda.driver.JCudaDriver.cuGraphInstantiate;
import static jcuda.driver.JCudaDriver.cuGraphLaunch;
import static jcuda.driver.JCudaDriver.cuStreamBeginCapture;
import static jcuda.driver.JCudaDriver.cuStreamEndCapture;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;

import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;

/**
 * A series of launches that is recorded once and replayed as a CUDA graph, because kernels that take only a few
 * microseconds finish faster than the host can launch them. Values that change between replays must be stored in device
 * memory.
 */
public final class LaunchSeries implements AutoCloseable {
    private final String name;
    private final CUgraph graph = new CUgraph();
    private final CUgraphExec executable = new CUgraphExec();

    private LaunchSeries(String name) {
        this.name = name;
    }

    /**
     * Records, without running them, the launches that {@code launches} performs.
     *
     * @param name the name under which {@link KernelTimer} reports the series
     * @param launches launches kernels and does not use the GPU in any other way
     */
    public static LaunchSeries record(String name, Runnable launches) {
        LaunchSeries series = new LaunchSeries(name);
        Driver.check(
                cuStreamBeginCapture(CU_STREAM_PER_THREAD, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                "begin to record " + name);
        boolean recorded = false;
        try {
            KernelTimer.untimed(launches);
            recorded = true;
        } finally {
            int result = cuStreamEndCapture(CU_STREAM_PER_THREAD, series.graph);
            if (recorded) {
                Driver.check(result, "record " + name);
            } else if (result == 0) {
                cuGraphDestroy(series.graph);
            }
        }
        int result = cuGraphInstantiate(series.executable, series.graph, 0);
        if (result != 0) {
            cuGraphDestroy(series.graph);
        }
        Driver.check(result, "create a CUDA graph of " + name);
        return series;
    }

    /** Enqueues the series on this thread's stream and returns immediately. */
    public void launch() {
        KernelTimer.record(
                name, () -> Driver.check(cuGraphLaunch(executable, CU_STREAM_PER_THREAD), "launch the series " + name));
    }

    /** Waits until all work in this thread's stream is complete, then frees the recorded series. */
    @Override
    public void close() {
        int result = cuStreamSynchronize(CU_STREAM_PER_THREAD);
        cuGraphExecDestroy(executable);
        cuGraphDestroy(graph);
        Driver.check(result, "wait for the series " + name);
    }
}
