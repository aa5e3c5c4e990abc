package dev.bellman.align.distance;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Defines the distance functions by the textbook recurrences for two symbol sequences, and by the canonical path
 * through their tables.
 */
public final class DistanceTextbook {
    private DistanceTextbook() {}

    /**
     * Fills the table of Wagner and Fischer (1974), in which cell {@code (i, j)} is the distance between the first i
     * symbols of a and the first j symbols of b.
     */
    public static int[][] editTable(int[] a, int[] b) {
        int[][] table = new int[a.length + 1][b.length + 1];
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                table[i][j] = edited(table, a, b, i, j);
            }
        }
        return table;
    }

    public static int editDistance(int[] a, int[] b) {
        return editTable(a, b)[a.length][b.length];
    }

    /**
     * Traces the path from the end: prefers the diagonal, then a symbol of a, then a symbol of b, among the steps that
     * are optimal.
     */
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

    /**
     * Returns the numbers of substitutions, deletions, insertions and matches in rapidfuzz's edit operations. rapidfuzz
     * removes the common prefix, then the common suffix, and then proceeds from the end. It chooses a deletion if that
     * is optimal; otherwise, an insertion if that is optimal and a substitution is not.
     */
    public static int[] wordErrors(int[] reference, int[] hypothesis) {
        int shorter = Math.min(reference.length, hypothesis.length);
        int prefix = 0;
        while (prefix < shorter && reference[prefix] == hypothesis[prefix]) {
            prefix++;
        }
        int i = reference.length;
        int j = hypothesis.length;
        while (i > prefix && j > prefix && reference[i - 1] == hypothesis[j - 1]) {
            i--;
            j--;
        }
        int[] a = Arrays.copyOfRange(reference, prefix, i);
        int[] b = Arrays.copyOfRange(hypothesis, prefix, j);
        int[] counts = {0, 0, 0, prefix + reference.length - i};
        int[][] table = editTable(a, b);
        i = a.length;
        j = b.length;
        while (i > 0 || j > 0) {
            boolean equal = i > 0 && j > 0 && a[i - 1] == b[j - 1];
            if (i > 0 && table[i][j] == table[i - 1][j] + 1) {
                counts[1]++;
                i--;
            } else if (j > 0
                    && table[i][j] == table[i][j - 1] + 1
                    && (i == 0 || equal || table[i][j] != table[i - 1][j - 1] + 1)) {
                counts[2]++;
                j--;
            } else {
                counts[equal ? 3 : 0]++;
                i--;
                j--;
            }
        }
        return counts;
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

    /** Returns the number of positions at which the sequences, which must have the same length, differ. */
    public static int hammingDistance(int[] a, int[] b) {
        if (a.length != b.length) {
            throw Values.invalid();
        }
        return (int) IntStream.range(0, a.length).filter(i -> a[i] != b[i]).count();
    }

    /** Extends {@link #editTable} with transpositions of adjacent symbols that are not edited again. */
    public static int osaDistance(int[] a, int[] b) {
        int[][] table = new int[a.length + 1][b.length + 1];
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                table[i][j] = edited(table, a, b, i, j);
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                    table[i][j] = Math.min(table[i][j], table[i - 2][j - 2] + 1);
                }
            }
        }
        return table[a.length][b.length];
    }

    /**
     * Computes the recurrence of Lowrance and Wagner (1975), and tries every possible transposition of {@code a_k} and
     * {@code a_i} into {@code b_l} and {@code b_j}.
     */
    public static int damerauLevenshtein(int[] a, int[] b) {
        int[][] table = new int[a.length + 1][b.length + 1];
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                table[i][j] = edited(table, a, b, i, j);
                for (int k = 1; k < i; k++) {
                    for (int l = 1; l < j; l++) {
                        if (a[k - 1] == b[j - 1] && a[i - 1] == b[l - 1]) {
                            int between = i - k - 1 + j - l - 1;
                            table[i][j] = Math.min(table[i][j], table[k - 1][l - 1] + 1 + between);
                        }
                    }
                }
            }
        }
        return table[a.length][b.length];
    }

    /** Adds Winkler's prefix bonus to {@link #jaro} if the similarity is more than 0.7. */
    public static double jaroWinkler(int[] a, int[] b) {
        double jaro = jaro(a, b);
        int prefix = 0;
        while (prefix < 4 && prefix < a.length && prefix < b.length && a[prefix] == b[prefix]) {
            prefix++;
        }
        return jaro > 0.7 ? jaro + prefix * 0.1 * (1 - jaro) : jaro;
    }

    /**
     * Follows rapidfuzz's definition: each symbol of b is matched with the first equal symbol of a that is still
     * unmatched and whose position is close enough. Positions may differ by at most half of the greater length, minus
     * one.
     */
    public static double jaro(int[] a, int[] b) {
        if (a.length == 0 && b.length == 0) {
            return 1;
        }
        int reach = Math.max(0, Math.max(a.length, b.length) / 2 - 1);
        boolean[] taken = new boolean[a.length];
        List<Integer> ofB = new ArrayList<>();
        for (int j = 0; j < b.length; j++) {
            for (int i = 0; i < a.length; i++) {
                if (!taken[i] && a[i] == b[j] && Math.abs(i - j) <= reach) {
                    taken[i] = true;
                    ofB.add(b[j]);
                    break;
                }
            }
        }
        List<Integer> ofA = new ArrayList<>();
        for (int i = 0; i < a.length; i++) {
            if (taken[i]) {
                ofA.add(a[i]);
            }
        }
        double matches = ofA.size();
        if (matches == 0) {
            return 0;
        }
        int outOfOrder = 0;
        for (int k = 0; k < ofA.size(); k++) {
            outOfOrder += ofA.get(k).equals(ofB.get(k)) ? 0 : 1;
        }
        return (matches / a.length + matches / b.length + (matches - outOfOrder / 2) / matches) / 3;
    }

    /** Returns the minimum number of edits if the last edit is not a transposition. */
    private static int edited(int[][] table, int[] a, int[] b, int i, int j) {
        if (i == 0 || j == 0) {
            return i + j;
        }
        int substituted = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
        return Math.min(substituted, Math.min(table[i - 1][j], table[i][j - 1]) + 1);
    }
}
