package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.energy.DanglingBases.afterOpening;
import static dev.bellman.fold.rna.energy.DanglingBases.beforeClosing;
import static dev.bellman.fold.rna.energy.DanglingBases.first;
import static dev.bellman.fold.rna.energy.DanglingBases.last;
import static dev.bellman.fold.rna.energy.LoopEnergies.DANGLING_SETS;
import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.MIN_HAIRPIN;
import static dev.bellman.fold.rna.energy.LoopEnergies.NONE;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.CoaxialStacks;
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
final class FoldTable implements CoaxialStacks.Parts {
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
    final CoaxialStacks stacks;
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
        stacks = new CoaxialStacks(energies, bases, this);
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

    @Override
    public int pair(int i, int j) {
        return pair[i][j - i];
    }

    @Override
    public int multi(int i, int j) {
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
     * Returns the minimum energy of the bases i to j in a multiloop if they are a single branch. If each base dangles
     * on at most one branch, these bases include the bases that dangle on the branch. If helices may stack, they may
     * also be two branches that stack.
     */
    int branch(int i, int j) {
        if (!energies.areDanglesExclusive()) {
            return pair(i, j) < INFEASIBLE ? pair(i, j) + energies.branch(bases, i, j) : NONE;
        }
        int best = stacks.branches(i, j);
        for (int dangling = 0; dangling < DANGLING_SETS; dangling++) {
            best = Math.min(best, branch(i, j, dangling));
        }
        return best;
    }

    private int branch(int i, int j, int dangling) {
        int inner = dangled(i, j, dangling);
        return inner >= INFEASIBLE
                ? NONE
                : inner
                        + energies.branch(bases, first(i, dangling), last(j, dangling), dangling)
                        + energies.unpaired * Integer.bitCount(dangling);
    }

    /** Returns the energy of closing a multiloop, including the bases that dangle on the closing pair. */
    int closing(int i, int j, int dangling) {
        return energies.closing(bases, i, j, dangling)
                + energies.unpaired * Integer.bitCount(dangling)
                + free(i + 1, afterOpening(i, dangling))
                + free(beforeClosing(j, dangling) + 1, j);
    }

    /** Returns the minimum energy of a branch's pair and its inside if i to j are the branch and its dangling bases. */
    private int dangled(int i, int j, int dangling) {
        int p = first(i, dangling);
        int q = last(j, dangling);
        return q - p <= MIN_HAIRPIN || free(i, p) + free(q + 1, j + 1) > 0 ? NONE : pair(p, q);
    }

    /** Returns the minimum energy of a branch from i to j in a window's exterior loop, without stacked helices. */
    private int exterior(int begin, int end, int i, int j) {
        if (!energies.areDanglesExclusive()) {
            return pair(i, j) < INFEASIBLE ? pair(i, j) + energies.exterior(bases, begin, end, i, j) : NONE;
        }
        int best = NONE;
        for (int dangling = 0; dangling < DANGLING_SETS; dangling++) {
            best = Math.min(best, exterior(i, j, dangling));
        }
        return best;
    }

    private int exterior(int i, int j, int dangling) {
        int inner = dangled(i, j, dangling);
        return inner >= INFEASIBLE
                ? NONE
                : inner + energies.exterior(bases, first(i, dangling), last(j, dangling), dangling);
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
                int branch = exterior(begin, end, i, j);
                if (branch < INFEASIBLE) {
                    prefix[j - begin + 1] = Math.min(prefix[j - begin + 1], before + branch);
                }
            }
        }
        return prefix;
    }

    /**
     * Returns a structure with the minimum energy, in dot-bracket notation. If there are several such structures,
     * returns the same one as ViennaRNA, except with {@code dangles 1} and {@code dangles 3}: starting from the end of
     * each subsequence, bases are unpaired if possible. In the exterior loop, the last base then pairs with the largest
     * possible partner. A pair closes a hairpin if possible. Otherwise, it closes the internal loop whose inner pair
     * (p, q) has the smallest p and then the largest q. If that is not possible either, it closes the multiloop whose
     * first part is as short as possible. A part of a multiloop is a single branch if possible; otherwise, it is split
     * so that its first part is as short as possible.
     *
     * <p>If each base dangles on at most one branch, a branch includes its dangling bases, and the rules apply to the
     * other bases. The last branch of the exterior loop is as short as possible. If several sets of bases may dangle on
     * a branch or on the closing pair of a multiloop, the smallest set as a number is chosen.
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
            int branch = exterior(begin, behind, i, end - 1);
            while (branch >= INFEASIBLE || prefix[i - begin] + branch != energy) {
                i--;
                branch = exterior(begin, behind, i, end - 1);
            }
            int dangling = 0;
            while (energies.areDanglesExclusive() && exterior(i, end - 1, dangling) != branch) {
                dangling++;
            }
            walk.closed(first(i, dangling), last(end - 1, dangling));
            end = i;
        }
    }

    /** Traces loops back through the table. */
    final class Walk {
        private final byte[] structure;
        private final int begin;
        /** The first and last bases of multiloop parts that are still to be traced; {@code ~i, j} for a pair. */
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
                if (i < 0) {
                    follow(~i, j);
                } else {
                    part(i, j);
                }
            }
        }

        private void push(int i, int j) {
            parts[count++] = i;
            parts[count++] = j;
        }

        private void part(int first, int last) {
            int i = first;
            int j = last;
            while (i < j && multi(i, j) == multi(i, j - 1) + energies.unpaired + free(j, j + 1)) {
                j--;
            }
            while (i < j && multi(i, j) == multi(i + 1, j) + energies.unpaired + free(i, i + 1)) {
                i++;
            }
            if (multi(i, j) == branch(i, j)) {
                int dangling = 0;
                while (energies.areDanglesExclusive()
                        && dangling < DANGLING_SETS
                        && branch(i, j, dangling) != multi(i, j)) {
                    dangling++;
                }
                if (dangling < DANGLING_SETS) {
                    follow(first(i, dangling), last(j, dangling));
                } else {
                    int k = stacks.end(i, j);
                    follow(i, k);
                    follow(k + 1, j);
                }
                return;
            }
            split(i, j, multi(i, j));
        }

        /** Splits a part that has at least two branches; returns whether a split with the given energy exists. */
        private boolean split(int i, int j, int energy) {
            for (int k = i + 1; k < j; k++) {
                if (multi(i, k) < INFEASIBLE
                        && multi(k + 1, j) < INFEASIBLE
                        && multi(i, k) + multi(k + 1, j) == energy) {
                    push(i, k);
                    push(k + 1, j);
                    return true;
                }
            }
            return false;
        }

        /** Traces the multiloop that a pair closes. */
        private void multiloop(int i, int j, int energy) {
            if (!energies.areDanglesExclusive()) {
                split(i + 1, j - 1, energy - energies.closing(bases, i, j));
                return;
            }
            int dangling = 0;
            while (dangling < DANGLING_SETS
                    && !split(
                            afterOpening(i, dangling), beforeClosing(j, dangling), energy - closing(i, j, dangling))) {
                dangling++;
            }
            if (dangling == DANGLING_SETS) {
                int stacked = stacks.onClosing(i, j);
                int k = Math.max(stacked, ~stacked);
                push(stacked == k ? ~(i + 1) : i + 1, k);
                push(stacked == k ? k + 1 : ~(k + 1), j - 1);
            }
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
                    multiloop(i, j, energy);
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
