package dev.bellman.align.distance;

import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.columns.Cancellation;
import java.util.Arrays;

/**
 * The distance of optimal string alignment: the fewest insertions, deletions, substitutions and transpositions of
 * neighbouring characters that turn one text into the other, where transposed characters are not edited again. So
 * {@code ca} and {@code abc} are 3 apart, not 2 as in {@link DamerauLevenshtein}, and the distance is not a metric:
 * {@code ca} to {@code ac} to {@code abc} is 2.
 *
 * <pre>{@code
 * H(i, j) = min of H(i - 1, j - 1) + (a_i == b_j ? 0 : 1), H(i - 1, j) + 1, H(i, j - 1) + 1
 *           and H(i - 2, j - 2) + 1 where a_i == b_(j - 1) and a_(i - 1) == b_j
 * }</pre>
 *
 * <p><b>Bit-parallel</b>: H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances"
 * (2003). A column of 64 rows is two words: {@code VP} marks the rows that are one more than the row above, {@code VN}
 * those that are one less. With {@code PM}, the rows whose symbol is the column's,
 *
 * <pre>{@code
 * TR = (~D0 & PM) << 1 & PM of the column before     a transposition ends here: D0 of the column before
 * D0 = (((PM & VP) + VP) ^ VP) | PM | VN | TR        rows that equal their upper left neighbour
 * HP = VN | ~(D0 | VP),  HN = D0 & VP                rows that grow or fall by one from column to column
 * VP = HN << 1 | ~(D0 | HP << 1),  VN = HP << 1 & D0
 * }</pre>
 *
 * <p>A longer pattern is solved in strips of 64 rows. Three bits per column cross the border between two strips:
 * whether the row above grows, whether it falls, and the bit that {@code TR} shifts in.
 */
public final class OsaDistance {
    /** All give the same distance. */
    public enum Strategy {
        /** {@link #BIT_PARALLEL}. */
        AUTO,
        /** Three rows of the table. */
        SERIAL,
        /** Hyyrö's algorithm on words of 64 rows. */
        BIT_PARALLEL
    }

    /** The bits that cross a border in a column. */
    private static final int GROWS = 1;

    private static final int FALLS = 2;
    private static final int SWAPS = 4;

    private OsaDistance() {}

    /** The distance of {@code a} and {@code b}, in characters. */
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
                distance = serial(pair);
            } else {
                distance = n < m ? bits(pair, pair.a(), n, pair.b(), m) : bits(pair, pair.b(), m, pair.a(), n);
            }
            return distance <= max ? distance : -1;
        }
    }

    /** Strip by strip of the pattern, which is the shorter text. */
    private static int bits(SymbolPair pair, int[] pattern, int n, int[] text, int m) {
        long[] borders = pair.horizontal(m);
        Arrays.fill(borders, 0, m, GROWS);
        int distance = n;
        Cancellation cancellation = new Cancellation();
        for (int first = 0; first < n; first += Long.SIZE) {
            cancellation.count(m);
            int rows = Math.min(Long.SIZE, n - first);
            long[] places = pair.matches();
            for (int i = 0; i < rows; i++) {
                places[pattern[first + i]] |= 1L << i;
            }
            int growth = strip(places, rows, text, m, borders);
            for (int i = 0; i < rows; i++) {
                places[pattern[first + i]] = 0;
            }
            if (first + rows == n) {
                distance += growth;
            }
        }
        return distance;
    }

    /**
     * Solves a strip.
     *
     * @param borders on entry, the borders of the row above; on return, of its last row
     * @return how much the last row grows from the first column to the last
     */
    private static int strip(long[] places, int rows, int[] text, int m, long[] borders) {
        long vp = -1;
        long vn = 0;
        long d0 = 0;
        long before = 0;
        int growth = 0;
        for (int j = 0; j < m; j++) {
            long border = borders[j];
            long pm = places[text[j]];
            long swaps = ~d0 & pm;
            long tr = (swaps << 1 | border >> 2) & before;
            long carried = pm | border >> 1 & 1;
            d0 = ((carried & vp) + vp ^ vp) | carried | vn | tr;
            long hp = vn | ~(d0 | vp);
            long hn = d0 & vp;
            long grows = hp >>> rows - 1 & 1;
            long falls = hn >>> rows - 1 & 1;
            growth += (int) (grows - falls);
            borders[j] = grows * GROWS + falls * FALLS + (swaps >>> rows - 1 & 1) * SWAPS;
            hp = hp << 1 | border & 1;
            hn = hn << 1 | border >> 1 & 1;
            vp = hn | ~(d0 | hp);
            vn = hp & d0;
            before = pm;
        }
        return growth;
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
