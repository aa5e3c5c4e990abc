package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.FoldTable.INFEASIBLE;
import static dev.bellman.fold.rna.energy.LoopEnergies.NONE;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.Arrays;

/**
 * Stores the minimum energies of parts of two RNA strands. The {@link FoldTable} of each strand contains the parts
 * within that strand; this table contains the parts that connect both strands:
 *
 * <pre>{@code
 * pair(i, j)     the bases of a from i on and the bases of b up to j, if i and j pair
 * multi(i, j)    these bases within a multiloop, with one branch that connects the strands and any other branches
 * after(i)       the bases of a from i on, in the exterior loop
 * before(j)      the bases of b before j, in the exterior loop
 * }</pre>
 *
 * <p>Bases are counted from 0 in each strand. An entry of at least {@link FoldTable#INFEASIBLE} means that the bases
 * cannot form such a structure.
 *
 * <p>The end of a and the start of b are in the same loop. If a pair encloses this loop, the loop has the energy of an
 * exterior loop, in which the pair is one of the branches, plus the energy that the second strand adds.
 */
final class CofoldTable {
    final LoopEnergies energies;
    /** The parts within strand a. */
    final FoldTable inA;

    /** The parts within strand b. */
    final FoldTable inB;

    final byte[] a;
    final byte[] b;
    final int n;
    final int m;
    final int[][] pair;
    final int[][] multi;
    final int[] after;
    final int[] before;
    /** Both strands concatenated: first a, then b. */
    private final byte[] both;
    /** Both strands concatenated: first b, then a. */
    private final byte[] turned;

    /** @param inA the filled table for a */
    CofoldTable(FoldTable inA, FoldTable inB) {
        this.inA = inA;
        this.inB = inB;
        energies = inA.energies;
        a = inA.bases;
        b = inB.bases;
        n = a.length;
        m = b.length;
        both = concatenated(a, b);
        turned = concatenated(b, a);
        pair = new int[n][];
        multi = new int[n][];
        before = inB.prefix(0);
        after = new int[n + 1];
        for (int i = n - 1; i >= 0; i--) {
            after[i] = after[i + 1];
            for (int j = i; j < n; j++) {
                if (inA.pair(i, j) < INFEASIBLE) {
                    after[i] = Math.min(after[i], branchOfA(i, j) + after[j + 1]);
                }
            }
        }
    }

    static byte[] concatenated(byte[] first, byte... second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** Returns the number of bytes that the tables and the structure take. */
    static long bytes(int n, int m) {
        return FoldTable.bytes((long) n + m);
    }

    /** Whether base i of a may pair with base j of b. */
    boolean canPair(int i, int j) {
        return Bases.pair(a[i], b[j]) > 0;
    }

    /** Returns {@code multi(i, j)}, or an infeasible energy if one of the strands has no bases in the part. */
    int multi(int i, int j) {
        return i == n || j < 0 ? NONE : multi[i][j];
    }

    /** Returns the energy of a pair within a that is a branch of the exterior loop, and of everything inside it. */
    int branchOfA(int i, int j) {
        return inA.pair(i, j) + energies.exterior(a, i, j);
    }

    /** Returns the energy of a pair within b that is a branch of the exterior loop, and of everything inside it. */
    int branchOfB(int i, int j) {
        return inB.pair(i, j) + energies.exterior(b, i, j);
    }

    /**
     * Returns the energy of a pair between the strands that is a branch of the exterior loop, and of everything inside
     * it.
     */
    int branch(int i, int j) {
        return pair[i][j] + energies.exterior(both, i, n + j);
    }

    /**
     * Returns the energy of the part that a pair closes, if the pair's loop contains the end of a and the start of b.
     */
    int open(int i, int j) {
        return energies.strand + energies.exterior(turned, j, m + i) + after[i + 1] + before[j];
    }

    /** Returns the energy of the part that a pair closes, if p and q form the inner pair of an internal loop. */
    int through(int i, int j, int p, int q) {
        int inner = pair[p][q];
        return inner < INFEASIBLE ? inner + energies.internal(both, i, n + j, p, n + q) : NONE;
    }

    /** Returns the energy of closing a multiloop with a pair. */
    int closing(int i, int j) {
        return energies.closing(both, i, n + j);
    }

    /** Whether a pair has neighbours on both sides, which it needs to be a branch of a multiloop. */
    boolean isInside(int i, int j) {
        return i > 0 && j < m - 1;
    }

    /** Returns the energy of a pair that is a branch of a multiloop, and of everything inside it. */
    int branchOfMulti(int i, int j) {
        return pair[i][j] + energies.branch(both, i, n + j);
    }
}
