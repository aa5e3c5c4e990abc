/**
 * Uses CUDA through JCuda's binding of the driver API: modules of compiled kernels, launches and their timing, streams
 * and pinned memory. No other package refers to a JCuda class.
 *
 * <p>JCuda's native library is not loaded before a task uses the GPU, because the Spark driver and CPU-only executors
 * have no GPU driver. Work without a {@link Stream} is enqueued on the per-thread default stream, which cudf's Java
 * binding also uses, so that a task's kernels and its cudf calls run in program order. If a kernel fails while it runs
 * (for example, because of an illegal address), the next call that waits for the stream reports the failure; with
 * {@code CUDA_LAUNCH_BLOCKING=1} in the environment, the launch itself reports it.
 */
package dev.bellman.cuda;
