package dev.bellman.fold.rna;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link RnaFunctions}. */
public final class RnaKernels {
    private RnaKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("rna_fold", call -> new RnaFoldKernel(call, true)),
                new KernelOf("rna_fold_energy", call -> new RnaFoldKernel(call, false)),
                new KernelOf("rna_eval", RnaEvalKernel::new),
                new KernelOf("rna_duplex", RnaDuplexKernel::new),
                new KernelOf("rna_cofold", RnaCofoldKernel::new),
                new KernelOf("rna_cofold_ensemble", RnaCofoldEnsembleKernel::new),
                new KernelOf("rna_fold_windows", RnaWindowsKernel::new),
                new KernelOf("rna_ensemble", RnaEnsembleKernel::new),
                new KernelOf("rna_pair_probabilities", RnaPairsKernel::new),
                new KernelOf("mea_structure", MeaStructureKernel::new));
    }
}
