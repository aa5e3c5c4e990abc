package dev.bellman.markov;

import java.io.Serializable;

/** A hidden Markov model that can be fitted to sequences. */
public sealed interface FittedModel extends Serializable permits HmmModel, GaussianModel {
    double[] start();

    default int states() {
        return start().length;
    }

    /**
     * Returns, for each state, the probabilities of the transitions to each state, or their logarithms if the model is
     * defined by logarithms.
     */
    double[][] transitions();

    /**
     * Returns, for each state, the probability of each symbol (or its logarithm, as for transitions), or the mean and
     * the variance of each coordinate.
     */
    double[][] emissions();
}
