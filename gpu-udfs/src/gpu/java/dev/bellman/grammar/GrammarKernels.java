package dev.bellman.grammar;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link GrammarFunctions}. */
public final class GrammarKernels {
    private GrammarKernels() {}

    public static List<KernelOf> list() {
        return List.of(new KernelOf("cyk", CykKernel::new), new KernelOf("word_break", WordBreakKernel::new));
    }
}
