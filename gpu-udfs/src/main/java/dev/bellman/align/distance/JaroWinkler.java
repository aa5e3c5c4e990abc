package dev.bellman.align.distance;

import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;

/**
 * The Jaro-Winkler similarity, from 0 to 1, as rapidfuzz computes it.
 *
 * <p><b>Jaro</b> (Jaro, 1989). Two characters can match if they are equal and their positions differ by at most {@code
 * w = max(|a|, |b|) / 2 - 1}; each character of {@code b}, in order, is matched with the first unmatched candidate in
 * {@code a}. Of {@code m} matches, {@code t} are out of order if the k-th matched characters of {@code a} and {@code b}
 * differ for {@code t} values of k. The similarity is then
 *
 * <pre>{@code
 * ((m / |a| + m / |b|) + (m - t / 2) / m) / 3        t / 2 rounded down, and no fused multiply-add
 * }</pre>
 *
 * and 0 if there are no matches. Two empty texts score 1; two texts with one character each score 1 or 0.
 *
 * <p>The similarity is symmetric. Consider the positions of one character, in ascending order in both texts. If the
 * next position in {@code a} and the next position in {@code b} are within reach of each other, they match. Otherwise
 * the smaller of the two is out of reach of all later positions, and is skipped. This rule is symmetric in {@code a}
 * and {@code b}, as are the number of matches out of order and the sum of {@code m / |a|} and {@code m / |b|}.
 *
 * <p><b>Winkler</b> (Winkler, 1990) adds {@code (p * 0.1) * (1 - jaro)} for a common prefix of {@code p} characters, at
 * most 4, if the Jaro similarity exceeds 0.7. Some libraries add this amount regardless of the Jaro similarity.
 *
 * <p><b>Linear time.</b> A character of {@code a} that is more than {@code w} before position {@code j} of {@code b} is
 * also out of reach for all later positions. Therefore, for each symbol, the characters of {@code a} that may still be
 * matched are the tail of an ascending list whose head only moves forward.
 */
public final class JaroWinkler {
    /** Both strategies return the same similarity. */
    public enum Strategy {
        /** Uses bit masks for texts of at most 64 characters, and lists of positions for longer texts. */
        AUTO,
        /** Searches for matches position by position, as in the definition. */
        SERIAL
    }

    /** The Jaro similarity above which Winkler's bonus is added. */
    private static final double BOOST_THRESHOLD = 0.7;

    private static final double PREFIX_WEIGHT = 0.1;
    private static final int MAX_PREFIX = 4;

    private record Matches(int count, int outOfOrder) {}

    private JaroWinkler() {}

    /** Returns the similarity of {@code a} and {@code b}. */
    public static double similarity(Text a, Text b, Strategy strategy) {
        try (SymbolPair pair = SymbolPair.whole(a, b)) {
            int shorter = Math.min(pair.aLength(), pair.bLength());
            int prefix = 0;
            while (prefix < Math.min(MAX_PREFIX, shorter) && pair.a()[prefix] == pair.b()[prefix]) {
                prefix++;
            }
            return boosted(jaro(pair, strategy), prefix);
        }
    }

    /** Returns the Jaro similarity of {@code a} and {@code b}, without Winkler's bonus. */
    public static double jaro(Text a, Text b, Strategy strategy) {
        try (SymbolPair pair = SymbolPair.whole(a, b)) {
            return jaro(pair, strategy);
        }
    }

    /**
     * Returns the Jaro similarity of two sequences. Each match out of order counts as half a transposition, without
     * rounding down: three such matches count as one and a half. Matches each character of {@code b}, in order, with
     * the first unmatched candidate in {@code a}.
     */
    public static double jaroWithHalves(int[] a, int[] b) {
        try (SymbolPair pair = SymbolPair.whole(a, b)) {
            int n = pair.aLength();
            int m = pair.bLength();
            if (n == 0 || m == 0) {
                return n == m ? 1 : 0;
            }
            Matches matches = matches(pair, Strategy.AUTO);
            return jaro(n, m, matches.count(), matches.outOfOrder() / 2.0);
        }
    }

    private static double jaro(SymbolPair pair, Strategy strategy) {
        int n = pair.aLength();
        int m = pair.bLength();
        if (n == 0 || m == 0) {
            return n == m ? 1 : 0;
        }
        Matches matches = matches(pair, strategy);
        return jaro(n, m, matches.count(), matches.outOfOrder() / 2);
    }

    private static Matches matches(SymbolPair pair, Strategy strategy) {
        int longer = Math.max(pair.aLength(), pair.bLength());
        int window = Math.max(0, longer / 2 - 1);
        return strategy == Strategy.SERIAL
                ? byPlaces(pair, window)
                : longer <= Long.SIZE ? byMasks(pair, window) : byLists(pair, window);
    }

