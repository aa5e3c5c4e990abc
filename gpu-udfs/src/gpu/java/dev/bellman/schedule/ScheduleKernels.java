package dev.bellman.schedule;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link ScheduleFunctions}. */
public final class ScheduleKernels {
    private ScheduleKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("longest_increasing", LongestIncreasingKernel::new),
                new KernelOf("lot_sizes", LotSizesKernel::new),
                new KernelOf("maximum_subarray", MaximumSubarrayKernel::new),
                new KernelOf("shortest_tour", ShortestTourKernel::new),
                new KernelOf("weighted_schedule", WeightedScheduleKernel::new));
    }
}
