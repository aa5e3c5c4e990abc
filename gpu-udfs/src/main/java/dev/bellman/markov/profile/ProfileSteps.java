package dev.bellman.markov.profile;

import dev.bellman.columns.VectorClasses;
import java.util.Optional;

/** Computes the states of a profile after the next residue. */
interface ProfileSteps {
    /** By vectors; empty without the module {@code jdk.incubator.vector}. */
    Optional<ProfileSteps> VECTORS =
            VectorClasses.load(ProfileSteps.class, "VectorSteps").stream().findFirst();

    /** Steps of a node, for {@link dev.bellman.columns.Cancellation}. */
    int steps();

    /**
     * Sums over all ways.
     *
     * @param odds where the odds of the residue begin
     * @param begin the way to the begin before the residue
     * @return the ways to the end after it
     */
    double forward(ProfileRow row, int odds, double begin);

    /** The same of the best way. */
    double viterbi(ProfileRow row, int odds, double begin);
}
