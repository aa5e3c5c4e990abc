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
 * between two strips: whether the value in the row above increases from the previous column, whether it decreases, the
 * bit that {@code U} (or, for {@link OsaDistance}, {@code (~D0' & PM) << 1}) shifts in, and whether the row above does
 * not equal its upper left neighbour. From the last bit, the next strip computes {@code G} in the row above.
 *
 * <p><b>Band.</b> A path over diagonal {@code j - i = p} has at least {@code |p| + |m - n - p|} insertions and
 * deletions, including those of transpositions, so a strip omits the columns whose diagonals exceed the limit. At the
 * edges of the omitted corners, differences are assumed to be 1, as on the borders of the table, so that every value is
 * the value of some path. A transposition reads matches in two neighbouring rows and columns. Therefore, a strip has
 * one more column on each side than its diagonals need. After a strip, the search ends if no path within the limit
 * leaves its last row. For long strings, smaller limits than the given one are tried first.
 */
final class TranspositionBits {
    /**
     * The bit that is set if the value in the row above a border increases from the previous column. The following
     * constants are the other bits that cross a border.
     */
    private static final int GROWS = 1;

    private static final int FALLS = 2;
    private static final int REACHES = 4;
    private static final int DIFFERS = 8;

    /** A placeholder for the symbol of the row above the first row, which does not exist. */
    private static final int NONE = -1;

    /** The first limit that is tried for long strings, as a number of edits beyond the difference of the lengths. */
    private static final int FEW = 64;

    /** The factor by which the limit grows if the distance exceeds it. */
    private static final int WIDER = 4;

    /**
     * The ratio of the shorter string's length to the largest limit that is tried. Bands with limits that are too small
     * contain at most a sixth of the table's cells. For unrelated strings, these searches end early: they took at most
     * 5% of the time for the whole table.
     */
    private static final int WORTH_A_BAND = 8;

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
     * Returns the distance between a pair's strings, neither of which is empty, or -1 or a larger number if it exceeds
     * {@code max}.
     *
     * @param max at least the difference between the lengths
     * @param gaps whether characters may be inserted or deleted between the two transposed characters
     */
    static int distance(SymbolPair pair, int max, boolean gaps) {
        int n = pair.aLength();
        int m = pair.bLength();
        for (long edits = FEW; edits <= Math.min(n, m) / WORTH_A_BAND; edits *= WIDER) {
            int limit = (int) Math.abs((long) n - m) + (int) edits;
            if (limit >= max) {
                break;
            }
            int found = within(pair, limit, gaps);
            if (found >= 0 && found <= limit) {
                return found;
            }
        }
        return within(pair, max, gaps);
    }

    /** Returns the distance, or -1 or a larger number if it exceeds {@code limit}. */
    private static int within(SymbolPair pair, int limit, boolean gaps) {
        int n = pair.aLength();
        int m = pair.bLength();
        return n < m
                ? strips(pair, pair.a(), n, pair.b(), m, limit, gaps)
                : strips(pair, pair.b(), m, pair.a(), n, limit, gaps);
    }

    /** Computes the distance in strips of 64 symbols of the pattern, which is the shorter string. */
    private static int strips(SymbolPair pair, int[] pattern, int n, int[] text, int m, int max, boolean gaps) {
        int limit = Math.min(max, m);
        int lowest = -(limit - (m - n)) / 2;
        long highest = ((long) limit + (m - n)) / 2;
        long[] borders = pair.horizontal(m);
        Arrays.fill(borders, 0, m, GROWS);
        Cancellation cancellation = new Cancellation();
        int corner = 0;
        int cornerColumn = 0;
        for (int first = 0; ; first += Long.SIZE) {
            int rows = Math.min(Long.SIZE, n - first);
            int end = first + rows;
            int from = Math.max(0, first + lowest - 1);
            int to = (int) Math.min(m, end + highest + 1);
            for (; cornerColumn < from; cornerColumn++) {
                corner += step(borders[cornerColumn]);
            }
            corner += rows;
            cancellation.count(to - from);
            long[] places = pair.matches();
            for (int i = 0; i < rows; i++) {
                places[pattern[first + i]] |= 1L << i;
            }
            int growth = gaps
                    ? stripWithGaps(places, rows, first == 0 ? NONE : pattern[first - 1], text, from, to, borders)
                    : strip(places, rows, text, from, to, borders);
            for (int i = 0; i < rows; i++) {
                places[pattern[first + i]] = 0;
            }
            if (end == n) {
                return corner + growth;
            }
            if (limit < m && exceeds(limit, corner, borders, from, to, m - n + end)) {
                return -1;
            }
        }
    }

    /**
     * Whether every path that leaves a row in a column from {@code from} to {@code to} costs more than {@code limit}.
     *
     * @param value the row's value in column {@code from}
     * @param free the column from which the rest of a path need not contain insertions or deletions
     */
    private static boolean exceeds(int limit, int value, long[] borders, int from, int to, int free) {
        int here = value;
        for (int j = from; j < to; j++) {
            if (here + Math.abs(free - j) <= limit) {
                return false;
            }
            here += step(borders[j]);
        }
        return here + Math.abs(free - to) > limit;
    }

    private static int step(long border) {
        return (int) (border & GROWS) - (int) (border >> 1 & 1);
    }

    /**
     * Solves the columns from {@code from} to {@code to} of a strip.
     *
     * @param borders on entry, the border bits of the row above; on return, those of the strip's last row
     * @return the sum of the last row's differences from column to column
     */
    private static int strip(long[] places, int rows, int[] text, int from, int to, long[] borders) {
        long vp = -1;
        long vn = 0;
        long d0 = 0;
        long before = 0;
        int growth = 0;
        for (int j = from; j < to; j++) {
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
     * @param above the symbol of the row above the strip, or {@link #NONE}
     */
    private static int stripWithGaps(long[] places, int rows, int above, int[] text, int from, int to, long[] borders) {
        long vp = -1;
        long vn = 0;
        long d0 = 0;
        long before = 0;
        long gap = 0;
        long gapAbove = 0;
        int growth = 0;
        for (int j = from; j < to; j++) {
            long border = borders[j];
            long pm = places[text[j]];
            long starts = ~d0 & pm;
            long below = starts << 1 | border >> 2 & 1;
            long reached = ((below & vp) + vp ^ vp) | below;
            long reaches = starts | vp & reached;
            long swaps = gap & pm;
            long tr = reached & before | swaps << 1 | (text[j] == above ? gapAbove : 0);
            long carried = pm | border >> 1 & 1;
            d0 = ((carried & vp) + vp ^ vp) | carried | vn | tr;
            long hp = vn | ~(d0 | vp);
            long hn = d0 & vp;
            gap = gap & hp | ~d0 & pm >>> 1;
            gapAbove = gapAbove & border | border >> 3 & pm;
            long grows = hp >>> rows - 1 & 1;
            long falls = hn >>> rows - 1 & 1;
            growth += (int) (grows - falls);
            borders[j] = grows * GROWS
                    + falls * FALLS
                    + (reaches >>> rows - 1 & 1) * REACHES
                    + (~d0 >>> rows - 1 & 1) * DIFFERS;
            hp = hp << 1 | border & 1;
            hn = hn << 1 | border >> 1 & 1;
            vp = hn | ~(d0 | hp);
            vn = hp & d0;
            before = pm;
        }
        return growth;
    }
}
