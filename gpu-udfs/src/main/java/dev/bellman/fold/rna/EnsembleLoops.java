package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopWeights;
import dev.bellman.fold.rna.energy.WideRow;
import dev.bellman.fold.rna.energy.WideRow.Wide;
import java.util.Arrays;

/**
 * Computes the Boltzmann weights of an RNA's loops. Each base contributes the same factor to a weight, so that the
 * weights of long subsequences stay close to 1.
 */
final class EnsembleLoops {
    /** The natural logarithm of the factor that one level represents. */
    private static final double LEVEL = WideRow.BITS * StrictMath.log(2);

    /** The weight of an unpaired base in a multiloop. */
    final double unpaired;

    private final byte[] bases;
    private final int n;
    private final LoopWeights weights;
    /** The energy that corresponds to the product of all bases' factors. */
    private final double ofFactors;

    /** The product of several bases' factors, indexed by the number of bases. */
    private final WideRow factors;

    /**
     * The part of an internal loop's weight that does not depend on its pairs, indexed by the numbers of unpaired bases
     * on the left and on the right.
     */
    private final double[][] sized = new double[MAX_INTERNAL + 1][MAX_INTERNAL + 1];

    /** The part of an internal loop's weight that depends on its number of unpaired bases, indexed by that number. */
    private final double[] sizes = new double[MAX_INTERNAL + 1];

    /**
     * The part of an internal loop's weight that depends on one of its pairs; 0 for bases that cannot pair. Indexed by
     * the kind of loop, and by a number that represents the pair and its two neighbours in the loop.
     */
    private final double[][] ends = new double[InternalLoops.KINDS][];

    /** @param perBase the energy that each base contributes to a typical structure, in hundredths of kcal/mol */
    EnsembleLoops(byte[] bases, LoopWeights weights, double perBase) {
        this.bases = bases;
        this.weights = weights;
        n = bases.length;
        ofFactors = perBase * n;
        factors = new WideRow(Math.max(n, MAX_INTERNAL + 2) + 1);
        Wide factor = new Wide();
        for (int count = 0; count < factors.length(); count++) {
            double logarithm = weights.logarithm(-perBase * count);
            int level = (int) Math.rint(logarithm / LEVEL);
            factor.set(StrictMath.exp(logarithm - level * LEVEL), level);
            factors.set(count, factor);
        }
        unpaired = weights.unpaired * factor();
        ends[InternalLoops.ONE] = weights.mismatchInternal1n.clone();
        ends[InternalLoops.TWO_THREE] = weights.mismatchInternal23.clone();
        ends[InternalLoops.OTHER] = weights.mismatchInternal.clone();
        int ofPair = Bases.COUNT * Bases.COUNT;
        ends[InternalLoops.BULGE] = new double[weights.mismatchInternal.length];
        Arrays.setAll(ends[InternalLoops.BULGE], at -> weights.terminal(at / ofPair));
        for (double[] each : ends) {
            Arrays.fill(each, 0, ofPair, 0);
        }
        for (int l = 0; l <= MAX_INTERNAL; l++) {
            sizes[l] = weights.internal(l) * factors.value(l + 2);
            for (int r = 0; r <= MAX_INTERNAL - l; r++) {
                sized[l][r] = weights.sized(l, r) * factors.value(l + r + 2);
            }
        }
    }

    /** Returns the weight of an unpaired base in the exterior loop. */
    double factor() {
        return factors.value(1);
    }

    /** Converts the weight of the whole sequence to an energy in hundredths of kcal/mol. */
    double energy(double weight, int level) {
        return weights.energy(StrictMath.log(weight) + level * LEVEL) + ofFactors;
    }

    /** Converts an energy to a weight that excludes the bases' factors. */
    double weight(double energy) {
        return weights.weight(energy);
    }

    void hairpin(int i, int j, Wide weight) {
        scaled(weights.hairpin(bases, i, j), j - i + 1, weight);
    }

    /** Multiplies a weight that excludes the bases' factors by the factors of several bases. */
    void scaled(double weight, int count, Wide product) {
        product.set(weight * factors.value(count), factors.level(count));
    }

    double small(int i, int j, int p, int q) {
        return weights.small(bases, i, j, p, q) * factors.value(p - i + j - q);
    }

    double closing(int i, int j) {
        return weights.closing(bases, i, j) * factors.value(2);
    }

    double branch(int i, int j) {
        return weights.branch(bases, i, j);
    }

    double exterior(int i, int j) {
        return weights.exterior(bases, i, j);
    }

    /**
     * For internal loops with l and r unpaired bases, returns the parts of the weights that do not depend on the loops'
     * pairs, indexed by r.
     */
    double[] sized(int l) {
        return sized[l];
    }

    /** Returns the factor of an internal loop's weight for its number of unpaired bases on both sides together. */
    double size(int unpaired) {
        return sizes[unpaired];
    }

    /** Returns the factor of an internal loop's weight for the difference between the two sides. */
    double asymmetry(int difference) {
        return weights.asymmetry(difference);
    }

    /** Returns the index to pass to {@link #end} for a pair as seen from inside the loop that the pair closes. */
    int closes(int i, int j) {
        return (Bases.pair(bases[i], bases[j]) * Bases.COUNT + bases[i + 1]) * Bases.COUNT + bases[j - 1];
    }

    /**
     * Returns the index to pass to {@link #end} for a pair as seen from inside the surrounding loop. Returns 0 if the
     * pair contains the first or the last base, because no loop then surrounds it.
     */
    int branches(int p, int q) {
        return p == 0 || q == n - 1
                ? 0
                : (Bases.pair(bases[q], bases[p]) * Bases.COUNT + bases[q + 1]) * Bases.COUNT + bases[p - 1];
    }

    /** Returns the part of an internal loop's weight that depends on one of its pairs. */
    double end(int kind, int pair) {
        return ends[kind][pair];
    }
}
