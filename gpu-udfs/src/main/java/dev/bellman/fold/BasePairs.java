package dev.bellman.fold;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Computes the maximum number of base pairs in an RNA. C pairs with G, A with U, and G with U; no two pairs cross, and
 * at least {@code minLoop} bases lie between the two bases of a pair.
 *
 * <pre>{@code
 * m(i, j) = max(m(i + 1, j),                                             i is unpaired
 *               max over k > i + minLoop of 1 + m(i + 1, k - 1) + m(k + 1, j))     i pairs with k
 * }</pre>
 *
 * <p>The algorithm by Nussinov and Jacobson, "Fast algorithm for predicting the secondary structure of single-stranded
 * RNA" (1980), takes O(n^3) time. However, only a few {@code k} matter. If pairing {@code i} with {@code k} does not
 * increase {@code m(i, k)}, this pair does not help for any larger {@code j} either, since
 * {@code m(i, k) + m(k + 1, j)} is among the other candidates. The remaining {@code k} are the candidates of Wexler,
 * Zilberstein and Ziv-Ukelson, "A study of accessible motifs and RNA folding complexity" (2007). Each candidate is
 * applied to all {@code j} at once, in a loop over two rows of the table; this loop compiles to vector instructions.
 *
 * <p>Ties: bases are considered from the first to the last; each base is unpaired if the number of pairs can then still
 * be maximal, and otherwise pairs with the smallest {@code k} for which it can.
 */
public final class BasePairs {
    /** All strategies return the same structure. */
    public enum Strategy {
        /** Uses {@link #SPARSE}. */
        AUTO,
        /** Computes the recurrence of {@link BasePairs} directly. */
        SERIAL,
        /** Considers only the candidates, and applies each candidate to a whole row. */
        SPARSE
    }

    /** The default minimum number of bases between the two bases of a pair; RNA cannot bend more tightly. */
    public static final int MIN_LOOP = 3;

    private final byte[] bases;
    private final int n;
    private final int minLoop;
    /** The values {@code m(i, j)}, stored at {@code most[i][j - i + 1]}, for i from 0 to n and j >= i - 1. */
    private final int[][] most;

    private BasePairs(byte[] bases, int minLoop) {
        this.bases = bases;
        n = bases.length;
        this.minLoop = Math.min(minLoop, n);
        most = new int[n + 1][];
        most[n] = new int[1];
    }

    /**
     * Fills the table.
     *
     * @param bases the bases, numbered as in {@link Bases}
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the table does not fit in the heap
     */
    static BasePairs of(String function, byte[] bases, int minLoop, Strategy strategy) {
        long n = bases.length;
        TaskMemory.take(
                function, (n * (n + 3) / 2 + 8 * n) * Integer.BYTES, "", () -> "the table for %,d bases".formatted(n));
        BasePairs table = new BasePairs(bases, minLoop);
        Cancellation cancellation = new Cancellation();
        for (int i = bases.length - 1; i >= 0; i--) {
            if (strategy == Strategy.SERIAL) {
                table.fillAsPrinted(i, cancellation);
            } else {
                table.fill(i, cancellation);
            }
        }
        return table;
    }

    private boolean pair(int i, int k) {
        return Bases.pair(bases[i], bases[k]) > 0;
    }

    private int most(int i, int j) {
        return most[i][j - i + 1];
    }

    private void fillAsPrinted(int i, Cancellation cancellation) {
        int[] row = new int[n - i + 1];
        for (int j = i; j < n; j++) {
            cancellation.count(j - i);
            int best = most(i + 1, j);
            for (int k = i + minLoop + 1; k <= j; k++) {
                if (pair(i, k)) {
                    best = Math.max(best, 1 + most(i + 1, k - 1) + most(k + 1, j));
                }
            }
            row[j - i + 1] = best;
        }
        most[i] = row;
    }

    private void fill(int i, Cancellation cancellation) {
        int[] row = new int[n - i + 1];
        System.arraycopy(most[i + 1], 0, row, 1, n - i);
        for (int k = i + minLoop + 1; k < n; k++) {
            if (pair(i, k)) {
                int pairs = 1 + most(i + 1, k - 1);
                if (pairs > row[k - i + 1]) {
                    cancellation.count(n - k);
                    raise(row, k - i + 1, pairs, most[k + 1], n - k);
                }
            }
        }
        most[i] = row;
    }

    /**
     * Replaces each element, starting at an offset, with the corresponding element of another row plus an increment, if
     * this sum is larger.
     */
    private static void raise(int[] row, int offset, int pairs, int[] behind, int length) {
        for (int at = 0; at < length; at++) {
            row[offset + at] = Math.max(row[offset + at], pairs + behind[at]);
        }
    }

    /** Returns the maximum number of pairs. */
    int count() {
        return n == 0 ? 0 : most(0, n - 1);
    }

    /** Returns the structure in dot-bracket notation. */
    byte[] structure() {
        byte[] structure = new byte[n];
        Arrays.fill(structure, (byte) '.');
        int[] starts = new int[n + 1];
        int[] ends = new int[n + 1];
        int parts = 1;
        ends[0] = n - 1;
        while (parts > 0) {
            int i = starts[--parts];
            int j = ends[parts];
            while (i <= j && most(i, j) == most(i + 1, j)) {
                i++;
            }
            if (i <= j) {
                int k = i + minLoop + 1;
                while (!pair(i, k) || 1 + most(i + 1, k - 1) + most(k + 1, j) < most(i, j)) {
                    k++;
                }
                structure[i] = '(';
                structure[k] = ')';
                starts[parts] = i + 1;
                ends[parts++] = k - 1;
                starts[parts] = k + 1;
                ends[parts++] = j;
            }
        }
        return structure;
    }
}
