package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.MIN_HAIRPIN;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.WideRow;
import dev.bellman.fold.rna.energy.WideRow.Wide;
import java.util.Arrays;

/**
 * Sums the Boltzmann weights of all structures of an RNA, after McCaskill, "The equilibrium partition function and base
 * pair binding probabilities for RNA secondary structure" (1990). With the weights of {@link EnsembleLoops}, the
 * following recurrences count each structure once:
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
 * <p>Rows are computed from the last to the first, in program loops like those of {@link InternalLoops}. The
 * probability of a pair is its weight times the derivative, with respect to that weight, of the sum over all
 * structures. The derivatives follow from the same equations in reverse: rows are processed from the first to the last,
 * and each row propagates its derivatives to later rows.
 *
 * <p>The order of all additions is fixed, so results are bit-for-bit reproducible.
 *
 * <p>Each base has a factor that keeps weights close to 1. Weights that are still far from 1 are stored with levels
 * ({@link WideRow}), so that the weights of sequences of any length and shape stay within range.
 */
final class RnaEnsemble {
    /**
     * The part of the minimum free energy that the bases' factors offset. It is below the ratio of the ensemble free
     * energy to the minimum free energy, so that the weights of segments without stable structures are also close to 1.
     */
    private static final double TYPICAL = 0.75;

    /** The maximum energy that a base's factor offsets, in units of 10 kT, so that 32 bases' factors have level 0. */
    private static final double MAX_PER_BASE = 0.5545;

    private final byte[] bases;
    private final int n;
    private final EnsembleLoops loops;
    private final Constraint constraint;
    private final Cancellation cancellation = new Cancellation();

    /** The values {@code pair(i, j)}, stored at index {@code j - i} of row i. */
    final WideRow[] pair;

    /** The values {@code multi(i, j)}, indexed like {@code pair}. */
    final WideRow[] multi;

    private final InternalSums inside;
    private final WideRow one;
    private final WideRow several;
    /** The sums over all structures of the bases before j, indexed by j; 0 if the RNA is circular. */
    final WideRow prefix;
    /** The sums over all structures of the bases from i on, indexed by i; 0 if the RNA is circular. */
    final WideRow suffix;

    /** The loop that contains the last and the first base of a circular RNA; null if the RNA is linear. */
    private final CircularLoop circle;
    /** The sum over all structures. */
    private Wide whole = new Wide();

    private final Wide sum = new Wide();
    private final Wide ends = new Wide();
    private final Wide small = new Wide();
    private final Wide rest = new Wide();

    private RnaEnsemble(byte[] bases, EnsembleLoops loops, Constraint constraint, CircularLoop circle) {
        this.bases = bases;
        this.loops = loops;
        this.constraint = constraint;
        this.circle = circle;
        n = bases.length;
        pair = new WideRow[n];
        multi = new WideRow[n];
        inside = InternalSums.inside(loops, constraint, n);
        one = new WideRow(n);
        several = new WideRow(n);
        prefix = new WideRow(n + 1);
        suffix = new WideRow(n + 1);
    }

    /**
     * Sums the weights of all structures of an RNA.
     *
     * @param least the minimum energy of any structure, in hundredths of kcal/mol
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the tables do not fit in the heap, or sums could
     * exceed the range of DOUBLE
     */
    static RnaEnsemble of(String function, byte[] bases, FoldOptions options, int least) {
        int n = bases.length;
        TaskMemory.take(function, 2 * bytes(n), "", () -> "folding %,d bases".formatted(n));
        checkWeights(function, options);
        double perBase = perBase(options, least, n);
        return options.isCircular()
                ? of(
                        CircularLoop.padded(bases),
                        options.with(options.constraint().padded(function, n)),
                        perBase)
                : of(bases, options, perBase);
    }

    /** @param perBase the energy that each base contributes to a typical structure, in hundredths of kcal/mol */
    static RnaEnsemble of(byte[] bases, FoldOptions options, double perBase) {
        EnsembleLoops loops = new EnsembleLoops(bases, options.weights(), perBase);
        CircularLoop circle = options.isCircular() ? new CircularLoop(bases, options, loops) : null;
        RnaEnsemble ensemble = new RnaEnsemble(bases, loops, options.constraint(), circle);
        ensemble.fill();
        if (circle == null) {
            ensemble.fillExterior();
        } else {
            ensemble.whole = circle.sum(ensemble.pair);
        }
        return ensemble;
    }

    /** Returns the number of bytes that the sums take; their derivatives take the same number. */
    static long bytes(long n) {
        return (n * (n + 1) + 200 * n) * (Double.BYTES + Short.BYTES);
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if sums could exceed the range of DOUBLE */
    static void checkWeights(String function, FoldOptions options) {
        if (!options.weights().areInRange()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("%s: with these parameters, a part of a loop has a Boltzmann weight above 2^500; use energies of "
                                    + "smaller magnitude")
                            .formatted(function));
        }
    }

