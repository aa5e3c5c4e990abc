package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.MIN_HAIRPIN;
import static dev.bellman.fold.rna.energy.LoopEnergies.NONE;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.Arrays;

/**
 * Stores the minimum energies of subsequences of an RNA, and traces structures back through these energies:
 *
 * <pre>{@code
 * pair(i, j)     the bases i to j, if i and j pair
 * multi(i, j)    the bases i to j within a multiloop, with at least one branch
 * prefix(j)      the bases of a window before j, in the exterior loop
 * }</pre>
 *
 * <p>Bases are counted from 0. An entry of at least {@link #INFEASIBLE} means that the bases cannot form such a
 * structure.
 *
 * <p>If lonely pairs are not allowed, {@code pair(i, j)} is the minimum energy of the structures in which i + 1 and j -
 * 1 also pair.
 *
 * <p>Windows begin at every {@code step}-th base. The structure inside a pair does not depend on any base outside it,
 * so all windows share {@code pair} and {@code multi}; each window has its own exterior loop. Row i has a column for
 * each base from i on that shares a window with i. A sequence that is folded as a whole is a single window.
 */
final class FoldTable {
    /**
     * Half of {@link LoopEnergies#NONE}. Energies of possible structures are below this value, and their sums with
     * {@code NONE} are above it.
     */
    static final int INFEASIBLE = NONE / 2;

    final byte[] bases;
    final LoopEnergies energies;
    final boolean noLonelyPairs;
    final int n;
    final int window;
    final int step;
    /** The values {@code pair(i, j)}, stored at {@code pair[i][j - i]}. */
    final int[][] pair;

    final int[][] multi;
    private final Constraint constraint;

    FoldTable(byte[] bases, FoldOptions options, int window, int step) {
        this.bases = bases;
        this.window = window;
        this.step = step;
        energies = options.energies();
        noLonelyPairs = options.noLonelyPairs();
        constraint = options.constraint();
        n = bases.length;
        pair = new int[n][];
        multi = new int[n][];
    }

    /** Creates the table for a whole sequence. */
    FoldTable(byte[] bases, FoldOptions options) {
        this(bases, options, bases.length, Math.max(1, bases.length));
    }

    /** Returns the number of bytes that the table and the structure take for a sequence of the given length. */
    static long bytes(long n) {
        return (n * (n + 1) + 300 * n) * Integer.BYTES;
    }

    /** Returns one past the last base that shares a window with i. */
    int end(int i) {
        return (int) Math.min(n, Math.max(i + 1, (long) i / step * step + window));
    }

    int pair(int i, int j) {
        return pair[i][j - i];
    }

    int multi(int i, int j) {
        return multi[i][j - i];
    }

    boolean canPair(int i, int j) {
        return j - i > MIN_HAIRPIN && Bases.pair(bases[i], bases[j]) > 0 && constraint.allows(i, j);
    }

    /**
     * Returns 0 if all bases from {@code begin} (inclusive) to {@code end} (exclusive) may be unpaired, otherwise an
     * infeasible energy.
     */
    int free(int begin, int end) {
        return constraint.areFree(begin, end) ? 0 : NONE;
    }

    /**
     * Returns, for each base of a window, the minimum energy of the window's bases before it. The last entry is the
     * minimum energy of the whole window.
     */
    int[] prefix(int begin) {
        int end = end(begin);
        int[] prefix = new int[end - begin + 1];
        Arrays.fill(prefix, NONE);
        prefix[0] = 0;
        for (int i = begin; i < end; i++) {
            int before = prefix[i - begin];
            prefix[i - begin + 1] = Math.min(prefix[i - begin + 1], before + free(i, i + 1));
            if (before >= INFEASIBLE) {
                continue;
            }
            for (int j = i + MIN_HAIRPIN + 1; j < end; j++) {
                int inner = pair(i, j);
                if (inner < INFEASIBLE) {
                    int energy = before + inner + energies.exterior(bases, begin, end, i, j);
                    prefix[j - begin + 1] = Math.min(prefix[j - begin + 1], energy);
                }
            }
        }
        return prefix;
    }

