package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.FoldTable.INFEASIBLE;
import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.NONE;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.rna.RnaFold.Strategy;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Finds the minimum-free-energy structure of two strands, which may pair with each other and with themselves, as
 * ViennaRNA's RNAcofold does (Hofacker et al., "Fast folding and comparison of RNA secondary structures", 1994;
 * Bernhart et al., "Partition function and base pairing probabilities of RNA heterodimers", 2006). The strands are
 * folded as one sequence, a followed by b. The loop that contains the end of a and the start of b counts as an exterior
 * loop; if a pair encloses it, the second strand adds a constant energy.
 *
 * <p>Ties are broken as in {@link FoldTable#structure}. In addition, a structure that connects the strands is preferred
 * to one that does not. A pair that closes no internal loop closes the loop that contains the end of a and the start of
 * b, if possible. In this loop, the bases of a are traced towards the end of a. They are unpaired if possible;
 * otherwise, a base pairs with the last base of a, or else with the nearest possible partner. The bases of b are traced
 * towards the start of b. They are unpaired if possible; otherwise, a base pairs with the possible partner that is
 * nearest to the start of b.
 */
final class RnaCofold {
    private final CofoldTable table;
    private final int n;
    private final int m;
    /** The minimum energies of the prefixes of a. */
    private final int[] prefix;
    /** The minimum energies of a and a prefix of b, in structures that connect the strands. */
    private final int[] connected;

    private final byte[] letters;
    private final FoldTable.Walk inA;
    private final FoldTable.Walk inB;

    private RnaCofold(CofoldTable table) {
        this.table = table;
        n = table.n;
        m = table.m;
        prefix = table.inA.prefix(0);
        connected = connected();
        letters = new byte[n + m];
        inA = table.inA.new Walk(letters, 0);
        inB = table.inB.new Walk(letters, -n);
    }

    /**
     * Folds two strands.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the strands together are longer than {@value
     * LoopEnergies#MAX_LENGTH} bases, energies could exceed 32 bits, or the tables do not fit in the heap
     */
    static RnaCofold of(String function, byte[] a, byte[] b, FoldOptions options, Strategy strategy) {
        long length = (long) a.length + b.length;
        if (length > LoopEnergies.MAX_LENGTH) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("%s: a and b have %,d bases in total; the limit is %,d. Use shorter strands, or try_%s, which "
                                    + "returns NULL")
                            .formatted(function, length, LoopEnergies.MAX_LENGTH, function.replaceFirst("^try_", "")));
        }
        RnaFold.checkEnergies(function, (int) length, options.energies());
        TaskMemory.take(function, CofoldTable.bytes(a.length, b.length), "", () -> "folding %,d and %,d bases"
                .formatted(a.length, b.length));
        CofoldTable table = new CofoldTable(strand(a, options, strategy), strand(b, options, strategy));
        if (strategy == Strategy.ZUKER) {
            CofoldFill.entries(table);
        } else {
            CofoldFill.rows(table);
        }
        return new RnaCofold(table);
    }

    private static FoldTable strand(byte[] bases, FoldOptions options, Strategy strategy) {
        FoldTable table = new FoldTable(bases, options);
        IntConsumer rows = RnaFold.rows(table, strategy);
        for (int i = bases.length - 1; i >= 0; i--) {
            rows.accept(i);
        }
        return table;
    }

    private int[] connected() {
        int[] energies = new int[m + 1];
        energies[0] = NONE;
        for (int j = 0; j < m; j++) {
            int least = energies[j];
            for (int i = 0; i < j; i++) {
                if (energies[i] < INFEASIBLE && table.inB.pair(i, j) < INFEASIBLE) {
                    least = Math.min(least, energies[i] + table.branchOfB(i, j));
                }
            }
            for (int i = 0; i < n; i++) {
                if (table.pair[i][j] < INFEASIBLE) {
                    least = Math.min(least, prefix[i] + table.branch(i, j));
                }
            }
            energies[j + 1] = least;
        }
        return energies;
    }

    private int apart() {
        return prefix[n] + table.before[m];
    }

    /** Returns the minimum energy, in hundredths of kcal/mol. */
    int energy() {
        return Math.min(connected[m], apart());
    }

    /** Returns the structure in dot-bracket notation, with an ampersand between the strands. */
    byte[] structure() {
        Arrays.fill(letters, (byte) '.');
        if (connected[m] <= apart()) {
            connect();
        } else {
            table.inA.exterior(inA, 0, n, prefix);
            table.inB.exterior(inB, 0, m, table.before);
        }
        byte[] structure = Arrays.copyOf(letters, n + m + 1);
        structure[n] = '&';
        System.arraycopy(letters, n, structure, n + 1, m);
        return structure;
    }

    /** Traces the exterior loop of a structure that connects the strands, and everything inside it. */
    private void connect() {
        int end = m;
        while (true) {
            int energy = connected[end];
            if (energy == connected[end - 1]) {
                end--;
                continue;
            }
            int i = partner(end - 1, energy);
            if (i < 0) {
                break;
            }
            inB.closed(i, end - 1);
            end = i;
        }
        int i = n - 1;
        while (table.pair[i][end - 1] >= INFEASIBLE || prefix[i] + table.branch(i, end - 1) != connected[end]) {
            i--;
        }
        follow(i, end - 1);
        table.inA.exterior(inA, 0, i, prefix);
    }

    /** Returns the partner in b of a base that pairs in the exterior loop; -1 if the partner is in a. */
    private int partner(int j, int energy) {
        int i = j - 1;
        while (i >= 0
                && (connected[i] >= INFEASIBLE
                        || table.inB.pair(i, j) >= INFEASIBLE
                        || connected[i] + table.branchOfB(i, j) != energy)) {
            i--;
        }
        return i;
    }

    /** Traces a pair between the strands and everything inside it. */
    private void follow(int first, int last) {
        int i = first;
        int j = last;
        while (true) {
            letters[i] = '(';
            letters[n + j] = ')';
            int energy = table.pair[i][j];
            int sizes = inner(i, j, energy);
            if (sizes >= 0) {
                i += 1 + sizes / (MAX_INTERNAL + 1);
                j -= 1 + sizes % (MAX_INTERNAL + 1);
                continue;
            }
            if (energy == table.open(i, j)) {
                after(i + 1);
                before(j);
                return;
            }
            int[] branch = split(i + 1, j - 1, energy - table.closing(i, j));
            i = branch[0];
            j = branch[1];
        }
    }

    /**
     * Returns the numbers of unpaired bases in the internal loop that a pair closes, as {@code l (MAX_INTERNAL + 1) +
     * r}; -1 if the pair closes another loop.
     */
    private int inner(int i, int j, int energy) {
        for (int l = 0; l <= MAX_INTERNAL && i + 1 + l < n; l++) {
            for (int r = 0; r <= MAX_INTERNAL - l && j - 1 - r >= 0; r++) {
                if (table.through(i, j, i + 1 + l, j - 1 - r) == energy) {
                    return l * (MAX_INTERNAL + 1) + r;
                }
            }
        }
        return -1;
    }

    /**
     * Traces a multiloop part with at least two branches, except for the branch that connects the strands.
     *
     * @return the bases of the branch that connects the strands
     */
    private int[] split(int first, int last, int energy) {
        int i = first;
        int j = last;
        int rest = energy;
        while (true) {
            int[] others = others(i, j, rest);
            i = others[0];
            j = others[1];
            while (j > 0 && table.multi[i][j] == table.multi[i][j - 1] + table.energies.unpaired) {
                j--;
            }
            while (i < n - 1 && table.multi[i][j] == table.multi[i + 1][j] + table.energies.unpaired) {
                i++;
            }
            rest = table.multi[i][j];
            if (table.pair[i][j] < INFEASIBLE && table.isInside(i, j) && table.branchOfMulti(i, j) == rest) {
                return new int[] {i, j};
            }
        }
    }

    /** Splits a multiloop part, traces the part within one strand, and returns the ends of the other part. */
    private int[] others(int i, int j, int energy) {
        for (int k = i + 1; k < n - 1; k++) {
            if (table.inA.multi(i, k) + table.multi[k + 1][j] == energy) {
                inA.branches(i, k);
                return new int[] {k + 1, j};
            }
        }
        int k = 0;
        while (table.multi[i][k] + table.inB.multi(k + 1, j) != energy) {
            k++;
        }
        inB.branches(k + 1, j);
        return new int[] {i, k};
    }

    /** Traces the bases of a from i on, in the exterior loop. */
    private void after(int first) {
        int i = first;
        while (i < n) {
            if (table.after[i] == table.after[i + 1]) {
                i++;
                continue;
            }
            int j = n - 1;
            for (int next = i + 1; !isBranch(i, j); next++) {
                j = next;
            }
            inA.closed(i, j);
            i = j + 1;
        }
    }

    private boolean isBranch(int i, int j) {
        return table.inA.pair(i, j) < INFEASIBLE && table.branchOfA(i, j) + table.after[j + 1] == table.after[i];
    }

    /** Traces the bases of b before {@code last}, in the exterior loop. */
    private void before(int last) {
        int end = last;
        while (end > 0) {
            if (table.before[end] == table.before[end - 1]) {
                end--;
                continue;
            }
            int i = 0;
            while (table.inB.pair(i, end - 1) >= INFEASIBLE
                    || table.before[i] + table.branchOfB(i, end - 1) != table.before[end]) {
                i++;
            }
            inB.closed(i, end - 1);
            end = i;
        }
    }
}
