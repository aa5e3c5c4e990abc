package dev.bellman.markov.profile;

import dev.bellman.columns.VectorClasses;
import java.util.Optional;

/** Computes the states of a profile after the next residue. */
interface ProfileSteps {
    /** The implementation with vector instructions; empty if {@link VectorClasses} does not load it. */
    Optional<ProfileSteps> VECTORS =
            VectorClasses.load(ProfileSteps.class, "VectorSteps").stream().findFirst();

    /** Returns the cost of a node in {@link dev.bellman.columns.Cancellation} steps. */
    int steps();

    /**
     * Advances the sums over all paths.
     *
     * @param odds the index of the residue's first odds
     * @param begin the sum over paths to the begin state before the residue
     * @return the sum over paths to the end state after the residue
     */
    double forward(ProfileRow row, int odds, double begin);

    /** Advances the maxima over all paths; for the parameters, see {@link #forward}. */
    double viterbi(ProfileRow row, int odds, double begin);
}
