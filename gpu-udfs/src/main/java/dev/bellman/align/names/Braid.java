package dev.bellman.align.names;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;

/**
 * Computes the length of the longest common subsequence of a string {@code a} and each window of a string {@code b},
 * for all windows at once: Tiskin, "Semi-local string comparison: algorithmic techniques and applications" (2008).
 *
 * <p>In the table of both strings, one strand enters each row from the left and one enters each column from the top;
 * strands go right or down. Where two strands meet, they bounce if the characters match or if they have crossed before,
 * and cross otherwise. The number of strands that enter a window of {@code b} at its top and leave it at its bottom
 * equals the number of the window's characters outside its longest common subsequence with {@code a}.
 *
 * <p>{@code across} contains the strand in each row, starting with the last row; {@code down} contains the strand in
 * each column. Strands are numbered from the bottom left to the top right, so two strands have crossed if the strand
 * that comes from the left has the larger number. The cells of a diagonal do not depend on each other and are
 * contiguous in both arrays, so vector instructions can process them.
 */
final class Braid {
    private final int m;
    /**
     * For each column, the entry position of the strand that leaves at its bottom: a column number, or a negative
     * number for a position on the left side.
     */
    private final int[] top;

    Braid(int[] a, int[] b) {
        int n = a.length;
        m = b.length;
        TaskMemory.take(Integer.BYTES * (2L * n + 2L * m), () -> "the tables for strings of %,d and %,d characters"
                .formatted(n, m));
        int[] rows = new int[n];
        int[] across = new int[n];
        int[] down = new int[m];
        for (int i = 0; i < n; i++) {
            rows[i] = a[n - 1 - i];
            across[i] = i - n;
        }
        for (int j = 0; j < m; j++) {
            down[j] = j;
        }
        Cancellation cancellation = new Cancellation();
        for (int offset = 1 - n; offset < m; offset++) {
            int from = Math.max(0, -offset);
            int to = Math.min(n, m - offset);
            cancellation.count(to - from >> 2);
            diagonal(rows, b, across, down, from, to, offset);
        }
        top = down;
    }

    private static void diagonal(int[] rows, int[] b, int[] across, int[] down, int from, int to, int offset) {
        for (int i = from; i < to; i++) {
            int right = across[i];
            int under = down[i + offset];
            int difference = rows[i] ^ b[i + offset];
            int differ = (difference | -difference) >> 31;
            int next = under + (Math.min(right, under) - under & differ);
            across[i] = next;
            down[i + offset] = right ^ under ^ next;
        }
    }

    /**
     * Returns, for each prefix of {@code b} with at most {@code most} characters, the length of its longest common
     * subsequence with {@code a}, indexed by prefix length.
     */
    int[] firsts(int most) {
        int[] common = new int[most + 1];
        for (int length = 1; length <= most; length++) {
            common[length] = common[length - 1] + (top[length - 1] < 0 ? 1 : 0);
        }
        return common;
    }

    /**
     * Returns, for each suffix of {@code b} with at most {@code most} characters, the length of its longest common
     * subsequence with {@code a}, indexed by suffix length.
     */
    int[] lasts(int most) {
        int[] common = new int[most + 1];
        for (int column : top) {
            if (column >= m - most) {
                common[m - column]--;
            }
        }
        for (int length = 1; length <= most; length++) {
            common[length] += common[length - 1] + 1;
        }
        return common;
    }

    /**
     * Returns, for each window of {@code length} characters, the length of its longest common subsequence with
     * {@code a}, indexed by the window's first character.
     */
    int[] windows(int length) {
        int[] common = new int[m - length + 2];
        for (int column = 0; column < m; column++) {
            if (top[column] > column - length && top[column] >= 0) {
                // this strand counts in every window that begins at or before its entry and ends at or after this
                // column
                common[Math.max(0, column - length + 1)]++;
                common[Math.min(m - length, top[column]) + 1]--;
            }
        }
        int inside = 0;
        for (int from = 0; from <= m - length; from++) {
            inside += common[from];
            common[from] = length - inside;
        }
        return common;
    }
}
