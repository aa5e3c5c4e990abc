package dev.bellman.linear;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/** Provides the textbook implementations and the test instances for the functions in {@link LinearFunctions}. */
public final class LinearProofs implements Proofs {
    private static final InstanceGenerator MATRICES = new InstanceGenerator(EliminationInstances::matrix, 12, 300, 3);
    private static final InstanceGenerator PIVOTING = new InstanceGenerator(EliminationInstances::pivoting, 12, 300, 3);
    private static final InstanceGenerator SYSTEMS = new InstanceGenerator(EliminationInstances::system, 12, 300, 3);

    @Override
    public List<Proof> list() {
        return List.of(
                new Proof("lu", MATRICES, EliminationTextbook::lu),
                new Proof("lu", 1, PIVOTING, EliminationTextbook::permutedLu),
                new Proof("linear_solve", SYSTEMS, EliminationTextbook::solve),
                new Proof("determinant", PIVOTING, EliminationTextbook::determinant),
                new Proof(
                        "linear_least_squares",
                        new InstanceGenerator(LeastSquaresInstances::system, 12, 300, 3),
                        LeastSquaresTextbook::solve));
    }
}
