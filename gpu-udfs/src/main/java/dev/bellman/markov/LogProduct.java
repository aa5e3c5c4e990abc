package dev.bellman.markov;

import dev.bellman.columns.Cancellation;
import dev.bellman.markov.HiddenMarkov.Strategy;

/**
 * Multiplies rows of logarithms by a matrix of probabilities. Entry j of a product is the logarithm of the sum of
 * {@code exp(logs(i)) * matrix(i, j)} over all i, in the order of i. A sum below 1e-290 may have lost terms, and is
 * computed again with its terms divided by the largest of them.
 */
final class LogProduct {
    private final int states;
    private final double[] matrix;
    private final double[] logMatrix;
    private final boolean byRows;
    private final double[] weights;
    private final double[] sums;
    private double[] row;
    private double[] result;
    private final Cancellation cancellation = new Cancellation();

    LogProduct(double[] matrix, double[] logMatrix, int states, Strategy strategy) {
        this.states = states;
        this.matrix = matrix;
        this.logMatrix = logMatrix;
        byRows = strategy == Strategy.AUTO;
        weights = new double[states];
        sums = new double[states];
    }

    /** Computes the product; the arrays must differ. */
    void multiply(double[] logs, double[] product) {
        cancellation.count((long) states * states);
        row = logs;
        result = product;
        for (int i = 0; i < states; i++) {
            weights[i] = StrictMath.exp(logs[i]);
            sums[i] = 0;
        }
        if (byRows) {
            for (int i = 0; i < states; i++) {
                double x = weights[i];
                int from = i * states;
                for (int j = 0; j < sums.length; j++) {
                    sums[j] += x * matrix[from + j];
                }
            }
        } else {
            for (int j = 0; j < states; j++) {
                for (int i = 0; i < states; i++) {
                    sums[j] += weights[i] * matrix[i * states + j];
                }
            }
        }
        for (int j = 0; j < states; j++) {
            product[j] = isPrecise(j) ? StrictMath.log(sums[j]) : logSum(logs, j);
        }
    }

    private double logSum(double[] logs, int j) {
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < states; i++) {
            most = Math.max(most, logs[i] + logMatrix[i * states + j]);
        }
        if (most == Double.NEGATIVE_INFINITY) {
            return most;
        }
        double sum = 0;
        for (int i = 0; i < states; i++) {
            sum += StrictMath.exp(logs[i] + logMatrix[i * states + j] - most);
        }
        return most + StrictMath.log(sum);
    }

    /** Returns the exponentials of the row that was last multiplied. */
    double[] weights() {
        return weights;
    }

    /** Returns an entry of the last product, without the logarithm. */
    double sum(int j) {
        return sums[j];
    }

    /**
     * Returns the share that entry i of the row had in entry j of the last product. Neither the row nor the product may
     * have changed.
     */
    double share(int j, int i) {
        return StrictMath.exp(row[i] + logMatrix[i * states + j] - result[j]);
    }

    /** Whether {@link #sum} has full precision. */
    boolean isPrecise(int j) {
        return sums[j] >= BaumWelch.MIN_SUM;
    }
}
