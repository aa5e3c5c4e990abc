package dev.bellman.align.search;

import dev.bellman.align.search.EditSearch.Part;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the ends of all substrings of a text that are within a given edit distance of a pattern. Each such end
 * corresponds to a column of Sellers' table (1980) whose value in the last row is within the limit. The match reported
 * for an end is the longest substring whose distance is the value of that column.
 *
 * <p>Columns are computed on words of 64 rows after Myers, "A fast bit-vector algorithm for approximate string matching
 * based on dynamic programming" (1999), in Hyyrö's form (2003). For a long pattern, a column contains only the words
 * that may contain a value up to the limit (Ukkonen, 1985). To find where a match begins, this class searches backward
 * from the match's end for the reversed pattern, which takes at most {@code n + distance} columns if the pattern has
 * {@code n} characters.
 */
public final class Occurrences {
    /** Both strategies find the same matches. */
    public enum Strategy {
        /**
         * Uses the bit-parallel algorithm. Computes cell by cell if there are so many matches that finding their
         * beginnings would take longer, or if the bit-parallel algorithm would need a very large table.
         */
        AUTO,
        /**
         * Computes the table cell by cell. Each cell contains its value and the first position at which a substring
         * with this distance begins.
         */
        SERIAL
    }

    /** The number of columns between two checks for cancellation. */
    private static final int COLUMNS = 1 << 14;

    /** The maximum number of words in the table of a pattern's rows. A larger table costs more than it saves. */
    private static final long MAX_ROW_WORDS = 1 << 22;

    /** The number of bytes per match, in total: its list entry, its row object, and its Spark row. */
    private static final int BYTES_OF_A_PART = 200;

    private static final int FIRST_PARTS = 1024;

    /** The ends of the matches in ascending order, and their distances. */
    private final class Ends {
        private int[] ends = new int[16];
        private int[] distances = new int[16];
        private int count;