    private static double jaro(int n, int m, double count, double transpositions) {
        return count == 0 ? 0 : (count / n + count / m + (count - transpositions) / count) / 3;
    }

    private static double boosted(double jaro, int prefix) {
        return jaro > BOOST_THRESHOLD ? jaro + prefix * PREFIX_WEIGHT * (1 - jaro) : jaro;
    }

    private static Matches byPlaces(SymbolPair pair, int window) {
        takePlaces(pair);
        boolean[] aTaken = new boolean[pair.aLength()];
        boolean[] bTaken = new boolean[pair.bLength()];
        Cancellation cancellation = new Cancellation();
        for (int j = 0; j < bTaken.length; j++) {
            cancellation.count(window);
            for (int i = Math.max(0, j - window); i <= Math.min(aTaken.length - 1, j + window) && !bTaken[j]; i++) {
                if (!aTaken[i] && pair.a()[i] == pair.b()[j]) {
                    aTaken[i] = true;
                    bTaken[j] = true;
                }
            }
        }
        return compared(pair, aTaken, bTaken);
    }

    /**
     * Finds matches with three bit masks of positions in {@code a}: the positions of the symbol, the positions within
     * reach, and the positions that are already matched.
     */
    private static Matches byMasks(SymbolPair pair, int window) {
        int[] a = pair.a();
        int[] b = pair.b();
        long[] places = pair.matches();
        for (int i = 0; i < pair.aLength(); i++) {
            places[a[i]] |= 1L << i;
        }
        long aTaken = 0;
        long bTaken = 0;
        // bits j - window to j + window
        long within = (1L << window + 1) - 1;
        for (int j = 0; j < pair.bLength(); j++) {
            long first = Long.lowestOneBit(places[b[j]] & within & ~aTaken);
            aTaken |= first;
            bTaken |= (first == 0 ? 0L : 1L) << j;
            within = within << 1 | (j < window ? 1 : 0);
        }
        for (int i = 0; i < pair.aLength(); i++) {
            places[a[i]] = 0;
        }
        int count = Long.bitCount(aTaken);
        int outOfOrder = 0;
        for (int k = 0; k < count; k++) {
            outOfOrder += a[Long.numberOfTrailingZeros(aTaken)] == b[Long.numberOfTrailingZeros(bTaken)] ? 0 : 1;
            aTaken &= aTaken - 1;
            bTaken &= bTaken - 1;
        }
        return new Matches(count, outOfOrder);
    }

    /**
     * Finds matches with lists: each symbol has a list of its positions in {@code a}, counted from 1; 0 ends a list.
     */
    private static Matches byLists(SymbolPair pair, int window) {
        int[] a = pair.a();
        int[] b = pair.b();
        long[] heads = pair.matches();
        takePlaces(pair);
        int[] next = new int[pair.aLength() + 1];
        for (int i = pair.aLength(); i > 0; i--) {
            next[i] = (int) heads[a[i - 1]];
            heads[a[i - 1]] = i;
        }
        boolean[] aTaken = new boolean[pair.aLength()];
        boolean[] bTaken = new boolean[pair.bLength()];
        for (int j = 1; j <= pair.bLength(); j++) {
            int i = (int) heads[b[j - 1]];
            while (i != 0 && i < j - window) {
                i = next[i];
            }
            if (i != 0 && i - window <= j) {
                aTaken[i - 1] = true;
                bTaken[j - 1] = true;
                i = next[i];
            }
            heads[b[j - 1]] = i;
        }
        for (int i = 0; i < pair.aLength(); i++) {
            heads[a[i]] = 0;
        }
        return compared(pair, aTaken, bTaken);
    }

    /**
     * Reserves memory for a list entry for each character of {@code a}, and for a flag for each position of both
     * strings.
     */
    private static void takePlaces(SymbolPair pair) {
        TaskMemory.take(
                (Integer.BYTES + 1L) * pair.aLength() + pair.bLength(),
                () -> "a position buffer for strings of %,d and %,d characters"
                        .formatted(pair.aLength(), pair.bLength()));
    }

    private static Matches compared(SymbolPair pair, boolean[] aTaken, boolean[] bTaken) {
        int count = 0;
        int outOfOrder = 0;
        int j = 0;
        for (int i = 0; i < aTaken.length; i++) {
            if (aTaken[i]) {
                while (!bTaken[j]) {
                    j++;
                }
                outOfOrder += pair.a()[i] == pair.b()[j] ? 0 : 1;
                count++;
                j++;
            }
        }
        return new Matches(count, outOfOrder);
    }
}
