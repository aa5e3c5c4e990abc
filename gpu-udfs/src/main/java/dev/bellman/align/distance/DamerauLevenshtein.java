package dev.bellman.align.distance;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.SerialTable;
import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The Damerau-Levenshtein distance: the fewest insertions, deletions, substitutions and transpositions of neighbouring
 * characters that turn one text into the other, where transposed characters may be edited again: {@code ca} becomes
 * {@code ac} and then {@code abc}, which is 2. {@link OsaDistance} does not allow that. The distance is a metric.
 *
 * <p>R. Lowrance and R. A. Wagner, "An extension of the string-to-string correction problem" (1975). A cell of the
 * table is
 *
 * <pre>{@code
 * H(i, j) = min of H(i - 1, j - 1) + (a_i == b_j ? 0 : 1), H(i - 1, j) + 1, H(i, j - 1) + 1
 *           and H(k - 1, l - 1) + (i - k - 1) + 1 + (j - l - 1)
 * }</pre>
 *
 * for the last {@code k < i} where {@code a_k == b_j} and the last {@code l < j} where {@code b_l == a_i}: those two
 * are transposed, and whatever is between them is deleted and inserted.
 *
 * <p><b>Rows.</b> A transposition with characters in between on both sides never pays: it turns {@code p >= 3}
 * characters into {@code q >= 3} for {@code p + q - 3}, while substitutions with insertions or deletions cost
 * {@code max(p, q)}. So {@code k == i - 1} or {@code l == j - 1},
 * and all that is needed from earlier rows is kept with a column or with the current row: C. Zhao and S. Sahni, "String
 * correction using the Damerau-Levenshtein distance" (2019). For {@code l == j - 1} each column keeps {@code H(k - 1, j
 * - 2) - k} for the last row k in which its symbol was equal; for {@code k == i - 1} the row keeps {@code H(i - 2, l -
 *   1) - l} for the last equal column.
 */
public final class DamerauLevenshtein {
    /** Both give the same distance. */
    public enum Strategy {
        /** Two rows of the table at a time, after Zhao and Sahni. */
        AUTO,
        /** Lowrance and Wagner's table, all of it. */
        SERIAL
    }

    /** More than any distance, with room for sums. */
    private static final int NONE = Integer.MAX_VALUE / 2;

    private static final int ROWS = 4;

    private DamerauLevenshtein() {}

    /**
     * The distance of {@code a} and {@code b}, in characters.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the strategy is serial and the table has more than
     *     67,108,864 cells
     */
    public static int distance(Text a, Text b, Strategy strategy) {
        return distance(a, b, Integer.MAX_VALUE, strategy);
    }

    /**
     * The distance of {@code a} and {@code b}, or -1 if it is more than {@code max}; a negative {@code max} allows
     * none.
     */
    public static int distance(Text a, Text b, int max, Strategy strategy) {
        try (SymbolPair pair = SymbolPair.core(a, b)) {
            int n = pair.aLength();
            int m = pair.bLength();
            if (Math.abs((long) n - m) > max) {
                return -1;
            }
            int distance;
            if (n == 0 || m == 0) {
                distance = Math.max(n, m);
            } else if (strategy == Strategy.SERIAL) {
                distance = table(pair);
            } else {
                distance = n < m ? rows(pair.b(), m, pair.a(), n) : rows(pair.a(), n, pair.b(), m);
            }
            return distance <= max ? distance : -1;
        }
    }

    /** The rows of {@code a}, with a column for each symbol of {@code b}, the shorter one. */
    private static int rows(int[] a, int n, int[] b, int m) {
        TaskMemory.take(
                "damerau_levenshtein", (long) ROWS * Integer.BYTES * m, "", () -> "the rows of a table of %,d columns"
                        .formatted(m));
        Cancellation cancellation = new Cancellation();
        int[] above = new int[m + 1];
        int[] twoAbove = new int[m + 1];
        int[] ofColumn = new int[m + 1];
        int[] lastEqual = new int[m + 1];
        for (int j = 0; j <= m; j++) {
            above[j] = j;
        }
        Arrays.fill(twoAbove, NONE);
        Arrays.fill(ofColumn, NONE);
        Arrays.fill(lastEqual, -1);
        for (int i = 1; i <= n; i++) {
            cancellation.count(m);
            int symbol = a[i - 1];
            int ofRow = NONE;
            boolean equalBefore = false;
            int left = i;
            int diagonal = i - 1;
            int diagonalAbove = i == 1 ? NONE : i - 2;
            int knight = NONE;
            for (int j = 1; j <= m; j++) {
                boolean equal = symbol == b[j - 1];
                int best = Math.min(diagonal + (equal ? 0 : 1), Math.min(left, above[j]) + 1);
                if (equalBefore) {
                    best = Math.min(best, ofColumn[j] + i);
                }
                if (lastEqual[j] == i - 1) {
                    best = Math.min(best, ofRow + j);
                }
                if (equal) {
                    ofColumn[j] = knight - i;
                    lastEqual[j] = i;
                    ofRow = diagonalAbove - j;
                }
                equalBefore = equal;
                knight = diagonal;
                diagonal = above[j];
                diagonalAbove = twoAbove[j];
                twoAbove[j] = diagonal;
                above[j] = best;
                left = best;
            }
        }
        return above[m];
    }

    private static int table(SymbolPair pair) {
        int n = pair.aLength();
        int m = pair.bLength();
        SerialTable.check("damerau_levenshtein", n, m, Integer.BYTES, "auto");
        int[] a = pair.a();
        int[] b = pair.b();
        int[][] cells = new int[n + 1][m + 1];
        Map<Integer, Integer> rows = new HashMap<>();
        for (int j = 0; j <= m; j++) {
            cells[0][j] = j;
        }
        Cancellation cancellation = new Cancellation();
        for (int i = 1; i <= n; i++) {
            cancellation.count(m);
            cells[i][0] = i;
            int l = 0;
            for (int j = 1; j <= m; j++) {
                boolean equal = a[i - 1] == b[j - 1];
                int best =
                        Math.min(cells[i - 1][j - 1] + (equal ? 0 : 1), Math.min(cells[i - 1][j], cells[i][j - 1]) + 1);
                int k = rows.getOrDefault(b[j - 1], 0);
                if (k > 0 && l > 0) {
                    best = Math.min(best, cells[k - 1][l - 1] + i - k + j - l - 1);
                }
                cells[i][j] = best;
                l = equal ? j : l;
            }
            rows.put(a[i - 1], i);
        }
        return cells[n][m];
    }
}
