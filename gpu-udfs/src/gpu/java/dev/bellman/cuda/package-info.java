/**
 * Uses CUDA through JCuda's driver API: modules of compiled kernels, launches and their timing. No other package refers
 * to a JCuda class.
 *
 * <p>Nothing in this package is loaded before the first launch, because the Spark driver and CPU-only executors have no
 * GPU driver. Work is enqueued on the per-thread default stream, which cudf's Java binding also uses, so a task's
 * kernels and its cudf calls run in program order. If a kernel fails while it runs (for example, with an illegal
 * address), the next call that waits for the stream reports the failure; with {@code CUDA_LAUNCH_BLOCKING=1} in the
 * environment, the launch itself reports it.
 */
package dev.bellman.cuda;
