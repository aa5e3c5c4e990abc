package dev.bellman.markov.lanes;

import dev.bellman.columns.VectorClasses;
import java.util.Optional;

/**
 * Computes steps of several sequences at once. Each sequence has a lane: entry {@code i} of the sequence in lane {@code
 * l} is element {@code i * lanes + l} of an array. The model's matrices have no lanes, because all sequences share
 * them.
 */
interface LaneSteps {
    /** The implementation with vector instructions; empty if {@link VectorClasses} does not load it. */
    Optional<LaneSteps> VECTORS =
            VectorClasses.load(LaneSteps.class, "VectorSteps").stream().findFirst();

    /** Returns the number of lanes. */
    int lanes();

    /** Multiplies the row at index {@code from} by a matrix; each sum adds its terms in the order of the row. */
    void multiply(double[] rows, int from, double[] matrix, double[] product);

    /** Multiplies the entries of a row by factors, and writes the sum of the products. */
    void scale(double[] row, double[] factors, double[] sum);

    /** Divides the entries of a row by {@code sum}, and writes the quotients to {@code to} from index {@code from}. */
    void divide(double[] row, double[] sum, double[] to, int from);

    /**
     * Writes two sums for a step.
     *
     * @param f contains the step's entries from index {@code from}
     * @param both receives the sum of {@code f * r}
     * @param all receives the sum of {@code r}
     */
    void sum(double[] f, int from, double[] r, double[] both, double[] all);

    /** Writes {@code w = f / both} and {@code p = w * r}; for the parameters, see {@link #sum}. */
    void weigh(double[] f, int from, double[] both, double[] r, double[] w, double[] p);

    /** Adds the products of each entry of {@code w} and each entry of {@code c} to a matrix that has lanes. */
    void addProducts(double[] w, double[] c, double[] counts);

    /** Writes {@code factors * (r / all)} to {@code c}. */
    void rescale(double[] factors, double[] r, double[] all, double[] c);
}
