package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.MIN_HAIRPIN;

import dev.bellman.columns.Cancellation;
import dev.bellman.fold.rna.energy.LoopWeights;
import dev.bellman.fold.rna.energy.WideRow;
import dev.bellman.fold.rna.energy.WideRow.Wide;
import java.util.Arrays;

/**
 * Sums the Boltzmann weights of all structures of a circular RNA over the loop that contains the last and the first
 * base, as ViennaRNA's circular partition function does. This loop is a hairpin, an internal loop, or a multiloop with
 * at least three branches; a circle without pairs has a weight, too.
 *
 * <p>As in {@link CircularFold}, the last base is added in front of the sequence, and the first base at the end. A
 * {@link RnaEnsemble} of this longer sequence sums the parts of the structures within pairs. With {@code pair},
 * {@code branch}, {@code several} and {@code unpaired} from its recurrences, the sum is
 *
 * <pre>{@code
 * whole = circle + sum over i, j of hairpin(j, i) pair(i, j)
 *       + sum over i < j < p < q of internal(j, i, p, q) pair(i, j) pair(p, q)
 *       + closing sum over i, k of unpaired^(i - 1) branch(i, k) several(k + 1, n)
 * }</pre>
 *
 * <p>The derivatives of this sum with respect to the weights of pairs, and to the weights {@code several(k + 1, n)},
 * are computed in the same pass.
 */
final class CircularLoop {
    private final int n;
    /** Two concatenated copies of the sequence. */
    private final byte[] twice;

    private final LoopWeights weights;
    private final EnsembleLoops loops;
    private final Constraint constraint;
    private final Cancellation cancellation = new Cancellation();
    /** The energy of the circle without pairs, in hundredths of kcal/mol. */
    private final int circle;

    /** The values {@code several(i, n)}, indexed by i. */
    private final WideRow several;
    /** The derivatives with respect to {@code several(i, n)}, indexed by i. */
    private final WideRow severalGrown;
    /** The derivatives with respect to {@code pair(i, j)}, stored at index {@code j - i} of row i. */
    private final WideRow[] grown;

    private final Wide whole = new Wide();
    private final Wide loop = new Wide();
    private final Wide part = new Wide();

    /**
     * @param padded the sequence with the two added bases
     * @param options the options, with the constraint for the padded sequence
     * @param loops the loops of the padded sequence
     */
    CircularLoop(byte[] padded, FoldOptions options, EnsembleLoops loops) {
        n = padded.length - 2;
        byte[] bases = Arrays.copyOfRange(padded, 1, n + 1);
        twice = CofoldTable.concatenated(bases, bases);
        weights = options.weights();
        constraint = options.constraint();
        circle = options.energies().circle(n);
        this.loops = loops;
        several = new WideRow(n + 2);
        severalGrown = new WideRow(n + 2);
        grown = WideRow.triangle(n + 2);
    }

    /** Returns the sequence with its last base added in front, and its first base added at the end. */
    static byte[] padded(byte... bases) {
        int n = bases.length;
        byte[] padded = new byte[n + 2];
        System.arraycopy(bases, 0, padded, 1, n);
        if (n > 0) {
            padded[0] = bases[n - 1];
            padded[n + 1] = bases[0];
        }
        return padded;
    }

    /** Stores {@code several(i, n)}, given the row {@code several(i, ...)}. */
    void keep(int i, WideRow row) {
        part.set(row.value(n), row.level(n));
        several.set(i, part);
    }

    /**
     * Returns the sum over all structures. May be called only once.
     *
     * @param pair the values {@code pair(i, j)}, stored at index {@code j - i} of row i
     */
    Wide sum(WideRow... pair) {
        for (int i = 1; i <= n; i++) {
            sumHairpins(i, pair[i]);
        }
        for (int i = 1; i <= Math.min(n, MAX_INTERNAL + 1); i++) {
            for (int j = i + MIN_HAIRPIN + 1; j <= n; j++) {
                if (pair[i].value(j - i) > 0) {
                    sumInternal(i, j, pair);
                }
            }
        }
        sumMulti(pair);
        if (constraint.areFree(1, n + 1)) {
            loops.scaled(weights.weight(circle), n + 2, loop);
            whole.add(loop.value, loop.level);
        }
        whole.normalize();
        return whole;
    }

