package dev.bellman.best;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernel for {@link TopNPrefilter}. */
public final class BestKernels {
    private BestKernels() {}

    public static List<KernelOf> list() {
        return List.of(new KernelOf(
                TopNPrefilter.FUNCTION,
                call -> new MayBeBestKernel(
                        (int) call.ifAbsent(TopNPrefilter.COUNT).orElseThrow())));
    }
}
