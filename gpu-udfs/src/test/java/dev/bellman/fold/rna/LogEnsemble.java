package dev.bellman.fold.rna;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopWeights;
import java.util.Arrays;

/**
 * Sums over all structures of an RNA with McCaskill's recurrence, entry by entry, on logarithms of weights and without
 * scaling factors. Therefore, no weight is outside the range of DOUBLE.
 */
final class LogEnsemble {
    private final byte[] bases;
    private final LoopWeights weights;
    private final int n;
    private final double[][] pair;
    private final double[][] multi;
    private final double[][] several;

    LogEnsemble(byte[] bases, LoopWeights weights) {
        this.bases = bases;
        this.weights = weights;
        n = bases.length;
        pair = table();
        multi = table();
        several = table();
    }

    private double[][] table() {
        double[][] table = new double[n + 2][n + 2];
        for (double[] row : table) {
            Arrays.fill(row, Double.NEGATIVE_INFINITY);
        }
        return table;
    }

    /** Returns the logarithm of the sum of two weights, given their logarithms. */
    private static double sum(double x, double y) {
        double more = Math.max(x, y);
        return more == Double.NEGATIVE_INFINITY ? more : more + Math.log1p(Math.exp(Math.min(x, y) - more));
    }

    /** Returns the energy in hundredths of kcal/mol. */
    double energy() {
        for (int i = n - 1; i >= 0; i--) {
            for (int j = i; j < n; j++) {
                if (j - i > 3 && Bases.pair(bases[i], bases[j]) > 0) {
                    pair[i][j] = closed(i, j);
                }
                parts(i, j);
            }
        }
        double[] prefix = new double[n + 1];
        for (int end = 1; end <= n; end++) {
            prefix[end] = prefix[end - 1];
            for (int i = 0; i < end; i++) {
                if (pair[i][end - 1] > Double.NEGATIVE_INFINITY) {
                    double branch = pair[i][end - 1] + Math.log(weights.exterior(bases, i, end - 1));
                    prefix[end] = sum(prefix[end], prefix[i] + branch);
                }
            }
        }
        return weights.energy(prefix[n]);
    }

    private double closed(int i, int j) {
        double total = Math.log(weights.hairpin(bases, i, j));
        for (int p = i + 1; p < j; p++) {
            for (int q = j - 1; q > p && p - i - 1 + j - q - 1 <= 30; q--) {
                if (pair[p][q] > Double.NEGATIVE_INFINITY) {
                    total = sum(total, pair[p][q] + Math.log(EnsembleTextbook.internal(weights, bases, i, j, p, q)));
                }
            }
        }
        double parts = several[i + 1][j - 1];
        return parts == Double.NEGATIVE_INFINITY ? total : sum(total, parts + Math.log(weights.closing(bases, i, j)));
    }

    /**
     * Computes the weights of the parts of a multiloop from i to j that have at least one branch, and of those that
     * have at least two. A part consists of unpaired bases, a branch that ends at l, and the rest of the part.
     */
    private void parts(int i, int j) {
        double unpaired = Math.log(weights.unpaired);
        for (int l = i + 4; l <= j; l++) {
            if (i > 0 && l < n - 1 && pair[i][l] > Double.NEGATIVE_INFINITY) {
                double branch = pair[i][l] + Math.log(weights.branch(bases, i, l));
                multi[i][j] = sum(multi[i][j], branch + (j - l) * unpaired);
                several[i][j] = sum(several[i][j], branch + multi[l + 1][j]);
            }
        }
        multi[i][j] = sum(multi[i][j], several[i][j]);
        if (i < j) {
            multi[i][j] = sum(multi[i][j], multi[i + 1][j] + unpaired);
            several[i][j] = sum(several[i][j], several[i + 1][j] + unpaired);
        }
    }
}
