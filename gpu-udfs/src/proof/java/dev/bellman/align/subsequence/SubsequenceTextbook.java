package dev.bellman.align.subsequence;

import java.util.Arrays;

/**
 * Defines the subsequence functions by the textbook table for two symbol sequences, and by the canonical path through
 * the table.
 */
public final class SubsequenceTextbook {
    private SubsequenceTextbook() {}

    /**
     * Fills the table, in which cell {@code (i, j)} is the length of the longest common subsequence of the first i
     * symbols of a and the first j symbols of b.
     */
    public static int[][] lcsTable(int[] a, int[] b) {
        int[][] table = new int[a.length + 1][b.length + 1];
        for (int i = 1; i <= a.length; i++) {
            for (int j = 1; j <= b.length; j++) {
                table[i][j] =
                        a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : Math.max(table[i - 1][j], table[i][j - 1]);
            }
        }
        return table;
    }

    public static int lcsLength(int[] a, int[] b) {
        return lcsTable(a, b)[a.length][b.length];
    }

    /** Returns the symbols that the canonical path takes from both sequences. */
    public static int[] lcs(int[] a, int[] b) {
        return merge(a, b, false);
    }

    /** Returns all symbols that the canonical path takes: from both sequences, from a, or from b. */
    public static int[] scs(int[] a, int[] b) {
        return merge(a, b, true);
    }

    private static int[] merge(int[] a, int[] b, boolean all) {
        int[][] table = lcsTable(a, b);
        int[] merged = new int[a.length + b.length];
        int first = merged.length;
        int i = a.length;
        int j = b.length;
        while (i > 0 || j > 0) {
            if (i > 0 && j > 0 && a[i - 1] == b[j - 1]) {
                merged[--first] = a[i - 1];
                i--;
                j--;
            } else if (i > 0 && table[i][j] == table[i - 1][j]) {
                i--;
                if (all) {
                    merged[--first] = a[i];
                }
            } else {
                j--;
                if (all) {
                    merged[--first] = b[j];
                }
            }
        }
        return Arrays.copyOfRange(merged, first, merged.length);
    }

    public static boolean isSubsequence(int[] subsequence, int[] sequence) {
        int found = 0;
        for (int symbol : sequence) {
            if (found < subsequence.length && subsequence[found] == symbol) {
                found++;
            }
        }
        return found == subsequence.length;
    }
}