    /** Whether the bases after j and before i may be unpaired. */
    private boolean isFree(int j, int i) {
        return constraint.areFree(j + 1, n + 1) && constraint.areFree(1, i);
    }

    private void sumHairpins(int i, WideRow row) {
        cancellation.count(n - i);
        for (int j = i + MIN_HAIRPIN + 1; j <= n; j++) {
            double inside = row.value(j - i);
            if (inside > 0 && n - j + i - 1 >= MIN_HAIRPIN && isFree(j, i)) {
                loops.scaled(weights.hairpin(twice, j - 1, n + i - 1), n + 1 - j + i, loop);
                grown[i].add(j - i, loop.value, loop.level);
                whole.add(loop.value * inside, loop.level + row.level(j - i));
            }
        }
        whole.normalize();
    }

    private void sumInternal(int i, int j, WideRow... pair) {
        cancellation.count((long) MAX_INTERNAL * MAX_INTERNAL / 2);
        int at = j - i;
        for (int p = j + 1; p <= n && p - j + i - 2 <= MAX_INTERNAL; p++) {
            for (int q = n; q > p + MIN_HAIRPIN && p - j + i - 2 + n - q <= MAX_INTERNAL; q--) {
                double inside = pair[p].value(q - p);
                if (inside > 0 && isFree(q, i) && constraint.areFree(j + 1, p)) {
                    internal(i, j, p, q);
                    grown[i].add(at, loop.value * inside, loop.level + pair[p].level(q - p));
                    part.set(loop.value * pair[i].value(at), loop.level + pair[i].level(at));
                    grown[p].add(q - p, part.value, part.level);
                    whole.add(part.value * inside, part.level + pair[p].level(q - p));
                }
            }
        }
        whole.normalize();
    }

    /**
     * Sets {@code loop} to the weight of the internal loop that contains the first and the last base and connects two
     * pairs.
     */
    private void internal(int i, int j, int p, int q) {
        int l = p - j - 1;
        int r = n - q + i - 1;
        int kind = InternalLoops.kind(l, r);
        if (kind < 0) {
            loops.scaled(weights.small(twice, j - 1, n + i - 1, p - 1, q - 1), l + r + 2, loop);
        } else {
            loop.set(loops.sized(l)[r] * loops.end(kind, loops.branches(i, j)), 0);
            loop.set(loop.value * loops.end(kind, loops.branches(p, q)), loop.level);
        }
    }

    private void sumMulti(WideRow... pair) {
        // the product of the factors before the first branch
        Wide before = new Wide();
        loops.scaled(weights.closing, 2, before);
        for (int i = 1; i <= n && before.value > 0; i++) {
            cancellation.count(n - i);
            for (int k = i + MIN_HAIRPIN + 1; k < n; k++) {
                double inside = pair[i].value(k - i);
                if (inside > 0) {
                    int level = several.level(k + 1);
                    loop.set(before.value * loops.branch(i, k), before.level);
                    grown[i].add(k - i, loop.value * several.value(k + 1), loop.level + level);
                    part.set(loop.value * inside, loop.level + pair[i].level(k - i));
                    severalGrown.add(k + 1, part.value, part.level);
                    whole.add(part.value * several.value(k + 1), part.level + level);
                }
            }
            whole.normalize();
            before.set(constraint.areFree(i, i + 1) ? before.value * loops.unpaired : 0, before.level);
        }
    }

    /** Returns the derivatives with respect to {@code pair(i, j)}, stored at index {@code j - i} of row i. */
    WideRow[] grown() {
        return grown;
    }

    /** Adds the derivative with respect to {@code several(i, n)} to those of the row {@code several(i, ...)}. */
    void grow(int i, WideRow row) {
        row.add(n, severalGrown.value(i), severalGrown.level(i));
    }
}
