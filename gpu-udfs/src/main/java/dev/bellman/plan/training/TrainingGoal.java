package dev.bellman.plan.training;

import java.io.Serializable;

/**
 * The model to fit, and when to stop.
 *
 * @param states the number of states
 * @param iterations the maximum number of iterations
 * @param tolerance the increase of the log-probability below which training stops; -Infinity to run all iterations
 * @param seed the seed of the first model
 * @param minVariance the minimum variance of a state that emits normally distributed numbers
 */
public record TrainingGoal(int states, int iterations, double tolerance, long seed, double minVariance)
        implements Serializable {
    /** Whether training is complete after iterations with the given log-probabilities. */
    public boolean isReached(double... logProbabilities) {
        int done = logProbabilities.length;
        return done >= iterations || isConverged(logProbabilities);
    }

    /** Whether the last iteration increased the log-probability by less than the tolerance. */
    public boolean isConverged(double... logProbabilities) {
        int done = logProbabilities.length;
        return done > 1 && logProbabilities[done - 1] - logProbabilities[done - 2] < tolerance;
    }
}
