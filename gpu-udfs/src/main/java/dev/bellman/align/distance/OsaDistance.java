package dev.bellman.align.distance;

import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.columns.Cancellation;

/**
 * The optimal string alignment distance: the minimum number of edits that turn one string into the other. An edit
 * is an insertion, a deletion, a substitution or a transposition of neighbouring characters; transposed characters
 * are not edited again. Therefore, the distance between {@code ca} and {@code abc} is 3, not 2 as in
 * {@link DamerauLevenshtein}, and it is not a metric: going from {@code ca} to {@code ac} to {@code abc} takes 2 edits.
 *
 * <pre>{@code
 * H(i, j) = min of H(i - 1, j - 1) + (a_i == b_j ? 0 : 1), H(i - 1, j) + 1, H(i, j - 1) + 1
 *           and H(i - 2, j - 2) + 1 where a_i == b_(j - 1) and a_(i - 1) == b_j
 * }</pre>
 *
 * <p>{@link TranspositionBits} implements the bit-parallel algorithm, after Hyyrö (2003).
 */
public final class OsaDistance {
    /** All strategies return the same distance. */
    public enum Strategy {
        /** Uses {@link #BIT_PARALLEL}. */
        AUTO,
        /** Computes the table cell by cell and stores three rows. */
        SERIAL,
        /** Uses {@link TranspositionBits}. */
        BIT_PARALLEL
    }

    private OsaDistance() {}

    /** Returns the distance between {@code a} and {@code b}. */
    public static int distance(Text a, Text b, Strategy strategy) {
        return distance(a, b, Integer.MAX_VALUE, strategy);
    }

    /**
     * Returns the distance between {@code a} and {@code b}, or -1 if it exceeds {@code max}; a negative {@code max}
     * excludes every distance.
     */
    public static int distance(Text a, Text b, int max, Strategy strategy) {
        return distance(SymbolPair.core(a, b), max, strategy);
    }

    /**
     * Returns the distance between two sequences of tokens, given as token numbers, or -1 if it exceeds {@code max}.
     */
    public static int distance(int[] a, int[] b, int max, Strategy strategy) {
        return distance(SymbolPair.core(a, b), max, strategy);
    }

    private static int distance(SymbolPair core, int max, Strategy strategy) {
        return TranspositionBits.distance(
                core,
                max,
                pair -> strategy == Strategy.SERIAL ? serial(pair) : TranspositionBits.distance(pair, max, false));
    }

    private static int serial(SymbolPair pair) {
        int[] a = pair.a();
        int[] b = pair.b();
        int m = pair.bLength();
        int[] row = new int[m + 1];
        int[] above = new int[m + 1];
        int[] twoAbove = new int[m + 1];
        for (int j = 0; j <= m; j++) {
            row[j] = j;
        }
        Cancellation cancellation = new Cancellation();
        for (int i = 1; i <= pair.aLength(); i++) {
            cancellation.count(m);
            int[] spare = twoAbove;
            twoAbove = above;
            above = row;
            row = spare;
            row[0] = i;
            for (int j = 1; j <= m; j++) {
                int best = Math.min(above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), Math.min(above[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                    best = Math.min(best, twoAbove[j - 2] + 1);
                }
                row[j] = best;
            }
        }
        return row[m];
    }
}
