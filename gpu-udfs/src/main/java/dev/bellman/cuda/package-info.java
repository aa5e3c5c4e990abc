/**
 * CUDA through JCuda's driver API: modules of compiled kernels, launches and their timing. No other package names a jcuda class.
 *
 * <p>Nothing here is touched before the first launch, because the Spark driver and CPU-only executors have no GPU driver. Work is
 * put on the per-thread default stream, where cudf's Java binding puts its own, so that a task's kernels and its cudf calls run in
 * the order of the code. A kernel that fails while it runs (an illegal address, say) shows at the next call that waits for the
 * stream; {@code CUDA_LAUNCH_BLOCKING=1} in the environment makes that the launch.
 */
package dev.bellman.cuda;