    /**
     * Returns the energy that each base contributes to a typical structure, within a limit.
     *
     * @param least the minimum energy of any structure
     */
    static double perBase(FoldOptions options, int least, int bases) {
        double most = MAX_PER_BASE * options.weights().kT();
        return bases == 0 ? 0 : Math.max(TYPICAL * least / bases, -most);
    }

    /** Returns the free energy of the ensemble, in hundredths of kcal/mol. */
    double energy() {
        return loops.energy(whole.value, whole.level);
    }

    /** Returns the probability of a structure with the given energy. */
    double probability(int energy) {
        return loops.weight(energy - energy());
    }

    private boolean canPair(int i, int j) {
        return Bases.pair(bases[i], bases[j]) > 0 && constraint.allows(i, j);
    }

    /** Whether two pairs may form an internal loop whose weight is in a table. */
    private boolean isSmall(int i, int j, int p, int q) {
        return InternalLoops.kind(p - i - 1, j - q - 1) < 0
                && q - p > MIN_HAIRPIN
                && canPair(p, q)
                && constraint.areFree(i + 1, p)
                && constraint.areFree(q + 1, j);
    }

    /** Returns the given weight of an unpaired base; 0 if the base must pair. */
    private double ifFree(int base, double weight) {
        return constraint.areFree(base, base + 1) ? weight : 0;
    }

