package dev.bellman.align.subsequence;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link SubsequenceFunctions}. */
public final class SubsequenceKernels {
    private SubsequenceKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("lcs_length", LcsLengthKernel::new),
                new KernelOf("lcs", LcsKernel::new),
                new KernelOf("line_diff", LineDiffKernel::new),
                new KernelOf("scs_length", ScsLengthKernel::new),
                new KernelOf("scs", ScsKernel::new),
                new KernelOf("scs_all", ScsAllKernel::new));
    }
}