    /**
     * Returns a structure with the minimum energy, in dot-bracket notation. If there are several such structures,
     * returns the same one as ViennaRNA: starting from the end of each subsequence, bases are unpaired if possible. In
     * the exterior loop, the last base then pairs with the largest possible partner. A pair closes a hairpin if
     * possible. Otherwise, it closes the internal loop whose inner pair (p, q) has the smallest p and then the largest
     * q. If that is not possible either, it closes the multiloop whose first part is as short as possible. A part of a
     * multiloop is a single branch if possible; otherwise, it is split so that its first part is as short as possible.
     *
     * @param prefix the minimum energies of the window's prefixes; the window must have a structure
     */
    byte[] structure(int begin, int... prefix) {
        byte[] structure = new byte[prefix.length - 1];
        Arrays.fill(structure, (byte) '.');
        exterior(new Walk(structure, begin), begin, begin + structure.length, prefix);
        return structure;
    }

    /**
     * Traces the exterior loop of a window's bases before {@code last} (exclusive), and everything inside it.
     *
     * @param prefix the minimum energies of the window's prefixes
     */
    void exterior(Walk walk, int begin, int last, int... prefix) {
        int behind = begin + prefix.length - 1;
        int end = last;
        while (end > begin + MIN_HAIRPIN + 1) {
            int energy = prefix[end - begin];
            if (energy == prefix[end - begin - 1] + free(end - 1, end)) {
                end--;
                continue;
            }
            int i = end - MIN_HAIRPIN - 2;
            while (pair(i, end - 1) >= INFEASIBLE
                    || prefix[i - begin] + pair(i, end - 1) + energies.exterior(bases, begin, behind, i, end - 1)
                            != energy) {
                i--;
            }
            walk.closed(i, end - 1);
            end = i;
        }
    }

    /** Traces loops back through the table. */
    final class Walk {
        private final byte[] structure;
        private final int begin;
        /** The first and last bases of multiloop parts that are still to be traced. */
        private final int[] parts;

        private int count;

        /**
         * @param structure receives the brackets
         * @param begin the base that the first letter of the structure represents
         */
        Walk(byte[] structure, int begin) {
            this.structure = structure;
            this.begin = begin;
            parts = new int[2 * structure.length + 4];
        }

        /** Traces a pair and everything inside it. */
        void closed(int first, int last) {
            follow(first, last);
            finish();
        }

        /** Traces a part of a multiloop and everything inside it. */
        void branches(int first, int last) {
            part(first, last);
            finish();
        }

        private void finish() {
            while (count > 0) {
                int j = parts[--count];
                int i = parts[--count];
                part(i, j);
            }
        }

        private void push(int i, int j) {
            parts[count++] = i;
            parts[count++] = j;
        }

        /** Traces a part of a multiloop. */
        private void part(int first, int last) {
            int i = first;
            int j = last;
            while (i < j && multi(i, j) == multi(i, j - 1) + energies.unpaired + free(j, j + 1)) {
                j--;
            }
            while (i < j && multi(i, j) == multi(i + 1, j) + energies.unpaired + free(i, i + 1)) {
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

        /** Traces a pair and the loops nested in it, up to a hairpin or a multiloop. */
        private void follow(int first, int last) {
            int i = first;
            int j = last;
            int energy = pair(i, j);
            while (true) {
                structure[i - begin] = '(';
                structure[j - begin] = ')';
                if (noLonelyPairs && energy == pair(i, j)) {
                    energy -= energies.internal(bases, i, j, i + 1, j - 1);
                    i++;
                    j--;
                    continue;
                }
                if (energy == energies.hairpin(bases, i, j) + free(i + 1, j)) {
                    return;
                }
                int sizes = inner(i, j, energy);
                if (sizes < 0) {
                    split(i + 1, j - 1, energy - energies.closing(bases, i, j));
                    return;
                }
                i += 1 + sizes / (MAX_INTERNAL + 1);
                j -= 1 + sizes % (MAX_INTERNAL + 1);
                energy = pair(i, j);
            }
        }

        /**
         * Returns the numbers of unpaired bases in the internal loop that a pair closes, as {@code l (MAX_INTERNAL + 1)
         * + r}; a negative number if the pair closes a multiloop.
         */
        private int inner(int i, int j, int energy) {
            for (int l = 0; l <= MAX_INTERNAL; l++) {
                int p = i + 1 + l;
                for (int r = 0; r <= MAX_INTERNAL - l && j - 1 - r > p + MIN_HAIRPIN; r++) {
                    int q = j - 1 - r;
                    int inside = pair(p, q);
                    if (inside < INFEASIBLE
                            && inside + energies.internal(bases, i, j, p, q) + free(i + 1, p) + free(q + 1, j)
                                    == energy) {
                        return l * (MAX_INTERNAL + 1) + r;
                    }
                }
            }
            return -1;
        }
    }
}
