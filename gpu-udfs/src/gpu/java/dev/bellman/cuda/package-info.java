/**
 * CUDA through JCuda's driver API: modules of compiled kernels, launches and their timing. No other package names a
 * jcuda class.
 *
 * <p>Nothing here is touched before the first launch, because the Spark driver and CPU-only executors have no GPU
 * driver. Work is put on the per-thread default stream, where cudf's Java binding puts its own, so a task's kernels and
 * its cudf calls run in program order. If a kernel fails while it runs (an illegal address, say), the next call that
 * waits for the stream reports it; with {@code CUDA_LAUNCH_BLOCKING=1} in the
 * environment, the launch does.
 */
package dev.bellman.cuda;
