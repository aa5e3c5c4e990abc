package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.FoldTable.INFEASIBLE;
import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.NONE;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Computes the minimum-energy binding of two strands, as ViennaRNA's RNAduplex does. Bases pair only with bases of the
 * other strand, so the structure is a single helix, with bulges and internal loops, between a first pair and a last
 * pair.
 *
 * <pre>{@code
 * last(i, j)  = min(strand + end(i, j), min over k < i, l > j of last(k, l) + internal(k, l, i, j))
 * energy      = min over i, j of last(i, j) + end(j, i)
 * }</pre>
 *
 * <p>{@code last(i, j)} is the minimum energy of a helix whose last pair is formed by base i of {@code a} and base j of
 * {@code b}. Each end of the helix is a branch of an exterior loop, with the energy {@code end}. The second strand adds
 * the constant energy {@code strand}. Ties: the last pair is the one with the smallest i, then the largest j; each
 * previous pair is the one with the largest k, then the smallest l.
 *
 * <p>The code reads b from its end, so that both i and j increase; {@link InternalLoops} finds most loops of a row.
 */
final class RnaDuplex {
    private final LoopEnergies energies;
    /** Both strands concatenated: first a, then b. */
    private final byte[] both;

    private final byte[] turned;
    private final int n;
    private final int m;
    private final InternalLoops loops;
    /** The values {@code last(i, j)}, where j is the distance from the base to the end of b. */
    private final int[][] last;

    private int energy = NONE;

    /** The base of a in the last pair of the helix with the minimum energy. */
    private int lastI;

    private int lastJ;

    private RnaDuplex(byte[] a, byte[] b, LoopEnergies energies) {
        this.energies = energies;
        n = a.length;
        m = b.length;
        both = Arrays.copyOf(a, n + m);
        System.arraycopy(b, 0, both, n, m);
        turned = Arrays.copyOf(b, n + m);
        System.arraycopy(a, 0, turned, m, n);
        loops = new InternalLoops(energies, m);
        last = new int[n][];
        Cancellation cancellation = new Cancellation();
        for (int i = 0; i < n; i++) {
            // allocating a row clears its memory, which takes time
            cancellation.count(m);
            last[i] = new int[m];
        }
    }

    /**
     * Returns the best helix, or empty if no two bases can pair.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if energies could exceed 32 bits, or the table does not
     * fit in the heap
     */
    static Optional<Helix> of(String function, byte[] a, byte[] b, LoopEnergies energies) {
        RnaFold.checkEnergies(function, Math.min(a.length, b.length), energies);
        TaskMemory.take(
                function,
                (long) Integer.BYTES * b.length * (a.length + InternalLoops.KINDS * (InternalLoops.KEPT + 1))
                        + 8L * (a.length + b.length),
                "",
                () -> "the table for %,d and %,d bases".formatted(a.length, b.length));
        RnaDuplex duplex = new RnaDuplex(a, b, energies);
        Cancellation cancellation = new Cancellation();
        for (int i = 0; i < a.length; i++) {
            cancellation.count((long) b.length * MAX_INTERNAL);
            duplex.row(i);
        }
        return duplex.energy < INFEASIBLE ? Optional.of(duplex.helix()) : Optional.empty();
    }

    /**
     * A helix, including the unpaired neighbours of its first and last pairs if they exist. Bases are counted from 0;
     * ends are exclusive.
     *
     * @param energy in hundredths of kcal/mol
     * @param structure both parts in dot-bracket notation, with an ampersand between them
     */
    record Helix(int energy, String structure, int beginA, int endA, int beginB, int endB) {}

    private int place(int j) {
        return n + m - 1 - j;
    }

    private void row(int i) {
        int[] row = last[i];
        Arrays.fill(row, NONE);
        loops.start(i);
        if (both[i] == Bases.N) {
            return;
        }
        loops.reset(m);
        for (int l = 0; l <= MAX_INTERNAL && l < i; l++) {
            loops.find(l, i - 1 - l, 0, 0, m);
        }
        for (int j = 0; j < m; j++) {
            int q = place(j);
            if (Bases.pair(both[i], both[q]) == 0) {
                continue;
            }
            int least = energies.strand + energies.exterior(both, i, q);
            if (i > 0 && j > 0) {
                // the number of the pair as seen from inside the loop before it
                least = Math.min(least, loops.least(j, Bases.pair(both[q], both[i]), both[q + 1], both[i - 1]));
                least = Math.min(least, looked(i, j));
            }
            row[j] = least;
            if (i < n - 1 && j < m - 1) {
                loops.keep(i, j, least, Bases.pair(both[i], both[q]), both[i + 1], both[q - 1]);
            }
            int whole = least + energies.exterior(turned, q - n, m + i);
            // ties: the base of b with the largest index wins, because j counts from the end of b
            if (whole < energy) {
                energy = whole;
                lastI = i;
                lastJ = j;
            }
        }
    }

    /** Returns the minimum of {@link #through} for the loops whose energies are in tables. */
    private int looked(int i, int j) {
        int least = NONE;
        for (int l = 0; l <= Math.min(2, i - 1); l++) {
            for (int r = 0; r <= Math.min(2, j - 1); r++) {
                if (InternalLoops.kind(l, r) < 0) {
                    least = Math.min(least, through(i, j, l, r));
                }
            }
        }
        return least;
    }

    /** Returns the energy of the helix whose last pair follows a loop with l and r unpaired bases. */
    private int through(int i, int j, int l, int r) {
        int before = last[i - 1 - l][j - 1 - r];
        return before < INFEASIBLE ? before + energies.internal(both, i - 1 - l, place(j - 1 - r), i, place(j)) : NONE;
    }

    private Helix helix() {
        byte[] letters = new byte[n + m];
        Arrays.fill(letters, (byte) '.');
        int i = lastI;
        int j = lastJ;
        boolean isFirst = false;
        while (!isFirst) {
            letters[i] = '(';
            letters[place(j)] = ')';
            int sizes = before(i, j);
            isFirst = sizes < 0;
            if (!isFirst) {
                i -= 1 + sizes / (MAX_INTERNAL + 1);
                j -= 1 + sizes % (MAX_INTERNAL + 1);
            }
        }
        int beginA = Math.max(0, i - 1);
        int endA = Math.min(n, lastI + 2);
        int beginB = Math.max(0, place(lastJ) - n - 1);
        int endB = Math.min(m, place(j) - n + 2);
        String text = new String(letters, StandardCharsets.US_ASCII);
        return new Helix(
                energy,
                text.substring(beginA, endA) + "&" + text.substring(n + beginB, n + endB),
                beginA,
                endA,
                beginB,
                endB);
    }

    /**
     * Returns the numbers of unpaired bases in the loop before a pair, as {@code l (MAX_INTERNAL + 1) + r}; -1 if the
     * pair is the first one.
     */
    private int before(int i, int j) {
        for (int l = 0; l <= Math.min(MAX_INTERNAL, i - 1); l++) {
            for (int r = 0; r <= Math.min(MAX_INTERNAL - l, j - 1); r++) {
                if (through(i, j, l, r) == last[i][j]) {
                    return l * (MAX_INTERNAL + 1) + r;
                }
            }
        }
        return -1;
    }
}
