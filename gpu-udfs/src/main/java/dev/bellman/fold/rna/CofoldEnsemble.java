package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.MIN_HAIRPIN;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopWeights;
import dev.bellman.fold.rna.energy.WideRow;
import dev.bellman.fold.rna.energy.WideRow.Wide;
import java.util.Arrays;

/**
 * Sums the Boltzmann weights of all structures of two strands, as ViennaRNA's RNAcofold does (Bernhart et al.,
 * "Partition function and base pairing probabilities of RNA heterodimers", 2006). The structures and their loops are
 * those of {@link RnaCofold}. A {@link RnaEnsemble} for each strand sums the structures within this strand; the
 * following sums are over parts that connect both strands. Each part consists of the bases of a from i on and the bases
 * of b up to j:
 *
 * <pre>{@code
 * pair(i, j)    = suffix(i + 1) open(i, j) prefix(j) + sum over p, q of internal(i, j, p, q) pair(p, q)
 *                 + closing(i, j) several(i + 1, j - 1)
 * one(i, j)     = unpaired one(i + 1, j) + sum over q of branch(i, q) unpaired^(j - q)
 * several(i, j) = unpaired several(i + 1, j) + sum over k of branchOfA(i, k) multi(k + 1, j)
 *                 + sum over q of branch(i, q) multiOfB(q + 1, j)
 * multi(i, j)   = one(i, j) + several(i, j)
 * }</pre>
 *
 * <p>In {@code pair(i, j)}, the first term is for the loop that contains the end of a and the start of b:
 * {@code suffix} and {@code prefix} are the sums for the bases of a after i and for the bases of b before j, and
 * {@code open} is the weight of the pair as a branch of this loop. {@code branch}, {@code branchOfA} and
 * {@code multiOfB} are as in {@link RnaEnsemble}: for parts that connect both strands, parts of a and parts of b. At
 * most one branch of the exterior loop connects the strands, so the sum over all structures that connect them is a sum
 * over this branch.
 */
final class CofoldEnsemble {
    /**
     * One more than the maximum number of unpaired bases on each side of an internal loop whose weight is in a table.
     */
    private static final int MAX_SMALL = 3;

    private final byte[] a;
    private final byte[] b;
    private final int n;
    private final int m;
    private final LoopWeights weights;
    private final RnaEnsemble inA;
    private final RnaEnsemble inB;
    /** The loops of pairs that connect the strands; base j of b has the index {@code n + j}. */
    private final EnsembleLoops loops;
    /** Both strands concatenated: first b, then a. */
    private final byte[] turned;

    private final InternalSums internal;
    private final WideRow[] pair;
    private final WideRow[] multi;
    private final WideRow one;
    private final WideRow several;
    private final Cancellation cancellation = new Cancellation();

    /** The number of rotations that map the concatenated strands to themselves. */
    private final int rotations;

    /** The sum over all structures that connect the strands, without the second strand's energy. */
    private final Wide connected = new Wide();

    private final Wide sum = new Wide();
    private final Wide small = new Wide();
    private final Wide ends = new Wide();

    private CofoldEnsemble(byte[] a, byte[] b, FoldOptions options, double perBase) {
        this.a = a;
        this.b = b;
        n = a.length;
        m = b.length;
        weights = options.weights();
        inA = RnaEnsemble.of(a, options, perBase);
        inB = RnaEnsemble.of(b, options, perBase);
        byte[] both = CofoldTable.concatenated(a, b);
        turned = CofoldTable.concatenated(b, a);
        rotations = rotations(both);
        loops = new EnsembleLoops(both, weights, perBase);
        internal = InternalSums.between(loops, n, m);
        pair = new WideRow[n];
        multi = new WideRow[n];
        one = new WideRow(m);
        several = new WideRow(m);
    }

    /**
     * Sums the weights of all structures of two strands.
     *
     * @param least the minimum energy of any structure, in hundredths of kcal/mol
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the tables do not fit in the heap, or sums could
     * exceed the range of DOUBLE
     */
    static CofoldEnsemble of(String function, byte[] a, byte[] b, FoldOptions options, int least) {
        long cells = (long) a.length * b.length;
        TaskMemory.take(
                function,
                RnaEnsemble.bytes(a.length) + RnaEnsemble.bytes(b.length) + cells * (Double.BYTES + Short.BYTES),
                "",
                () -> "folding %,d and %,d bases".formatted(a.length, b.length));
        RnaEnsemble.checkWeights(function, options);
        double perBase = RnaEnsemble.perBase(options, least, a.length + b.length);
        CofoldEnsemble ensemble = new CofoldEnsemble(a, b, options, perBase);
        ensemble.fill();
        return ensemble;
    }

    private static int rotations(byte... bases) {
        int length = bases.length;
        for (int period = 1; period <= length / 2; period++) {
            if (length % period == 0 && Arrays.equals(bases, period, length, bases, 0, length - period)) {
                return length / period;
            }
        }
        return 1;
    }