        void add(int end, int distance) {
            count();
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, 2 * count);
                distances = Arrays.copyOf(distances, 2 * count);
            }
            ends[count] = end;
            distances[count++] = distance;
        }
    }

    private final int[] text;
    private final Letters letters;
    private final boolean nucleotides;
    private final Strategy strategy;
    /** The letters of the text as codes; null if no codes are needed. */
    private final int[] codes;

    /** The total number of matches found for all patterns. */
    private long found;

    /** The number of matches up to which no more memory needs to be reserved; a few matches need no reservation. */
    private long reckoned = FIRST_PARTS;

    private final Cancellation cancellation = new Cancellation();

    /**
     * @param text the characters of the text
     * @param nucleotides whether letters are IUPAC nucleotide letters
     * @param patterns all patterns that will be searched for
     */
    Occurrences(int[] text, boolean nucleotides, List<int[]> patterns, Strategy strategy) {
        this.text = text;
        this.nucleotides = nucleotides;
        this.strategy = strategy;
        letters = strategy == Strategy.AUTO ? Letters.of(nucleotides, patterns) : null;
        TaskMemory.take((long) Integer.BYTES * text.length, () -> "a string of %,d characters".formatted(text.length));
        codes = letters == null ? null : letters.codes(text);
    }

    /** Counts a match; reserves memory for twice as many matches whenever the reserved memory is used up. */
    private void count() {
        if (++found > reckoned) {
            TaskMemory.take((long) BYTES_OF_A_PART * reckoned, () -> "a result of more than %,d occurrences"
                    .formatted(reckoned));
            reckoned *= 2;
        }
    }

    /**
     * Returns the matches with at most {@code max} edits, in the order of their ends. {@code max} must not be negative.
     */
    List<Part> of(int[] pattern, int max) {
        int n = pattern.length;
        int words = Math.max(1, n + 63 >>> 6);
        if (strategy == Strategy.SERIAL || n == 0 || (long) letters.count() * words > MAX_ROW_WORDS) {
            return serial(pattern, max);
        }
        TaskMemory.take(2L * Long.BYTES * letters.count() * words, () -> "a table for a pattern of %,d characters"
                .formatted(n));
        long[] rows = letters.rows(pattern, words);
        Ends ends = new Ends();
        if (words == 1) {
            byWord(rows, n, max, ends);
        } else {
            new Column(rows, n, words).search(max, ends);
        }
        long columns = (long) ends.count * (n + Math.min(n, max));
        if (columns * words > (long) n * text.length) {
            found -= ends.count;
            return serial(pattern, max);
        }
        long[] backward = letters.rows(reversed(pattern), words);
        List<Part> parts = new ArrayList<>(ends.count);
        for (int i = 0; i < ends.count; i++) {
            int end = ends.ends[i];
            int distance = ends.distances[i];
            int length = words == 1
                    ? longest(backward, n, end, distance)
                    : new Column(backward, n, words).longest(end, distance);
            parts.add(new Part(distance, end - length, end));
        }
        return parts;
    }

    private static int[] reversed(int[] pattern) {
        int[] reversed = new int[pattern.length];
        for (int i = 0; i < reversed.length; i++) {
            reversed[i] = pattern[pattern.length - 1 - i];
        }
        return reversed;
    }

    private void byWord(long[] rows, int n, int max, Ends ends) {
        long more = -1;
        long less = 0;
        int value = n;
        if (n <= max) {
            ends.add(0, n);
        }
        for (int from = 0; from < codes.length; from += COLUMNS) {
            int to = Math.min(codes.length, from + COLUMNS);
            cancellation.count(to - from);
            for (int j = from; j < to; j++) {
                long x = rows[codes[j]];
                long diagonal = (x & more) + more ^ more | x | less;
                long up = less | ~(diagonal | more);
                long down = more & diagonal;
                value += (int) (up >>> n - 1 & 1) - (int) (down >>> n - 1 & 1);
                up <<= 1;
                more = down << 1 | ~(diagonal | up);
                less = up & diagonal;
                if (value <= max) {
                    ends.add(j + 1, value);
                }
            }
        }
    }

    /**
     * For a pattern that fits in one word, returns the length of the longest substring that ends at {@code end} with
     * this distance, which must be the minimum at {@code end}.
     */
    private int longest(long[] backward, int n, int end, int distance) {
        int most = (int) Math.min(end, (long) n + distance);
        cancellation.count(most);
        long more = -1;
        long less = 0;
        int value = n;
        int length = 0;
        for (int j = 0; j < most; j++) {
            long x = backward[codes[end - 1 - j]];
            long diagonal = (x & more) + more ^ more | x | less;
            long up = less | ~(diagonal | more);
            long down = more & diagonal;
            value += (int) (up >>> n - 1 & 1) - (int) (down >>> n - 1 & 1);
            up = up << 1 | 1;
            more = down << 1 | ~(diagonal | up);
            less = up & diagonal;
            length = value == distance ? j + 1 : length;
        }
        return length;
    }

    /** A column of the table for a pattern with several words. */
    private final class Column {
        private final long[] rows;
        private final int words;
        /** The number of rows in the last word. */
        private final int lastRows;

        private final long[] more;
        private final long[] less;
        /** For each word, the value of its last row in the current column. */
        private final int[] values;

        Column(long[] rows, int n, int words) {
            this.rows = rows;
            this.words = words;
            lastRows = n - 64 * (words - 1);
            more = new long[words];
            less = new long[words];
            values = new int[words];
            Arrays.fill(more, -1);
            for (int word = 0; word < words; word++) {
                values[word] = 64 * word + height(word);
            }
        }

        private int height(int word) {
            return word == words - 1 ? lastRows : 64;
        }

        /**
         * Computes a word of the next column. Returns the amount by which the value of the word's last row increases.
         */
        private int advance(int word, int code, int above) {
            long p = more[word];
            long n = less[word];
            long grows = above > 0 ? 1 : 0;
            long falls = above < 0 ? 1 : 0;
            long x = rows[code * words + word] | falls;
            long diagonal = (x & p) + p ^ p | x | n;
            long up = n | ~(diagonal | p);
            long down = p & diagonal;
            int last = height(word) - 1;
            int growth = (int) (up >>> last & 1) - (int) (down >>> last & 1);
            up = up << 1 | grows;
            more[word] = down << 1 | falls | ~(diagonal | up);
            less[word] = up & diagonal;
            values[word] += growth;
            return growth;
        }

        /**
         * Finds the ends. Words below the last computed word contain only values above the limit. The next word becomes
         * relevant if two conditions hold: in the previous column, the value of the row above the word is within the
         * limit; and this value decreases, or the word's first row matches.
         */
        void search(int max, Ends ends) {
            int last = (int) Math.min(words - 1, max / 64L);
            if (values[words - 1] <= max) {
                ends.add(0, values[words - 1]);
            }
            for (int j = 0; j < codes.length; j++) {
                int code = codes[j];
                cancellation.count(last + 1L);
                int growth = 0;
                for (int word = 0; word <= last; word++) {
                    growth = advance(word, code, growth);
                }
                int before = values[last] - growth;
                if (last < words - 1 && before <= max && (growth < 0 || (rows[code * words + last + 1] & 1) != 0)) {
                    last++;
                    more[last] = -1;
                    less[last] = 0;
                    values[last] = before + height(last);
                    advance(last, code, growth);
                } else {
                    while (last > 0 && values[last] >= (long) max + height(last)) {
                        last--;
                    }
                }
                if (last == words - 1 && values[last] <= max) {
                    ends.add(j + 1, values[last]);
                }
            }
        }

        /**
         * Returns the length of the longest substring that ends at {@code end} with this distance to the pattern, which
         * must be the minimum at {@code end}.
         */
        int longest(int end, int distance) {
            int most = (int) Math.min(end, 64L * (words - 1) + lastRows + distance);
            int length = 0;
            for (int j = 0; j < most; j++) {
                cancellation.count(words);
                int growth = 1;
                for (int word = 0; word < words; word++) {
                    growth = advance(word, codes[end - 1 - j], growth);
                }
                length = values[words - 1] == distance ? j + 1 : length;
            }
            return length;
        }
    }

    /**
     * Computes cell by cell; each cell contains the first position at which a substring with the cell's value begins.
     */
    private List<Part> serial(int[] pattern, int max) {
        int n = pattern.length;
        TaskMemory.take(2L * Integer.BYTES * (n + 1), () -> "a pattern of %,d characters".formatted(n));
        int[] value = new int[n + 1];
        int[] begin = new int[n + 1];
        for (int i = 0; i <= n; i++) {
            value[i] = i;
        }
        List<Part> parts = new ArrayList<>();
        add(parts, value[n], begin[n], 0, max);
        for (int j = 1; j <= text.length; j++) {
            cancellation.count(n + 1L);
            int diagonal = 0;
            int diagonalBegin = j - 1;
            begin[0] = j;
            for (int i = 1; i <= n; i++) {
                int substituted = diagonal + (Letters.match(nucleotides, pattern[i - 1], text[j - 1]) ? 0 : 1);
                int left = value[i] + 1;
                int above = value[i - 1] + 1;
                int best = Math.min(substituted, Math.min(left, above));
                int first = Math.min(
                        best == substituted ? diagonalBegin : j,
                        Math.min(best == left ? begin[i] : j, best == above ? begin[i - 1] : j));
                diagonal = value[i];
                diagonalBegin = begin[i];
                value[i] = best;
                begin[i] = first;
            }
            add(parts, value[n], begin[n], j, max);
        }
        return parts;
    }

    private void add(List<Part> parts, int distance, int begin, int end, int max) {
        if (distance <= max) {
            count();
            parts.add(new Part(distance, begin, end));
        }
    }
}
