package dev.bellman.align.subsequence;

import static dev.bellman.columns.KernelOf.call;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link SubsequenceFunctions}. */
public final class SubsequenceKernels {
    private SubsequenceKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                call("lcs_length", LcsLengthKernel::new),
                call("lcs", LcsKernel::new),
                call("scs_length", ScsLengthKernel::new),
                call("scs", ScsKernel::new),
                call("scs_all", ScsAllKernel::new));
    }
}
