package dev.bellman.align.consensus;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link ConsensusFunctions}. */
public final class ConsensusKernels {
    private ConsensusKernels() {}

    public static List<KernelOf> list() {
        return List.of(new KernelOf("consensus", ConsensusKernel::new));
    }
}
