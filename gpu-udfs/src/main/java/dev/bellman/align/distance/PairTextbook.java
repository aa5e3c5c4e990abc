package dev.bellman.align.distance;

import java.util.Arrays;

/** The textbook tables of two sequences of symbols in full, and the canonical path through them: the definition of the functions of a pair. */
final class PairTextbook {
    private PairTextbook() {}

    /** R. Wagner and M. Fischer (1974): cell {@code (i, j)} is the distance of the first i symbols of a and the first j of b. */
    static int[][] editTable(int[] a, int[] b) {
        int[][] table = new int[a.length + 1][b.length + 1];
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                if (i == 0 || j == 0) {
                    table[i][j] = i + j;
                } else {
                    int substituted = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
                    int deleted = table[i - 1][j] + 1;
                    int inserted = table[i][j - 1] + 1;
                    table[i][j] = Math.min(substituted, Math.min(deleted, inserted));
                }
            }
        }
        return table;
    }

    /** Cell {@code (i, j)} is the length of the longest common subsequence of the first i symbols of a and the first j of b. */
    static int[][] lcsTable(int[] a, int[] b) {
        int[][] table = new int[a.length + 1][b.length + 1];
        for (int i = 1; i <= a.length; i++) {
            for (int j = 1; j <= b.length; j++) {
                table[i][j] =
                        a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : Math.max(table[i - 1][j], table[i][j - 1]);
            }
        }
        return table;
    }

    static int editDistance(int[] a, int[] b) {
        return editTable(a, b)[a.length][b.length];
    }

    static int lcsLength(int[] a, int[] b) {
        return lcsTable(a, b)[a.length][b.length];
    }

    /** From the end: the diagonal where it is optimal, else a symbol of a where that is, else one of b. */
    static String cigar(int[] a, int[] b) {
        int[][] table = editTable(a, b);
        StringBuilder operations = new StringBuilder();
        int i = a.length;
        int j = b.length;
        while (i > 0 || j > 0) {
            if (i > 0 && j > 0 && table[i][j] == table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)) {
                operations.append(a[i - 1] == b[j - 1] ? '=' : 'X');
                i--;
                j--;
            } else if (i > 0 && table[i][j] == table[i - 1][j] + 1) {
                operations.append('I');
                i--;
            } else {
                operations.append('D');
                j--;
            }
        }
        return runs(operations.reverse().toString());
    }

    private static String runs(String operations) {
        StringBuilder cigar = new StringBuilder();
        int start = 0;
        for (int at = 1; at <= operations.length(); at++) {
            if (at == operations.length() || operations.charAt(at) != operations.charAt(start)) {
                cigar.append(at - start).append(operations.charAt(start));
                start = at;
            }
        }
        return cigar.toString();
    }

    /** The symbols that the canonical path takes from both. */
    static int[] lcs(int[] a, int[] b) {
        return merge(a, b, false);
    }

    /** Every symbol that the canonical path takes, from both, from a or from b. */
    static int[] scs(int[] a, int[] b) {
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

    static boolean isSubsequence(int[] subsequence, int[] sequence) {
        int found = 0;
        for (int symbol : sequence) {
            if (found < subsequence.length && subsequence[found] == symbol) {
                found++;
            }
        }
        return found == subsequence.length;
    }
}
