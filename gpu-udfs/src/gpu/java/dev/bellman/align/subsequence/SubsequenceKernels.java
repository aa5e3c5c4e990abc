package dev.bellman.align.subsequence;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link SubsequenceFunctions}. */
public final class SubsequenceKernels {
    private SubsequenceKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("lcs_length", LcsLengthUdf.class, LcsLengthKernel::new),
                entry("lcs", LcsUdf.class, LcsKernel::new),
                entry("scs_length", ScsLengthUdf.class, ScsLengthKernel::new),
                entry("scs", ScsUdf.class, ScsKernel::new),
                entry("scs_all", ScsAllUdf.class, ScsAllKernel::new));
    }
}
