package dev.bellman.align.distance;

/** The textbook tables in full, and the canonical path through them: the oracle. */
final class Textbook {
    private Textbook() {}

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

    static int editDistance(String a, String b) {
        int[] x = a.codePoints().toArray();
        int[] y = b.codePoints().toArray();
        return editTable(x, y)[x.length][y.length];
    }

    static int lcsLength(String a, String b) {
        int[] x = a.codePoints().toArray();
        int[] y = b.codePoints().toArray();
        return lcsTable(x, y)[x.length][y.length];
    }

    static String cigar(String a, String b) {
        int[] x = a.codePoints().toArray();
        int[] y = b.codePoints().toArray();
        int[][] table = editTable(x, y);
        StringBuilder operations = new StringBuilder();
        int i = x.length;
        int j = y.length;
        while (i > 0 || j > 0) {
            if (i > 0 && j > 0 && table[i][j] == table[i - 1][j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1)) {
                operations.append(x[i - 1] == y[j - 1] ? '=' : 'X');
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

    static String lcs(String a, String b) {
        return merge(a, b, false);
    }

    static String scs(String a, String b) {
        return merge(a, b, true);
    }

    static boolean isSubsequence(String subsequence, String text) {
        int[] symbols = subsequence.codePoints().toArray();
        int found = 0;
        for (int symbol : text.codePoints().toArray()) {
            if (found < symbols.length && symbols[found] == symbol) {
                found++;
            }
        }
        return found == symbols.length;
    }

    private static String merge(String a, String b, boolean all) {
        int[] x = a.codePoints().toArray();
        int[] y = b.codePoints().toArray();
        int[][] table = lcsTable(x, y);
        int[] backwards = new int[x.length + y.length];
        int length = 0;
        int i = x.length;
        int j = y.length;
        while (i > 0 || j > 0) {
            if (i > 0 && j > 0 && x[i - 1] == y[j - 1]) {
                backwards[length++] = x[i - 1];
                i--;
                j--;
            } else if (i > 0 && table[i][j] == table[i - 1][j]) {
                i--;
                if (all) {
                    backwards[length++] = x[i];
                }
            } else {
                j--;
                if (all) {
                    backwards[length++] = y[j];
                }
            }
        }
        StringBuilder text = new StringBuilder();
        for (int at = length - 1; at >= 0; at--) {
            text.appendCodePoint(backwards[at]);
        }
        return text.toString();
    }
}
