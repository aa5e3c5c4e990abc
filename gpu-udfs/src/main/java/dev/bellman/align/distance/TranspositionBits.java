package dev.bellman.align.distance;

import dev.bellman.align.SymbolPair;
import dev.bellman.columns.Cancellation;
import java.util.Arrays;
import java.util.function.ToIntFunction;

/**
 * Computes edit distances that allow transpositions, with a bit-parallel algorithm. In the algorithm of Hyyrö, "A
 * bit-vector algorithm for computing Levenshtein and Damerau edit distances" (2003), two words represent 64 rows of a
 * column. {@code VP} marks the rows whose value is one more than in the row above, {@code VN} the rows whose value is
 * one less. With {@code PM}, the rows whose symbol equals the column's,
 *
 * <pre>{@code
 * D0 = (((PM & VP) + VP) ^ VP) | PM | VN | TR        rows that equal their upper left neighbour
 * HP = VN | ~(D0 | VP),  HN = D0 & VP                rows that grow or fall by one from column to column
 * VP = HN << 1 | ~(D0 | HP << 1),  VN = HP << 1 & D0
 * }</pre>
 *
 * {@code TR} marks the rows that end in a transposition and thereby equal their upper left neighbour. For
 * {@link OsaDistance}, {@code TR} is Hyyrö's formula
 *
 * <pre>{@code
 * TR = (~D0' & PM) << 1 & PM'                        with D0' and PM' of the column before
 * }</pre>
 *
 * <p><b>Gaps.</b> In {@link DamerauLevenshtein}, {@code a_k X a_i} may become {@code b_l Y b_j} if {@code a_k == b_j}
 * and {@code a_i == b_l}, at a cost of {@code |X| + |Y| + 1}. Substitutions cost at most {@code 2 + max(|X|, |Y|)}, so
 * only transpositions with an empty {@code X} or {@code Y} matter. No cell is less than its upper left neighbour, so a
 * transposition matters only if its value equals that of the upper left neighbour.
 *
 * <p>If {@code Y} is empty, that is, {@code l == j - 1}, the value is {@code H(k - 1, j - 2) + i - k}. Since neighbours
 * differ by at most one,
 *
 * <pre>{@code
 * H(i - 1, j - 1) <= H(k, j - 1) + i - 1 - k <= H(k - 1, j - 2) + 1 + i - 1 - k
 * }</pre>
 *
 * so equality must hold in both places: in the previous column, row k does not equal its upper left neighbour, and each
 * of the rows from {@code k + 1} to {@code i - 1} is one more than the row above. As in {@code D0}, an addition carries
 * through such rows:
 *
 * <pre>{@code
 * S = (~D0' & PM) << 1,  U = (((S & VP) + VP) ^ VP) | S,  TR = U & PM'
 * }</pre>
 *
 * If {@code X} is empty, that is, {@code k == i - 1}, row {@code i - 1} likewise must not equal its upper left
 * neighbour in column {@code l}, and its value must increase by one in each column from {@code l + 1} to {@code j - 1}.
 * {@code G} marks such rows:
 *
 * <pre>{@code
 * TR |= (G & PM) << 1,  G = G & HP | ~D0 & PM >> 1
 * }</pre>
 *
 * <p>The sum in {@code D0} need not carry from rows of {@code TR}: {@code a_i == b_l} implies {@code H(i, j - 1) <= H(i
 * - 1, j - 1)} in all three cases, so these rows are not in {@code VP}.
 *
 * <p>A pattern with more than 64 symbols is solved in strips of 64 rows. Up to four bits per column cross the border
 * between two strips: whether the value in the row above increases from the previous column, whether it decreases, and
 * the bits that {@code U} (or, for {@link OsaDistance}, {@code (~D0' & PM) << 1}) and {@code (G & PM) << 1} shift in.
 */
final class TranspositionBits {
    /**
     * The bit that is set if the value in the row above a border increases from the previous column. The following
     * constants are the other bits that cross a border.
     */
    private static final int GROWS = 1;

