package dev.bellman.cuda;

import static jcuda.driver.JCudaDriver.CU_STREAM_PER_THREAD;
import static jcuda.driver.JCudaDriver.cuEventCreate;
import static jcuda.driver.JCudaDriver.cuEventDestroy;
import static jcuda.driver.JCudaDriver.cuEventElapsedTime;
import static jcuda.driver.JCudaDriver.cuEventRecord;
import static jcuda.driver.JCudaDriver.cuEventSynchronize;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jcuda.driver.CUevent;

/**
 * Times the kernels that this thread launches in its default stream while the timer is open, using CUDA events around
 * each launch. The times include neither cudf's work nor gaps between kernels.
 *
 * <pre>{@code
 * try (KernelTimer timer = KernelTimer.open()) {
 *     function.evaluateColumnar(rows, a, b).close();
 *     timer.milliseconds();
 * }
 * }</pre>
 */
public final class KernelTimer implements AutoCloseable {
    private record Span(String kernel, CUevent begin, CUevent end) {}

    private static final ThreadLocal<KernelTimer> OPEN = new ThreadLocal<>();

    private final List<Span> spans = new ArrayList<>();

    private KernelTimer() {}

    public static KernelTimer open() {
        if (OPEN.get() != null) {
            throw new IllegalStateException("this thread already has an open timer");
        }
        KernelTimer timer = new KernelTimer();
        OPEN.set(timer);
        return timer;
    }

    /** Waits for all kernels launched so far and returns their total time in milliseconds. */
    public double milliseconds() {
        return byKernel().values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /**
     * Waits for all kernels launched so far and returns each kernel's time in milliseconds by its name, in the order in
     * which the kernels were first launched.
     */
    public Map<String, Double> byKernel() {
        Map<String, Double> milliseconds = new LinkedHashMap<>();
        for (Span span : spans) {
            float[] elapsed = new float[1];
            Driver.check(cuEventSynchronize(span.end()), "wait for the kernel " + span.kernel());
            Driver.check(
                    cuEventElapsedTime(elapsed, span.begin(), span.end()),
                    "measure the time of the kernel " + span.kernel());
            milliseconds.merge(span.kernel(), (double) elapsed[0], Double::sum);
        }
        return milliseconds;
    }

    @Override
    public void close() {
        OPEN.remove();
        for (Span span : spans) {
            cuEventDestroy(span.begin());
            cuEventDestroy(span.end());
        }
        spans.clear();
    }

    /** Runs a launch, and measures its time if this thread has an open timer. */
    static void record(String kernel, Runnable launch) {
        KernelTimer timer = OPEN.get();
        if (timer == null) {
            launch.run();
            return;
        }
        Span span = new Span(kernel, event(), event());
        timer.spans.add(span);
        Driver.check(cuEventRecord(span.begin(), CU_STREAM_PER_THREAD), "call cuEventRecord");
        launch.run();
        Driver.check(cuEventRecord(span.end(), CU_STREAM_PER_THREAD), "call cuEventRecord");
    }

    /** Performs launches without timing each of them. */
    static void untimed(Runnable launches) {
        KernelTimer timer = OPEN.get();
        OPEN.remove();
        try {
            launches.run();
        } finally {
            if (timer != null) {
                OPEN.set(timer);
            }
        }
    }

    private static CUevent event() {
        CUevent event = new CUevent();
        Driver.check(cuEventCreate(event, 0), "call cuEventCreate");
        return event;
    }
}
