package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.LoopEnergies.MIN_HAIRPIN;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import java.util.Arrays;

/**
 * All structures of an RNA, each with its Boltzmann weight: J. S. McCaskill, The equilibrium partition function and
 * base pair binding probabilities for RNA secondary structure, 1990. With the weights of {@link LoopWeights}, each
 * structure once:
 *
 * <pre>{@code
 * pair(i, j)    = hairpin(i, j) + sum over p, q of internal(i, j, p, q) pair(p, q)
 *                 + closing(i, j) several(i + 1, j - 1)
 * branch(i, j)  = pair(i, j) branch weight(i, j)
 * one(i, j)     = unpaired one(i + 1, j) + sum over k of branch(i, k) unpaired^(j - k)
 * several(i, j) = unpaired several(i + 1, j) + sum over k of branch(i, k) multi(k + 1, j)
 * multi(i, j)   = one(i, j) + several(i, j)
 * }</pre>
 *
 * <p>Rows go from the last to the first, in the loops of {@link RowFill}. The probability of a pair is its weight times
 * how the sum over all structures grows with it; these derivatives follow from the same equations, taken backwards:
 * rows from the first to the last, each passing on what it got.
 *
 * <p>The order of all additions is fixed, so the bits of the results are the same everywhere.
 *
 * <p>Each base has a factor such that the whole is near 1. So weights stay within DOUBLE unless parts of a sequence
 * differ from the whole by hundreds of kT; then it is rejected.
 */
final class RnaEnsemble {
    /** A sum of this size, or of its reciprocal, is near the end of DOUBLE's range. */
    private static final double LARGEST = 0x1p950;

    private static final int KINDS = RowFill.KINDS;
    private static final int KEPT = RowFill.KEPT;

    /** The energy of an ensemble over the least energy of a structure, about. */
    private static final double TYPICAL = 1.07;

    private final String function;
    private final byte[] bases;
    private final int n;
    private final LoopWeights weights;
    /** The energy that the factors of all bases stand for. */
    private final double ofFactors;

    private final double unpaired;
    private final Cancellation cancellation = new Cancellation();

    /** {@code pair(i, j)} is {@code pair[i][j - i]}; so in the next ones. */
    private final double[][] pair;

    private final double[][] multi;
    /** By kind and row: {@code pair(p, q)} with the inner part of its loops; going back, its derivatives. */
    private final double[][][] inner;

    private final double[][] sums;
    private double[] one;
    private double[] several;
    /** Of the bases before j, and of those from i. */
    private final double[] prefix;

    private final double[] suffix;

    private RnaEnsemble(String function, byte[] bases, LoopWeights weights, double ofFactors) {
        this.function = function;
        this.ofFactors = ofFactors;
        this.bases = bases;
        this.weights = weights;
        n = bases.length;
        unpaired = weights.unpaired;
        pair = new double[n][];
        multi = new double[n][];
        inner = new double[KINDS][Math.min(KEPT, n)][n];
        sums = new double[KINDS][n];
        one = new double[n];
        several = new double[n];
        prefix = new double[n + 1];
        suffix = new double[n + 1];
    }

    /**
     * Sums the weights of all structures.
     *
     * @param least the least energy of a structure, in hundredths of kcal/mol
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the tables do not fit the heap, or weights DOUBLE
     */
    static RnaEnsemble of(String function, byte[] bases, FoldOptions options, int least) {
        long n = bases.length;
        TaskMemory.take(
                function, (n * (n + 1) * 2 + 300 * n) * Double.BYTES, "", () -> "the tables of %,d bases".formatted(n));
        double perBase = n == 0 ? 0 : TYPICAL * least / n;
        RnaEnsemble ensemble =
                new RnaEnsemble(function, bases, new LoopWeights(options, bases.length, perBase), perBase * n);
        ensemble.fill();
        ensemble.fillExterior();
        return ensemble;
    }

    /** The energy of the ensemble, in hundredths of kcal/mol. */
    double energy() {
        return weights.energy(prefix[n]) + ofFactors;
    }

    /** The probability of a structure with an energy. */
    double probability(int energy) {
        return weights.weight(energy - energy());
    }

    private boolean canPair(int i, int j) {
        return Bases.pair(bases[i], bases[j]) > 0;
    }

