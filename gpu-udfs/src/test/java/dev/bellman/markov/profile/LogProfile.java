package dev.bellman.markov.profile;

import dev.bellman.markov.profile.ProfileText.Move;
import java.util.Arrays;

/**
 * Computes scores of profiles by the recurrences as they are printed in papers: with logarithms, which need no scaling,
 * and one node at a time.
 */
final class LogProfile {
    private static final double NONE = Double.NEGATIVE_INFINITY;

    private final ProfileText text;
    private final int nodes;
    private final double[] begins;

    LogProfile(ProfileText text) {
        this.text = text;
        nodes = text.nodes();
        begins = new double[nodes + 1];
        double sum = 0;
        for (int k = 1; k <= nodes; k++) {
            double stays = Math.exp(log(k - 1, Move.MATCH_TO_MATCH)) + Math.exp(log(k - 1, Move.MATCH_TO_INSERT));
            begins[k] = k == 1
                    ? stays
                    : begins[k - 1] * stays + (1 - begins[k - 1]) * Math.exp(log(k - 1, Move.DELETE_TO_MATCH));
            begins[k] = Math.max(0, begins[k]);
            sum += begins[k] * (nodes - k + 1);
        }
        for (int k = 1; k <= nodes; k++) {
            begins[k] = Math.log(begins[k] / sum);
        }
    }

    private double log(int node, Move move) {
        return -text.move(node, move);
    }

    private double odds(int node, char letter) {
        Residues residues = text.residues();
        double[] scores = new double[residues.count()];
        Arrays.setAll(scores, x -> -text.matches()[(node - 1) * scores.length + x] - Math.log(residues.frequency(x)));
        return residues.expected(residues.code((byte) letter), scores);
    }

    double bits(String sequence, boolean isForward) {
        double length = sequence.length();
        double loop = Math.log(length / (length + 3));
        double move = Math.log(3 / (length + 3));
        double[] m = none();
        double[] i = none();
        double[] d = none();
        double n = 0;
        double j = NONE;
        for (char letter : sequence.toCharArray()) {
            double b = plus(isForward, n, j) + move;
            double[] nextM = none();
            double[] nextI = none();
            double[] nextD = none();
            double e = NONE;
            for (int k = 1; k <= nodes; k++) {
                double sum = b + begins[k];
                if (k > 1) {
                    sum = plus(isForward, sum, m[k - 1] + log(k - 1, Move.MATCH_TO_MATCH));
                    sum = plus(isForward, sum, i[k - 1] + log(k - 1, Move.INSERT_TO_MATCH));
                    sum = plus(isForward, sum, d[k - 1] + log(k - 1, Move.DELETE_TO_MATCH));
                    nextD[k] = plus(
                            isForward,
                            nextM[k - 1] + log(k - 1, Move.MATCH_TO_DELETE),
                            nextD[k - 1] + log(k - 1, Move.DELETE_TO_DELETE));
                }
                if (k < nodes) {
                    nextI[k] =
                            plus(isForward, m[k] + log(k, Move.MATCH_TO_INSERT), i[k] + log(k, Move.INSERT_TO_INSERT));
                }
                nextM[k] = sum + odds(k, letter);
                e = plus(isForward, e, plus(isForward, nextM[k], nextD[k]));
            }
            m = nextM;
            i = nextI;
            d = nextD;
            n += loop;
            j = plus(isForward, j + loop, e - Math.log(2));
        }
        double ofNull = length * Math.log(length / (length + 1)) + Math.log(1 / (length + 1));
        return (j + move - ofNull) / Math.log(2);
    }

    private double[] none() {
        double[] row = new double[nodes + 1];
        Arrays.fill(row, NONE);
        return row;
    }

    private static double plus(boolean isForward, double x, double y) {
        double greater = Math.max(x, y);
        double less = Math.min(x, y);
        return !isForward || less == NONE ? greater : greater + Math.log1p(Math.exp(less - greater));
    }
}
