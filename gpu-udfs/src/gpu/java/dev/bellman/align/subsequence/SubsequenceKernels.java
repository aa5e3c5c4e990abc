package dev.bellman.align.subsequence;

import static dev.bellman.align.PairKernels.pair;
import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link SubsequenceFunctions}. */
public final class SubsequenceKernels {
    private SubsequenceKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                pair("lcs_length", LcsLengthKernel::new),
                pair("lcs", LcsKernel::new),
                pair("scs_length", ScsLengthKernel::new),
                pair("scs", ScsKernel::new),
                entry("scs_all", ScsAllUdf.class, ScsAllKernel::new));
    }
}
