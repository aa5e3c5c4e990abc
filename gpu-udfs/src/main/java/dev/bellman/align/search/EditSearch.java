package dev.bellman.align.search;

import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.align.bits.BitTable;
import dev.bellman.align.bits.EditDistanceBits;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;

/**
 * Finds the substring of a text that has the smallest edit distance to a pattern, either anywhere or at the beginning
 * of the text: Sellers, "The theory and computation of evolutionary distances: pattern recognition" (1980). The rows of
 * the table correspond to the pattern, the columns to the text; if the substring may begin anywhere, the top border is
 * 0. The smallest value of the last row is the distance, and the substring ends at the first column with this value. To
 * find where the substring begins, this class searches backward from its end for the reversed pattern; the last column
 * with the smallest value is the beginning.
 *
 * <p>Columns are computed on words of 64 rows, as in {@link EditDistanceBits}. The last word, which contains the last
 * row, is computed by this class; for a long pattern, a {@link BitTable} computes the words above it. The closest
 * substring at the beginning of the text has at most twice as many characters as the pattern.
 */
public final class EditSearch {
    /** Both strategies return the same distance and substring. */
    public enum Strategy {
        /** Uses the bit-parallel algorithm. */
        AUTO,
        /** Computes the table column by column, cell by cell. */
        SERIAL
    }

    /**
     * A substring of the text. Ties: the substrings that end first are preferred, and among these, the longest.
     *
     * @param begin the index of the first character, from 0
     * @param end one past the last character
     */
    public record Part(int distance, int begin, int end) {}

    /**
     * The smallest value of the last row.
     *
     * @param first the first column with this value; column {@code j} is after the j-th character of the text
     * @param last the last such column
     */
    private record Least(int value, int first, int last) {
        Least with(int other, int column) {
            if (other > value) {
                return this;
            }
            return other < value ? new Least(other, column, column) : new Least(value, first, column);
        }
    }

    /** The number of columns between two checks for cancellation. */
    private static final int COLUMNS = 1 << 16;

    private EditSearch() {}

    /** Returns the smallest distance between the pattern and any substring of the text. */
    public static int infixDistance(Text pattern, Text text, Strategy strategy) {
        try (SymbolPair pair = SymbolPair.whole(pattern, text)) {
            return least(pair, true, strategy).value();
        }
    }

    /** Returns the smallest distance between the pattern and any prefix of the text. */
    public static int prefixDistance(Text pattern, Text text, Strategy strategy) {
        return prefix(pattern, text, strategy).distance();
    }

    public static Part infix(Text pattern, Text text, Strategy strategy) {
        Least least;
        try (SymbolPair pair = SymbolPair.whole(pattern, text)) {
            least = least(pair, true, strategy);
        }
        int end = least.first();
        int[] from = pattern.characters();
        long longest = (long) from.length + least.value();
        int[] before = reversed(text.characters(), end, (int) Math.min(end, longest));
        try (SymbolPair pair = SymbolPair.whole(reversed(from, from.length, from.length), before)) {
            return new Part(least.value(), end - least(pair, false, strategy).last(), end);
        }
    }

    public static Part prefix(Text pattern, Text text, Strategy strategy) {
        int[] characters = text.characters();
        int[] beginning = characters;
        if (pattern.length() < characters.length / 2) {
            beginning = new int[2 * pattern.length()];
            System.arraycopy(characters, 0, beginning, 0, beginning.length);
        }
        try (SymbolPair pair = SymbolPair.whole(pattern.characters(), beginning)) {
            Least least = least(pair, false, strategy);
            return new Part(least.value(), 0, least.first());
        }
    }

    /** Returns the last {@code length} characters before {@code end} in reverse order. */
    private static int[] reversed(int[] characters, int end, int length) {
        TaskMemory.take((long) Integer.BYTES * length, () -> "a string of %,d characters".formatted(length));
        int[] reversed = new int[length];
        for (int i = 0; i < length; i++) {
            reversed[i] = characters[end - 1 - i];
        }
        return reversed;
    }

    private static Least least(SymbolPair pair, boolean anywhere, Strategy strategy) {
        if (pair.aLength() == 0) {
            return new Least(0, 0, anywhere ? pair.bLength() : 0);
        }
        if (strategy == Strategy.SERIAL || pair.bLength() == 0) {
            return serial(pair, anywhere);
        }
        return byWords(pair, anywhere);
    }

    private static Least serial(SymbolPair pair, boolean anywhere) {
        int[] a = pair.a();
        int n = pair.aLength();
        TaskMemory.take(Integer.BYTES * (n + 1L), () -> "a pattern of %,d characters".formatted(n));
        int[] column = new int[n + 1];
        for (int i = 0; i <= n; i++) {
            column[i] = i;
        }
        Least least = new Least(n, 0, 0);
        Cancellation cancellation = new Cancellation();
        for (int j = 1; j <= pair.bLength(); j++) {
            cancellation.count(n);
            int diagonal = column[0];
            column[0] = anywhere ? 0 : j;
            for (int i = 1; i <= n; i++) {
                int substituted = diagonal + (a[i - 1] == pair.b()[j - 1] ? 0 : 1);
                diagonal = column[i];
                column[i] = Math.min(substituted, Math.min(diagonal, column[i - 1]) + 1);
            }
            least = least.with(column[n], j);
        }
        return least;
    }

    /**
     * Computes the columns with Hyyrö's algorithm (2003), using the horizontal differences of the row above the last
     * word. If there is no such row, the differences are constant.
     */
    private static Least byWords(SymbolPair pair, boolean anywhere) {
        int[] a = pair.a();
        int[] b = pair.b();
        int n = pair.aLength();
        int above = n - 1 & -Long.SIZE;
        long[] row = above == 0
                ? null
                : BitTable.row(anywhere ? EditDistanceBits.ANYWHERE : EditDistanceBits.INSTANCE, pair, above);
        long[] matches = pair.matches();
        for (int i = above; i < n; i++) {
            matches[a[i]] |= 1L << i;
        }
        long top = anywhere ? 0 : 1;
        long bottom = 0;
        long more = -1;
        long less = 0;
        int value = n;
        Least least = new Least(n, 0, 0);
        Cancellation cancellation = new Cancellation();
        for (int from = 0; from < pair.bLength(); from += COLUMNS) {
            int to = Math.min(pair.bLength(), from + COLUMNS);
            cancellation.count(to - from);
            int best = least.value();
            int first = least.first();
            int last = least.last();
            for (int j = from; j < to; j++) {
                if (row != null) {
                    top = row[2 * (j >>> 6)] >>> j & 1;
                    bottom = row[2 * (j >>> 6) + 1] >>> j & 1;
                }
                long x = matches[b[j]] | bottom;
                long diagonal = (x & more) + more ^ more | x | less;
                long up = less | ~(diagonal | more);
                long down = more & diagonal;
                value += (int) (up >>> n - 1 & 1) - (int) (down >>> n - 1 & 1);
                up = up << 1 | top;
                more = down << 1 | bottom | ~(diagonal | up);
                less = up & diagonal;
                if (value <= best) {
                    first = value < best ? j + 1 : first;
                    last = j + 1;
                    best = value;
                }
            }
            least = new Least(best, first, last);
        }
        for (int i = above; i < n; i++) {
            matches[a[i]] = 0;
        }
        return least;
    }
}
