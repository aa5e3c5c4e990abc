package dev.bellman.fold.rna;

import dev.bellman.fold.RnaInstances;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Oracle;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/** Provides the textbook implementations and the test instances for the functions in {@link RnaFunctions}. */
public final class RnaProofs implements Proofs {
    /** A size for which sequences have only a few structures. */
    private static final int SMALL_ENSEMBLE = 15;

    @Override
    public List<Proof> list() {
        return List.of(
                folding("rna_fold", RnaTextbook::fold),
                folding("rna_fold_energy", RnaTextbook::energy),
                new Proof(
                        "rna_eval",
                        new InstanceGenerator(RnaInstances::structureAndOptions, 40, 1_000, 1),
                        RnaEvalTextbook::solve),
                new Proof(
                        "rna_duplex", new InstanceGenerator(RnaInstances::strands, 30, 400, 2), DuplexTextbook::solve),
                new Proof("rna_cofold", new InstanceGenerator(RnaInstances::strands, 14, 400, 3), RnaTextbook::cofold),
                new Proof(
                                "rna_cofold_ensemble",
                                new InstanceGenerator(RnaInstances::shortStrands, SMALL_ENSEMBLE, 600, 3),
                                EnsembleTextbook::cofold)
                        .with(EnsembleTextbook.OF_COFOLD),
                new Proof(
                        "rna_fold_windows",
                        new InstanceGenerator(RnaInstances::windows, 20, 400, 3),
                        RnaTextbook::windows),
                new Proof(
                                "rna_ensemble",
                                new InstanceGenerator(RnaInstances::sequenceAndShape, SMALL_ENSEMBLE, 400, 3),
                                EnsembleTextbook::ensemble)
                        .with(EnsembleTextbook.OF_ENSEMBLE),
                new Proof(
                                "rna_pair_probabilities",
                                new InstanceGenerator(RnaInstances::sequenceAndProbability, SMALL_ENSEMBLE, 300, 3),
                                EnsembleTextbook::pairs)
                        .with(EnsembleTextbook.OF_PAIRS),
                new Proof(
                                "mea_structure",
                                new InstanceGenerator(RnaInstances::sequenceAndGamma, SMALL_ENSEMBLE, 300, 3),
                                EnsembleTextbook::mostAccurate)
                        .with(EnsembleTextbook.OF_ACCURATE));
    }

    private static Proof folding(String function, Oracle textbook) {
        return new Proof(function, new InstanceGenerator(RnaInstances::sequenceAndModel, 20, 400, 3), textbook);
    }
}
