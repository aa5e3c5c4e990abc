package dev.bellman.align.search;

import dev.bellman.align.search.EditSearch.Part;
import java.util.Arrays;

/** The definition of the searches: every part of the text is compared with the pattern. */
final class SearchTextbook {
    private SearchTextbook() {}

    static Part infix(int[] pattern, int[] text) {
        return search(pattern, text, text.length);
    }

    static Part prefix(int[] pattern, int[] text) {
        return search(pattern, text, 0);
    }

    /** Among the parts that begin up to {@code lastBegin}. */
    private static Part search(int[] pattern, int[] text, int lastBegin) {
        Part best = new Part(Integer.MAX_VALUE, 0, 0);
        for (int end = 0; end <= text.length; end++) {
            for (int begin = 0; begin <= Math.min(end, lastBegin); begin++) {
                int distance = distance(pattern, Arrays.copyOfRange(text, begin, end));
                if (distance < best.distance()) {
                    best = new Part(distance, begin, end);
                }
            }
        }
        return best;
    }

    /** R. Wagner and M. Fischer (1974). */
    private static int distance(int[] a, int[] b) {
        int[][] table = new int[a.length + 1][b.length + 1];
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                table[i][j] = i == 0 || j == 0
                        ? i + j
                        : Math.min(
                                table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1),
                                Math.min(table[i - 1][j], table[i][j - 1]) + 1);
            }
        }
        return table[a.length][b.length];
    }
}
