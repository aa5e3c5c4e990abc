package dev.bellman.align.distance;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.SerialTable;
import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.columns.Cancellation;
import java.util.HashMap;
import java.util.Map;

/**
 * The Damerau-Levenshtein distance: the minimum number of insertions, deletions, substitutions and transpositions of
 * neighbouring characters that turn one string into the other. Transposed characters may be edited again: {@code ca}
 * becomes {@code ac} and then {@code abc}, for a distance of 2. {@link OsaDistance} does not allow such further edits.
 * The Damerau-Levenshtein distance is a metric.
 *
 * <p>The recurrence is by Lowrance and Wagner, "An extension of the string-to-string correction problem" (1975). A cell
 * of the table is
 *
 * <pre>{@code
 * H(i, j) = min of H(i - 1, j - 1) + (a_i == b_j ? 0 : 1), H(i - 1, j) + 1, H(i, j - 1) + 1
 *           and H(k - 1, l - 1) + (i - k - 1) + 1 + (j - l - 1)
 * }</pre>
 *
 * for the last {@code k < i} with {@code a_k == b_j} and the last {@code l < j} with {@code b_l == a_i}: {@code a_k}
 * and {@code a_i} are transposed, the characters of {@code a} between them are deleted, and the characters between
 * {@code b_l} and {@code b_j} are inserted.
 *
 * <p>{@link TranspositionBits} implements the bit-parallel algorithm.
 */
public final class DamerauLevenshtein {
    /** All strategies return the same distance. */
    public enum Strategy {
        /** Uses {@link #BIT_PARALLEL}. */
        AUTO,
        /** Computes the complete table of Lowrance and Wagner. */
        SERIAL,
        /** Uses {@link TranspositionBits} on words of 64 rows. */
        BIT_PARALLEL
    }

    private DamerauLevenshtein() {}

    /**
     * Returns the distance between {@code a} and {@code b}.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the strategy is serial and the table has more than
     *     67,108,864 cells
     */
    public static int distance(Text a, Text b, Strategy strategy) {
        return distance(a, b, Integer.MAX_VALUE, strategy);
    }

    /**
     * Returns the distance between {@code a} and {@code b}, or -1 if it exceeds {@code max}; a negative {@code max}
     * excludes every distance.
     */
    public static int distance(Text a, Text b, int max, Strategy strategy) {
        return TranspositionBits.distance(
                SymbolPair.core(a, b),
                max,
                pair -> strategy == Strategy.SERIAL ? table(pair) : TranspositionBits.distance(pair, max, true));
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
