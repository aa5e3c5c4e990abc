package dev.bellman.fold.rna;

import dev.bellman.columns.Cancellation;
import java.util.Arrays;

/** Stores the pair probabilities of an ensemble, and finds the structure with the maximum expected accuracy. */
final class PairProbabilities {
    private final int n;
    /** The probability that i and j pair, stored at {@code pairs[i][j - i]}. */
    private final double[][] pairs;

    private PairProbabilities(double[][] pairs) {
        n = pairs.length;
        this.pairs = pairs;
    }

    static PairProbabilities of(RnaEnsemble ensemble) {
        return new PairProbabilities(ensemble.probabilities());
    }

    double pair(int i, int j) {
        return pairs[i][j - i];
    }

    int length() {
        return n;
    }

    /**
     * Returns the expected number of pairs that occur in only one of two structures drawn from the ensemble. The number
     * is computed as the sum of column sums.
     */
    double diversity() {
        double[] columns = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) {
                columns[j] += pair(i, j) * (1 - pair(i, j));
            }
        }
        double sum = 0;
        for (double column : columns) {
            sum += column;
        }
        return 2 * sum;
    }

    /**
     * Returns, in dot-bracket notation, the structure with the maximum expected accuracy: the sum of
     * {@code 2 gamma p(i, j)} over its pairs, plus the sum, over its unpaired bases, of the probability that the base
     * is unpaired. Ties: bases are considered from the first to the last; each base is unpaired if the accuracy can
     * then still be maximal, and otherwise pairs with the smallest partner for which it can. All pairs of the structure
     * have positive probabilities.
     *
     * <p>The recurrence and its candidates are the same as in {@link dev.bellman.fold.BasePairs}.
     */
    byte[] mostAccurate(double gamma) {
        double[] unpaired = unpaired();
        Cancellation cancellation = new Cancellation();
        // sums[i][j - i + 1] is the sum for the bases i to j
        double[][] sums = new double[n + 1][];
        sums[n] = new double[1];
        for (int i = n - 1; i >= 0; i--) {
            double[] row = new double[n - i + 1];
            for (int at = 0; at < n - i; at++) {
                row[at + 1] = sums[i + 1][at] + unpaired[i];
            }
            for (int k = i + 1; k < n; k++) {
                double sum = 2 * gamma * pair(i, k) + sums[i + 1][k - i - 1];
                if (pair(i, k) > 0 && sum > row[k - i + 1]) {
                    cancellation.count(n - k);
                    double[] behind = sums[k + 1];
                    int offset = k - i + 1;
                    for (int at = 0; at < behind.length; at++) {
                        row[offset + at] = Math.max(row[offset + at], sum + behind[at]);
                    }
                }
            }
            sums[i] = row;
        }
        return trace(gamma, unpaired, sums);
    }

    private double[] unpaired() {
        double[] unpaired = new double[n];
        Arrays.fill(unpaired, 1);
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                unpaired[i] -= pair(i, j);
                unpaired[j] -= pair(i, j);
            }
        }
        return unpaired;
    }

    private byte[] trace(double gamma, double[] unpaired, double[][] sums) {
        byte[] structure = new byte[n];
        Arrays.fill(structure, (byte) '.');
        int[] parts = new int[2 * n + 2];
        int count = 0;
        parts[count++] = 0;
        parts[count++] = n - 1;
        while (count > 0) {
            int j = parts[--count];
            int i = parts[--count];
            while (i <= j && sums[i][j - i + 1] == sums[i + 1][j - i] + unpaired[i]) {
                i++;
            }
            if (i <= j) {
                int k = i + 1;
                while (pair(i, k) <= 0
                        || 2 * gamma * pair(i, k) + sums[i + 1][k - i - 1] + sums[k + 1][j - k] != sums[i][j - i + 1]) {
                    k++;
                }
                structure[i] = '(';
                structure[k] = ')';
                parts[count++] = i + 1;
                parts[count++] = k - 1;
                parts[count++] = k + 1;
                parts[count++] = j;
            }
        }
        return structure;
    }
}
