package dev.bellman.align.distance;

/** The textbook recurrences of the distances of two sequences of symbols, and the canonical path: the definitions of the functions. */
public final class DistanceTextbook {
    private DistanceTextbook() {}

    /** R. Wagner and M. Fischer (1974): cell {@code (i, j)} is the distance of the first i symbols of a and the first j of b. */
    public static int[][] editTable(int[] a, int[] b) {
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

    public static int editDistance(int[] a, int[] b) {
        return editTable(a, b)[a.length][b.length];
    }

    /** From the end: the diagonal where it is optimal, else a symbol of a where that is, else one of b. */
    public static String cigar(int[] a, int[] b) {
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
}
