package dev.bellman.fold.rna;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link RnaFunctions}. */
public final class RnaKernels {
    private RnaKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("rna_fold", RnaUdf.class, udf -> new RnaFoldKernel(udf, true)),
                entry("rna_fold_energy", RnaUdf.class, udf -> new RnaFoldKernel(udf, false)),
                entry("rna_ensemble", RnaUdf.class, RnaEnsembleKernel::new),
                entry("rna_pair_probabilities", ProbabilitiesUdf.Pairs.class, RnaPairsKernel::new));
    }
}
