/**
 * Represents cudf columns as device addresses ({@link dev.bellman.columns.DeviceColumn}), the rows of a batch as inputs
 * of a problem ({@link dev.bellman.columns.Instances}), and results as cudf columns. Manages the device memory that
 * these steps need.
 *
 * <p>All device memory comes from cudf. RAPIDS owns the GPU's memory: if an allocation fails, RAPIDS spills, retries
 * the batch or splits it. To make this possible, an exception ({@code GpuRetryOOM}, {@code GpuSplitAndRetryOOM}) has to
 * reach RAPIDS, directly or as a cause. Therefore, {@link dev.bellman.columns.ColumnarKernel#evaluate} may run again at
 * any time. Its implementations must keep all memory in the {@link dev.bellman.columns.Batch} or a {@link
 * dev.bellman.columns.Scratch}, which always free it. They must not catch exceptions, and must count or report only
 * through {@link dev.bellman.columns.Batch#whenDone}.
 *
 * <p>The classes that refer to cudf are in {@code src/gpu/java}; {@link dev.bellman.GpuSide} finds them.
 */
package dev.bellman.columns;
