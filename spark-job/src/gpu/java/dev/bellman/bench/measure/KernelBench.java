package dev.bellman.bench.measure;

import dev.bellman.cuda.KernelTimer;

/** Measures kernels with CUDA events. */
public final class KernelBench implements GpuBench {
    @Override
    public GpuBatch read(BenchmarkData data) {
        return BatchOnGpu.read(data);
    }

    @Override
    public double kernelSeconds(Runnable work) {
        return seconds(work);
    }

    public static double seconds(Runnable work) {
        try (KernelTimer timer = KernelTimer.open()) {
            work.run();
            return timer.milliseconds() / 1e3;
        }
    }
}