    private static final int FALLS = 2;
    private static final int REACHES = 4;
    private static final int SWAPS = 8;

    /** A placeholder for the symbol of the row below the last row, which does not exist. */
    private static final int NONE = -1;

    private TranspositionBits() {}

    /**
     * Returns the distance between a pair's strings, or -1 if it exceeds {@code max}; a negative {@code max} excludes
     * every distance.
     *
     * @param core the two strings without their common prefix and suffix; this method closes the pair
     * @param distance computes the distance between two non-empty strings that have no common prefix or suffix
     */
    static int distance(SymbolPair core, int max, ToIntFunction<SymbolPair> distance) {
        try (SymbolPair pair = core) {
            int n = pair.aLength();
            int m = pair.bLength();
            if (Math.abs((long) n - m) > max) {
                return -1;
            }
            int found = n == 0 || m == 0 ? Math.max(n, m) : distance.applyAsInt(pair);
            return found <= max ? found : -1;
        }
    }

    /**
     * Returns the distance between a pair's strings, neither of which is empty.
     *
     * @param gaps whether characters may be inserted or deleted between the two transposed characters
     */
    static int distance(SymbolPair pair, boolean gaps) {
        int n = pair.aLength();
        int m = pair.bLength();
        return n < m ? strips(pair, pair.a(), n, pair.b(), m, gaps) : strips(pair, pair.b(), m, pair.a(), n, gaps);
    }

    /** Returns the distance, computed in strips of 64 symbols of the pattern, which is the shorter string. */
    private static int strips(SymbolPair pair, int[] pattern, int n, int[] text, int m, boolean gaps) {
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
            int growth = gaps
                    ? stripWithGaps(places, rows, first + rows < n ? pattern[first + rows] : NONE, text, m, borders)
                    : strip(places, rows, text, m, borders);
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
     * @param borders on entry, the border bits of the row above; on return, those of the strip's last row
     * @return the difference between the values in the last and in the first column of the last row
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
            borders[j] = grows * GROWS + falls * FALLS + (swaps >>> rows - 1 & 1) * REACHES;
            hp = hp << 1 | border & 1;
            hn = hn << 1 | border >> 1 & 1;
            vp = hn | ~(d0 | hp);
            vn = hp & d0;
            before = pm;
        }
        return growth;
    }

    /**
     * Like {@link #strip}, but with gaps. A single loop that handles both cases with a flag would take a third longer.
     *
     * @param next the symbol of the row below the strip, or {@link #NONE}
     */
    private static int stripWithGaps(long[] places, int rows, int next, int[] text, int m, long[] borders) {
        long vp = -1;
        long vn = 0;
        long d0 = 0;
        long before = 0;
        long gap = 0;
        int growth = 0;
        for (int j = 0; j < m; j++) {
            long border = borders[j];
            long pm = places[text[j]];
            long starts = ~d0 & pm;
            long below = starts << 1 | border >> 2 & 1;
            long reached = ((below & vp) + vp ^ vp) | below;
            long reaches = starts | vp & reached;
            long swaps = gap & pm;
            long tr = reached & before | swaps << 1 | border >> 3;
            long carried = pm | border >> 1 & 1;
            d0 = ((carried & vp) + vp ^ vp) | carried | vn | tr;
            long hp = vn | ~(d0 | vp);
            long hn = d0 & vp;
            gap = gap & hp | ~d0 & (pm >>> 1 | (text[j] == next ? 1L << rows - 1 : 0));
            long grows = hp >>> rows - 1 & 1;
            long falls = hn >>> rows - 1 & 1;
            growth += (int) (grows - falls);
            borders[j] = grows * GROWS
                    + falls * FALLS
                    + (reaches >>> rows - 1 & 1) * REACHES
                    + (swaps >>> rows - 1 & 1) * SWAPS;
            hp = hp << 1 | border & 1;
            hn = hn << 1 | border >> 1 & 1;
            vp = hn | ~(d0 | hp);
            vn = hp & d0;
            before = pm;
        }
        return growth;
    }
}
