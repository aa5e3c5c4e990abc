package dev.bellman.segment;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link SegmentFunctions}. */
public final class SegmentKernels {
    private SegmentKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("change_points", ChangePointsKernel::new),
                new KernelOf("change_points_of", ChangePointsKernel::new),
                new KernelOf("isotonic", IsotonicKernel::new),
                new KernelOf("optimal_bins", OptimalBinsKernel::new),
                new KernelOf("piecewise_linear", PiecewiseLinearKernel::new));
    }
}
