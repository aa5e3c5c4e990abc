/**
 * Represents cudf columns as device addresses ({@link dev.bellman.columns.DeviceColumn}), the rows of a batch as inputs
 * of a problem ({@link dev.bellman.columns.Instances}), and results as cudf columns. This package also manages the
 * device memory for these steps.
 *
 * <p>All device memory comes from cudf. RAPIDS owns the GPU's memory: if an allocation fails, RAPIDS spills, retries
 * the batch or splits it. Therefore, RAPIDS has to receive the exception ({@code GpuRetryOOM},
 * {@code GpuSplitAndRetryOOM}), either directly or as a cause. As a result, RAPIDS may call
 * {@link dev.bellman.columns.ColumnarKernel#evaluate} again at any time. Implementations of this method must keep all
 * memory in the {@link dev.bellman.columns.Batch} or a {@link dev.bellman.columns.Scratch}, both of which always free
 * it. They must not catch exceptions, and must update counters and reports only in
 * {@link dev.bellman.columns.Batch#whenDone}.
 *
 * <p>The classes that refer to cudf are in {@code src/gpu/java}; {@link dev.bellman.GpuSide} finds them.
 */
package dev.bellman.columns;