    private void fill() {
        for (int i = n - 1; i >= 0; i--) {
            cancellation.count((long) (n - i) * MAX_INTERNAL);
            WideRow row = new WideRow(n - i);
            pair[i] = row;
            inside.sum(i);
            if (bases[i] != Bases.N) {
                for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
                    if (canPair(i, j)) {
                        sumPair(i, j);
                        row.set(j - i, sum);
                    }
                }
            }
            keep(i, row);
            fillMulti(i, row);
            if (circle != null) {
                circle.keep(i, several);
            }
        }
    }

    private void sumPair(int i, int j) {
        loops.hairpin(i, j, sum);
        if (!constraint.areFree(i + 1, j)) {
            sum.set(0, 0);
        }
        inside.addTo(sum, j, loops.closes(i, j));
        small.set(0, 0);
        for (int l = 0; l <= 2; l++) {
            for (int r = 0; r <= 2; r++) {
                int p = i + 1 + l;
                int q = j - 1 - r;
                if (isSmall(i, j, p, q)) {
                    small.addProduct(pair[p].value(q - p), loops.small(i, j, p, q), pair[p].level(q - p));
                }
            }
        }
        sum.add(small.value, small.level);
        sum.addProduct(several.value(j - 1), loops.closing(i, j), several.level(j - 1));
        sum.normalize();
    }

    private void keep(int i, WideRow row) {
        inside.clear(i);
        for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
            if (row.value(j - i) > 0) {
                inside.keep(i, j, row.value(j - i), row.level(j - i), loops.branches(i, j));
            }
        }
        inside.finish(i);
    }

    /**
     * Returns the weight of a pair as a branch of a multiloop, without the loops inside the pair; 0 if the pair cannot
     * be a branch.
     */
    double branch(int i, int j) {
        return pair[i].value(j - i) > 0 && i > 0 && j < n - 1 ? loops.branch(i, j) : 0;
    }

    private void fillMulti(int i, WideRow row) {
        double unpaired = ifFree(i, loops.unpaired);
        several.scale(i, n, unpaired);
        one.scale(i, n, unpaired);
        ends.set(0, 0);
        for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
            double branch = branch(i, j);
            ends.set(ends.value * ifFree(j, loops.unpaired), ends.level);
            if (branch > 0) {
                cancellation.count(n - j);
                sum.set(row.value(j - i) * branch, row.level(j - i));
                ends.add(sum.value, sum.level);
                several.add(j + 1, multi[j + 1], 0, n - j - 1, sum.value, sum.level);
            }
            one.add(j, ends.value, ends.level);
        }
        multi[i] = WideRow.sum(one, several, i, n - i);
    }

    private void fillExterior() {
        double factor = loops.factor();
        sum.set(1, 0);
        prefix.set(0, sum);
        suffix.set(n, sum);
        for (int i = 0; i < n; i++) {
            prefix.normalize(i, i + 1);
            prefix.add(i + 1, prefix.value(i) * ifFree(i, factor), prefix.level(i));
            for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
                double inside = pair[i].value(j - i);
                if (inside > 0) {
                    prefix.add(
                            j + 1,
                            prefix.value(i) * inside * loops.exterior(i, j),
                            prefix.level(i) + pair[i].level(j - i));
                }
            }
        }
        prefix.normalize(n, n + 1);
        whole.set(prefix.value(n), prefix.level(n));
        for (int j = n - 1; j >= 0; j--) {
            suffix.normalize(j + 1, j + 2);
            suffix.add(j, suffix.value(j + 1) * ifFree(j, factor), suffix.level(j + 1));
            for (int i = 0; i < j - MIN_HAIRPIN; i++) {
                double inside = pair[i].value(j - i);
                if (inside > 0) {
                    suffix.add(
                            i,
                            suffix.value(j + 1) * inside * loops.exterior(i, j),
                            suffix.level(j + 1) + pair[i].level(j - i));
                }
            }
        }
        suffix.normalize(0, 1);
    }

    /**
     * Returns the probability of each pair; the probability that i and j pair is at {@code [i][j - i]}. May be called
     * only once. The rows for the bases that were added to a circular RNA are omitted.
     */
    double[][] probabilities() {
        WideRow[] grown = circle == null ? WideRow.triangle(n) : circle.grown();
        WideRow[] multiGrown = WideRow.triangle(n);
        InternalSums outside = InternalSums.outside(loops, constraint, n);
        one.clear();
        several.clear();
        for (int i = 0; i < n; i++) {
            cancellation.count((long) (n - i) * MAX_INTERNAL);
            growMulti(i, grown[i], multiGrown);
            multiGrown[i] = null;
            growPairs(i, grown, outside);
        }
        double[][] probabilities = new double[n][];
        for (int i = 0; i < n; i++) {
            WideRow row = grown[i];
            for (int column = 0; column < row.length(); column++) {
                sum.set(
                        row.value(column) * (pair[i].value(column) / whole.value),
                        row.level(column) + pair[i].level(column) - whole.level);
                row.set(column, sum);
            }
            probabilities[i] = row.plain();
        }
        return circle == null ? probabilities : Arrays.copyOfRange(probabilities, 1, n - 1);
    }

    /**
     * Propagates the derivatives of a row of {@code multi} to the values from which the row was computed. On entry, the
     * derivatives of {@code one} and {@code several} are those of row i; on return, those of row i + 1.
     */
    private void growMulti(int i, WideRow grown, WideRow[] multiGrown) {
        multiGrown[i].normalize(0, n - i);
        one.add(i, multiGrown[i], 0, n - i, 1, 0);
        several.add(i, multiGrown[i], 0, n - i, 1, 0);
        if (circle != null) {
            circle.grow(i, several);
        }
        several.normalize(i, n);
        ends.set(0, 0);
        for (int j = n - 1; j > i + MIN_HAIRPIN; j--) {
            ends.set(j == n - 1 ? 0 : ends.value * ifFree(j + 1, loops.unpaired), ends.level);
            ends.add(one.value(j), one.level(j));
            double branch = branch(i, j);
            if (branch > 0) {
                cancellation.count(n - j);
                sum.set(ends.value, ends.level);
                WideRow.addProducts(sum, several, j + 1, multi[j + 1]);
                grown.addProduct(j - i, sum.value, branch, sum.level);
                sum.set(pair[i].value(j - i) * branch, pair[i].level(j - i));
                multiGrown[j + 1].add(0, several, j + 1, n - j - 1, sum.value, sum.level);
            }
        }
        double unpaired = ifFree(i, loops.unpaired);
        one.scale(i, n, unpaired);
        several.scale(i, n, unpaired);
    }

    /** Completes and propagates the derivatives of a row of {@code pair}. */
    private void growPairs(int i, WideRow[] grown, InternalSums outside) {
        WideRow row = grown[i];
        int fromEnd = n - 1 - i;
        outside.sum(fromEnd);
        outside.clear(fromEnd);
        for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
            if (pair[i].value(j - i) > 0) {
                rest.value = prefix.value(i) * suffix.value(j + 1) * loops.exterior(i, j);
                rest.level = prefix.level(i) + suffix.level(j + 1);
                outside.addTo(rest, n - 1 - j, loops.branches(i, j));
                sum.set(row.value(j - i), row.level(j - i));
                sum.add(rest.value, rest.level);
                sum.normalize();
                row.set(j - i, sum);
                outside.keep(fromEnd, n - 1 - j, sum.value, sum.level, loops.closes(i, j));
                several.addProduct(j - 1, sum.value, loops.closing(i, j), sum.level);
                growSmall(i, j, grown);
            }
        }
        outside.finish(fromEnd);
    }

    private void growSmall(int i, int j, WideRow[] grown) {
        for (int l = 0; l <= 2; l++) {
            for (int r = 0; r <= 2; r++) {
                int p = i + 1 + l;
                int q = j - 1 - r;
                if (isSmall(i, j, p, q)) {
                    grown[p].addProduct(q - p, sum.value, loops.small(i, j, p, q), sum.level);
                }
            }
        }
    }
}