    private void fill() {
        for (int i = n - 1; i >= 0; i--) {
            cancellation.count((long) (n - i) * MAX_INTERNAL);
            double[] row = new double[n - i];
            pair[i] = row;
            if (bases[i] != Bases.N) {
                sumInternal(i);
                for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
                    if (canPair(i, j)) {
                        row[j - i] = check(pair(i, j));
                    }
                }
            }
            keep(i, row);
            fillMulti(i, row);
        }
    }

    /** A weight that is within the range. */
    private double check(double weight) {
        if (!(weight < LARGEST && weight > 1 / LARGEST)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("%s: the weights of structures of parts of the %,d bases leave the range of DOUBLE, as these "
                                    + "parts are far more or less stable than the whole; use windows of the sequence")
                            .formatted(function, n));
        }
        return weight;
    }

    private double pair(int i, int j) {
        double sum = weights.hairpin(bases, i, j);
        for (int kind = 0; kind < KINDS; kind++) {
            sum += sums[kind][j] * outer(kind, i, j);
        }
        for (int l = 0; l <= 2; l++) {
            for (int r = 0; r <= 2; r++) {
                if (isSmall(l, r) && j - i - l - r - 2 > MIN_HAIRPIN && canPair(i + 1 + l, j - 1 - r)) {
                    sum += pair[i + 1 + l][j - r - i - l - 2] * weights.small(bases, i, j, i + 1 + l, j - 1 - r);
                }
            }
        }
        return sum + several[j - 1] * weights.closing(bases, i, j);
    }

    private static boolean isSmall(int l, int r) {
        // bulges of two bases are not
        return l + r != 2 || l == r;
    }

    /** The part of an internal loop that depends on its outer pair. */
    private double outer(int kind, int i, int j) {
        return end(kind, Bases.pair(bases[i], bases[j]), bases[i + 1], bases[j - 1]);
    }

    /** The part of an internal loop that depends on its inner pair. */
    private double inner(int kind, int p, int q) {
        return p == 0 || q == n - 1 ? 0 : end(kind, Bases.pair(bases[q], bases[p]), bases[q + 1], bases[p - 1]);
    }

    private double end(int kind, int pair, int x, int y) {
        int at = (pair * Bases.COUNT + x) * Bases.COUNT + y;
        return switch (kind) {
            case RowFill.BULGE -> weights.terminal(pair);
            case RowFill.ONE -> weights.mismatchInternal1n[at];
            case RowFill.TWO_THREE -> weights.mismatchInternal23[at];
            default -> weights.mismatchInternal[at];
        };
    }

    private void sumInternal(int i) {
        for (double[] each : sums) {
            Arrays.fill(each, i, n, 0);
        }
        for (int l = 0; l <= MAX_INTERNAL && i + 1 + l + MIN_HAIRPIN + 2 < n; l++) {
            int p = i + 1 + l;
            for (int r = 0; r <= MAX_INTERNAL - l; r++) {
                int kind = RowFill.kind(l, r);
                int from = p + MIN_HAIRPIN + 2 + r;
                if (kind >= 0 && from < n) {
                    add(sums[kind], from, inner[kind][p % KEPT], from - 1 - r, n - from, weights.sized(l, r));
                }
            }
        }
    }

    private static void add(double[] sums, int to, double[] terms, int from, int length, double weight) {
        for (int k = 0; k < length; k++) {
            sums[to + k] += terms[from + k] * weight;
        }
    }

    private void keep(int i, double... row) {
        for (int kind = 0; kind < KINDS; kind++) {
            double[] kept = inner[kind][i % KEPT];
            Arrays.fill(kept, 0);
            for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
                if (row[j - i] > 0) {
                    kept[j] = row[j - i] * inner(kind, i, j);
                }
            }
        }
    }

    private double branch(int i, int j) {
        return pair[i][j - i] > 0 && i > 0 && j < n - 1 ? weights.branch(bases, i, j) : 0;
    }

    private void fillMulti(int i, double... row) {
        double ends = 0;
        for (int j = i; j < n; j++) {
            several[j] *= unpaired;
            one[j] *= unpaired;
        }
        for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
            double branch = row[j - i] * branch(i, j);
            ends = ends * unpaired + branch;
            one[j] += ends;
            if (branch > 0) {
                cancellation.count(n - j);
                add(several, j + 1, multi[j + 1], 0, n - j - 1, branch);
            }
        }
        multi[i] = new double[n - i];
        for (int j = i; j < n; j++) {
            multi[i][j - i] = one[j] + several[j];
        }
    }

    private void fillExterior() {
        double factor = weights.factors[Math.min(1, n)];
        prefix[0] = 1;
        for (int i = 0; i < n; i++) {
            prefix[i + 1] += prefix[i] * factor;
            for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
                if (pair[i][j - i] > 0) {
                    prefix[j + 1] += prefix[i] * pair[i][j - i] * weights.exterior(bases, i, j);
                }
            }
            check(prefix[i + 1]);
        }
        suffix[n] = 1;
        for (int i = n - 1; i >= 0; i--) {
            suffix[i] = suffix[i + 1] * factor;
            for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
                if (pair[i][j - i] > 0) {
                    suffix[i] += pair[i][j - i] * weights.exterior(bases, i, j) * suffix[j + 1];
                }
            }
            check(suffix[i]);
        }
    }

    /** The probabilities of pairs, that of i and j at {@code [i][j - i]}. May be called once. */
    double[][] probabilities() {
        double[][] grown = new double[n][];
        double[][] multiGrown = new double[n][];
        for (int i = 0; i < n; i++) {
            grown[i] = new double[n - i];
            multiGrown[i] = new double[n - i];
        }
        for (double[][] kind : inner) {
            for (double[] row : kind) {
                Arrays.fill(row, 0);
            }
        }
        Arrays.fill(one, 0);
        Arrays.fill(several, 0);
        for (int i = 0; i < n; i++) {
            cancellation.count((long) (n - i) * MAX_INTERNAL);
            growMulti(i, grown[i], multiGrown);
            multiGrown[i] = null;
            growPairs(i, grown);
        }
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) {
                grown[i][j - i] *= pair[i][j - i] / prefix[n];
            }
        }
        return grown;
    }

    /**
     * Passes on the derivatives of a row of parts of multiloops. Those of {@code one} and {@code several} are of row i,
     * then of row i + 1.
     */
    private void growMulti(int i, double[] grown, double[][] multiGrown) {
        for (int j = i; j < n; j++) {
            one[j] += multiGrown[i][j - i];
            several[j] += multiGrown[i][j - i];
        }
        double ends = 0;
        for (int j = n - 1; j > i + MIN_HAIRPIN; j--) {
            ends = ends * unpaired + one[j];
            double branch = branch(i, j);
            if (branch > 0) {
                cancellation.count(n - j);
                double sum = ends;
                double[] behind = multi[j + 1];
                for (int k = 0; k < behind.length; k++) {
                    sum += several[j + 1 + k] * behind[k];
                }
                grown[j - i] += sum * branch;
                add(multiGrown[j + 1], 0, several, j + 1, n - j - 1, pair[i][j - i] * branch);
            }
        }
        for (int j = i; j < n; j++) {
            one[j] *= unpaired;
            several[j] *= unpaired;
        }
    }

    /** Completes the derivatives of a row of pairs, and passes them on. */
    private void growPairs(int i, double[][] grown) {
        double[] row = grown[i];
        for (double[] each : sums) {
            Arrays.fill(each, i, n, 0);
        }
        for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
            if (pair[i][j - i] > 0) {
                double sum = row[j - i] + prefix[i] * suffix[j + 1] * weights.exterior(bases, i, j);
                for (int kind = 0; kind < KINDS; kind++) {
                    sum += inner[kind][i % KEPT][j] * inner(kind, i, j);
                }
                row[j - i] = sum;
                for (int kind = 0; kind < KINDS; kind++) {
                    sums[kind][j] = sum * outer(kind, i, j);
                }
                several[j - 1] += sum * weights.closing(bases, i, j);
                growSmall(i, j, sum, grown);
            }
        }
        for (double[][] kind : inner) {
            Arrays.fill(kind[i % KEPT], 0);
        }
        for (int l = 0; l <= MAX_INTERNAL && i + 1 + l + MIN_HAIRPIN + 2 < n; l++) {
            int p = i + 1 + l;
            for (int r = 0; r <= MAX_INTERNAL - l; r++) {
                int kind = RowFill.kind(l, r);
                int from = p + MIN_HAIRPIN + 2 + r;
                if (kind >= 0 && from < n) {
                    add(inner[kind][p % KEPT], from - 1 - r, sums[kind], from, n - from, weights.sized(l, r));
                }
            }
        }
    }

    private void growSmall(int i, int j, double sum, double[][] grown) {
        for (int l = 0; l <= 2; l++) {
            for (int r = 0; r <= 2; r++) {
                int p = i + 1 + l;
                int q = j - 1 - r;
                if (isSmall(l, r) && q - p > MIN_HAIRPIN && canPair(p, q)) {
                    grown[p][q - p] += sum * weights.small(bases, i, j, p, q);
                }
            }
        }
    }
}
