package dev.bellman.fold.rna;

import static dev.bellman.columns.KernelOf.call;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link RnaFunctions}. */
public final class RnaKernels {
    private RnaKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                call("rna_fold", call -> new RnaFoldKernel(call, true)),
                call("rna_fold_energy", call -> new RnaFoldKernel(call, false)),
                call("rna_ensemble", RnaEnsembleKernel::new),
                call("rna_pair_probabilities", RnaPairsKernel::new));
    }
}
