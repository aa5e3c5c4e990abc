package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.LoopEnergies.MIN_HAIRPIN;
import static dev.bellman.fold.rna.LoopEnergies.NONE;

import dev.bellman.fold.Bases;
import java.util.Arrays;

/**
 * The least energies of parts of an RNA, and the way back through them:
 *
 * <pre>{@code
 * pair(i, j)     of i to j if i and j pair
 * multi(i, j)    of i to j within a multiloop, with at least one branch
 * prefix(j)      of the bases before j, in the exterior loop
 * }</pre>
 *
 * <p>Bases count from 0. An entry of at least {@link #INFEASIBLE} means that there is no such part.
 *
 * <p>Without lonely pairs, {@code pair(i, j)} is the least energy where i + 1 and j - 1 pair, too.
 */
final class FoldTable {
    /** Half of {@link LoopEnergies#NONE}: the sums of it and energies that may occur lie on either side. */
    static final int INFEASIBLE = NONE / 2;

    final byte[] bases;
    final LoopEnergies energies;
    final boolean noLonelyPairs;
    final int n;
    /** {@code pair(i, j)} is {@code pair[i][j - i]}. */
    final int[][] pair;

    final int[][] multi;
    final int[] prefix;

    FoldTable(byte[] bases, FoldOptions options) {
        this.bases = bases;
        energies = options.energies();
        noLonelyPairs = options.noLonelyPairs();
        n = bases.length;
        pair = new int[n][];
        multi = new int[n][];
        prefix = new int[n + 1];
    }

    /** The bytes of one for a number of bases, with its structure. */
    static long bytes(long n) {
        return (n * (n + 1) + 300 * n) * Integer.BYTES;
    }

    int pair(int i, int j) {
        return pair[i][j - i];
    }

    int multi(int i, int j) {
        return multi[i][j - i];
    }

    boolean canPair(int i, int j) {
        return j - i > MIN_HAIRPIN && Bases.pair(bases[i], bases[j]) > 0;
    }

    /** Fills {@link #prefix} from the pairs. */
    void fillPrefix() {
        Arrays.fill(prefix, NONE);
        prefix[0] = 0;
        for (int i = 0; i < n; i++) {
            prefix[i + 1] = Math.min(prefix[i + 1], prefix[i]);
            for (int j = i + MIN_HAIRPIN + 1; j < n; j++) {
                int inner = pair(i, j);
                if (inner < INFEASIBLE) {
                    prefix[j + 1] = Math.min(prefix[j + 1], prefix[i] + inner + energies.exterior(bases, i, j));
                }
            }
        }
    }

    /**
     * A structure with the least energy, in dots and brackets. Of several, the one that ViennaRNA takes. From the end
     * of a part, bases are unpaired if they can be; then in the exterior loop the last base pairs with the largest
     * partner that it can. A pair closes a hairpin if it can; otherwise an internal loop with the smallest p, then the
     * largest q; otherwise a multiloop whose first part is as short as can be. A part of a multiloop is one branch if
     * it can be, otherwise its first part is as short as can be.
     */
    byte[] structure() {
        byte[] structure = new byte[n];
        Arrays.fill(structure, (byte) '.');
        Walk walk = new Walk(structure);
        int end = n;
        while (end > MIN_HAIRPIN + 1) {
            if (prefix[end] == prefix[end - 1]) {
                end--;
                continue;
            }
            int i = end - MIN_HAIRPIN - 2;
            while (pair(i, end - 1) >= INFEASIBLE
                    || prefix[i] + pair(i, end - 1) + energies.exterior(bases, i, end - 1) != prefix[end]) {
                i--;
            }
            walk.closed(i, end - 1);
            end = i;
        }
        return structure;
    }

    /** Follows what a pair closes. */
    private final class Walk {
        private final byte[] structure;
        /** Parts of multiloops that are still to be followed: their first and their last base. */
        private final int[] parts = new int[2 * n + 4];

        private int count;

        Walk(byte[] structure) {
            this.structure = structure;
        }

        /** Marks a pair, and all that is in it. */
        void closed(int first, int last) {
            int base = count;
            follow(first, last);
            while (count > base) {
                int j = parts[--count];
                int i = parts[--count];
                part(i, j);
            }
        }

        private void push(int i, int j) {
            parts[count++] = i;
            parts[count++] = j;
        }

        /** A part of a multiloop. */
        private void part(int first, int last) {
            int i = first;
            int j = last;
            while (i < j && multi(i, j) == multi(i, j - 1) + energies.unpaired) {
                j--;
            }
            while (i < j && multi(i, j) == multi(i + 1, j) + energies.unpaired) {
                i++;
            }
            if (pair(i, j) < INFEASIBLE && multi(i, j) == pair(i, j) + energies.branch(bases, i, j)) {
                follow(i, j);
                return;
            }
            split(i, j, multi(i, j));
        }

        private void split(int i, int j, int energy) {
            int k = i + 1;
            while (multi(i, k) >= INFEASIBLE
                    || multi(k + 1, j) >= INFEASIBLE
                    || multi(i, k) + multi(k + 1, j) != energy) {
                k++;
            }
            push(i, k);
            push(k + 1, j);
        }

        /** A pair, and loops within loops until a hairpin or a multiloop. */
        private void follow(int first, int last) {
            int i = first;
            int j = last;
            int energy = pair(i, j);
            while (true) {
                structure[i] = '(';
                structure[j] = ')';
                if (noLonelyPairs && energy == pair(i, j)) {
                    energy -= energies.internal(bases, i, j, i + 1, j - 1);
                    i++;
                    j--;
                    continue;
                }
                if (energy == energies.hairpin(bases, i, j)) {
                    return;
                }
                int next = inner(i, j, energy);
                if (next < 0) {
                    split(i + 1, j - 1, energy - energies.closing(bases, i, j));
                    return;
                }
                i = next / n;
                j = next % n;
                energy = pair(i, j);
            }
        }

        /** The pair in the internal loop of another, as {@code p n + q}; negative if that closes a multiloop. */
        private int inner(int i, int j, int energy) {
            for (int p = i + 1; p <= Math.min(i + MAX_INTERNAL + 1, j - MIN_HAIRPIN - 2); p++) {
                int least = Math.max(p + MIN_HAIRPIN + 1, j - 1 - (MAX_INTERNAL - (p - i - 1)));
                for (int q = j - 1; q >= least; q--) {
                    int inside = pair(p, q);
                    if (inside < INFEASIBLE && inside + energies.internal(bases, i, j, p, q) == energy) {
                        return p * n + q;
                    }
                }
            }
            return -1;
        }
    }
}
