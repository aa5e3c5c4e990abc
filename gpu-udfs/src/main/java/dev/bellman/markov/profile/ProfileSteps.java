package dev.bellman.markov.profile;

import dev.bellman.columns.VectorClasses;
import java.util.Optional;

/** Computes the states of a profile after the next residue. */
interface ProfileSteps {
    /** The implementation by vector instructions; empty without the module {@code jdk.incubator.vector}. */
    Optional<ProfileSteps> VECTORS =
            VectorClasses.load(ProfileSteps.class, "VectorSteps").stream().findFirst();

    /** Cost of a node in steps, for {@link dev.bellman.columns.Cancellation}. */
    int steps();

    /**
     * Advances the sums over all paths.
     *
     * @param odds the index where the odds of the residue begin
     * @param begin the sum over paths to the begin state before the residue
     * @return the sum over paths to the end state after it
     */
    double forward(ProfileRow row, int odds, double begin);

    /** Likewise for the best path. */
    double viterbi(ProfileRow row, int odds, double begin);
}
