package dev.bellman.align.gap;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link GapFunctions}. */
public final class GapKernels {
    private GapKernels() {}

    public static List<KernelOf> list() {
        return List.of(new KernelOf("gap_alignment", GapAlignmentKernel::new));
    }
}
