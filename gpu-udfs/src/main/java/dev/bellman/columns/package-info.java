/**
 * Columns of cudf as device addresses ({@link dev.bellman.columns.DeviceColumn}), the rows of a batch as instances of a
 * problem ({@link dev.bellman.columns.Instances}), results as columns of cudf, and the device memory in between.
 *
 * <p>Device memory comes from cudf alone: RAPIDS owns the GPU's memory and answers an allocation that fails by
 * spilling, by having the batch tried again or by splitting it. It does so by an exception ({@code GpuRetryOOM},
 * {@code GpuSplitAndRetryOOM}) that has to reach it, wrapped as a cause or plain. So what runs in
 * {@link dev.bellman.columns.ColumnarKernel#evaluate} can run again at any time: it
 * keeps its memory in the {@link dev.bellman.columns.Batch} or a {@link dev.bellman.columns.Scratch}, which free it on
 * every way out, catches nothing, and counts or reports only through {@link dev.bellman.columns.Batch#whenDone}.
 *
 * <p>The classes that name cudf are on the GPU side ({@code src/gpu/java}), which {@link dev.bellman.GpuSide} finds.
 */
package dev.bellman.columns;