    private void fill() {
        for (int i = n - 1; i >= 0; i--) {
            cancellation.count((long) m * MAX_INTERNAL);
            WideRow row = new WideRow(m);
            pair[i] = row;
            internal.sum(i);
            if (a[i] != Bases.N) {
                for (int j = 0; j < m; j++) {
                    if (Bases.pair(a[i], b[j]) > 0) {
                        sumPair(i, j);
                        row.set(j, sum);
                        connect(i, j);
                    }
                }
            }
            keep(i, row);
            fillMulti(i, row);
            if (i + MAX_SMALL < n) {
                pair[i + MAX_SMALL] = null;
            }
        }
    }

    private void sumPair(int i, int j) {
        double open = weights.exterior(turned, j, m + i) * loops.factor() * loops.factor();
        sum.set(inA.suffix.value(i + 1) * inB.prefix.value(j) * open, inA.suffix.level(i + 1) + inB.prefix.level(j));
        if (i + 1 == n || j == 0) {
            return;
        }
        internal.addTo(sum, j, loops.closes(i, n + j));
        small.set(0, 0);
        for (int l = 0; l < MAX_SMALL && i + 1 + l < n; l++) {
            for (int r = 0; r < MAX_SMALL && j - 1 - r >= 0; r++) {
                int p = i + 1 + l;
                int q = j - 1 - r;
                if (InternalLoops.kind(l, r) < 0 && pair[p].value(q) > 0) {
                    small.addProduct(pair[p].value(q), loops.small(i, n + j, p, n + q), pair[p].level(q));
                }
            }
        }
        sum.add(small.value, small.level);
        sum.addProduct(several.value(j - 1), loops.closing(i, n + j), several.level(j - 1));
        sum.normalize();
    }

    /** Adds the structures in which a pair is the branch of the exterior loop that connects the strands. */
    private void connect(int i, int j) {
        ends.set(inA.prefix.value(i) * sum.value, inA.prefix.level(i) + sum.level);
        connected.add(
                ends.value * inB.suffix.value(j + 1) * loops.exterior(i, n + j), ends.level + inB.suffix.level(j + 1));
        connected.normalize();
    }

    private void keep(int i, WideRow row) {
        internal.clear(i);
        for (int j = 0; j < m; j++) {
            if (row.value(j) > 0) {
                internal.keep(i, j, row.value(j), row.level(j), loops.branches(i, n + j));
            }
        }
        internal.finish(i);
    }

    private void fillMulti(int i, WideRow row) {
        several.scale(0, m, loops.unpaired);
        one.scale(0, m, loops.unpaired);
        for (int k = i + MIN_HAIRPIN + 1; k < n - 1; k++) {
            double branch = inA.branch(i, k);
            if (branch > 0) {
                cancellation.count(m);
                sum.set(inA.pair[i].value(k - i) * branch, inA.pair[i].level(k - i));
                several.add(0, multi[k + 1], 0, m, sum.value, sum.level);
            }
        }
        ends.set(0, 0);
        for (int j = 0; j < m; j++) {
            ends.set(ends.value * loops.unpaired, ends.level);
            if (row.value(j) > 0 && i > 0 && j < m - 1) {
                cancellation.count(m - j);
                sum.set(row.value(j) * loops.branch(i, n + j), row.level(j));
                ends.add(sum.value, sum.level);
                several.add(j + 1, inB.multi[j + 1], 0, m - j - 1, sum.value, sum.level);
            }
            one.add(j, ends.value, ends.level);
        }
        multi[i] = WideRow.sum(one, several, 0, m);
    }

    /** Returns the free energy of the structures of a without b, in hundredths of kcal/mol. */
    double energyOfA() {
        return inA.energy();
    }

    double energyOfB() {
        return inB.energy();
    }

    /** Whether any structure connects the strands. */
    boolean isConnected() {
        return connected.value > 0;
    }

    /** Returns the free energy of all structures that connect the strands. */
    double energyOfDimer() {
        return withoutStrand() + weights.strand + weights.energy(-StrictMath.log(rotations));
    }

    /** Returns the free energy of all structures. */
    double energy() {
        double apart = energyOfA() + energyOfB();
        return isConnected() ? sum(apart, energyOfDimer()) : apart;
    }

    /** Returns the free energy of all structures, ignoring symmetry and the energy that the second strand adds. */
    double uncorrected() {
        double apart = energyOfA() + energyOfB();
        return isConnected() ? sum(apart, withoutStrand()) : apart;
    }

    private double withoutStrand() {
        return loops.energy(connected.value, connected.level);
    }

    /** Returns the energy whose weight is the sum of the weights of two energies. */
    private double sum(double one, double other) {
        double rest = weights.weight(Math.abs(one - other));
        return Math.min(one, other) + weights.energy(StrictMath.log1p(rest));
    }
}
