package dev.bellman.fold.rna;

import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Oracle;
import dev.bellman.entry.Proof;
import dev.bellman.entry.Proofs;
import dev.bellman.fold.RnaInstances;
import java.util.List;

/** The textbook and the instances of each function of {@link RnaFunctions}. */
public final class RnaProofs implements Proofs {
    /** A size with few structures. */
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
                new Proof(
                        "rna_fold_windows",
                        new InstanceGenerator(RnaInstances::windows, 20, 400, 3),
                        RnaTextbook::windows),
                new Proof(
                        "rna_ensemble",
                        new InstanceGenerator(RnaInstances::sequenceAndOptions, SMALL_ENSEMBLE, 400, 3),
                        EnsembleTextbook::ensemble),
                new Proof(
                        "rna_pair_probabilities",
                        new InstanceGenerator(RnaInstances::sequenceAndProbability, SMALL_ENSEMBLE, 300, 3),
                        EnsembleTextbook::pairs),
                new Proof(
                        "mea_structure",
                        new InstanceGenerator(RnaInstances::sequenceAndGamma, SMALL_ENSEMBLE, 300, 3),
                        EnsembleTextbook::mostAccurate));
    }

    private static Proof folding(String function, Oracle textbook) {
        return new Proof(function, new InstanceGenerator(RnaInstances::sequenceAndConstraint, 20, 400, 3), textbook);
    }
}
