package dev.bellman.align.subsequence;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.BackwardText;
import dev.bellman.align.Text;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Computes a common supersequence of several strings. Finding a shortest common supersequence is NP-hard: Maier, "The
 * complexity of some problems on subsequences and supersequences" (1978). Duplicates and empty strings are dropped
 * first. If at most {@value #MAX_COMPARED} strings remain, strings that are subsequences of others are also dropped.
 * Neither step changes the optimum.
 *
 * <p><b>Exact.</b> Fills a table over the prefixes of all strings. For each last character {@code c} of a prefix, a
 * cell depends on the cell in which all prefixes that end in {@code c} are one character shorter. Ties: if several last
 * characters are optimal, the last character of the earliest string is used, and likewise for all previous characters.
 * For two strings, this is the result of {@link ShortestCommonSupersequence}.
 *
 * <p><b>Majority merge</b> (Jiang and Li, "On the approximation of shortest common supersequences and longest common
 * subsequences", 1995): repeatedly appends the character that is next in the largest number of strings, until no
 * characters are left. Ties: the character whose strings have the largest number of remaining characters, then the
 * character of the earliest string.
 *
 * <p><b>Progressive merge</b>: repeatedly replaces two strings with their shortest common supersequence, until one
 * string is left. Each time, it chooses the two strings with the longest common subsequence or, in case of ties, the
 * earliest such strings. If there are more than {@value #MAX_COMPARED} strings, neighbours are merged first, until at
 * most that many are left.
 */
public final class SupersequenceOfAll {
    public enum Strategy {
        /**
         * Uses {@link #EXACT} for two strings, or if the exact table is within the limit; otherwise, returns the
         * shorter result of the two merges.
         */
        AUTO,
        EXACT,
        MAJORITY_MERGE,
        PROGRESSIVE_MERGE
    }

    /**
     * The maximum number of cells in the exact table for three or more strings. A table has as many cells as the
     * product of all string lengths, each increased by 1.
     */
    static final int MAX_CELLS = 1 << 22;

    static final int MAX_COMPARED = 64;

    private static final int MAX_BYTES = (1 << 30) - 1;
    /** The number of bytes per string, for its object, its header and its entries in lists. */
    private static final int BYTES_OF_A_STRING = 256;

    private SupersequenceOfAll() {}

    /**
     * Returns a supersequence of all strings, or the empty string if there are none.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the strings have more than 1,073,741,823 bytes in
     *     total, or if the strategy is exact and needs more than 4,194,304 cells
     */
    public static Text of(List<Text> strings, Strategy strategy) {
        return ofEach(List.of(strings), strategy, PairSteps.ON_CPU).get(0);
    }

    /** Like {@link #of}, for many lists. Steps on two strings are batched, and the remaining work runs on all cores. */
    static List<Text> ofEach(List<List<Text>> lists, Strategy strategy, PairSteps steps) {
        List<List<Text>> needed =
                lists.parallelStream().map(SupersequenceOfAll::needed).toList();
        List<Text> alone = needed.parallelStream()
                .map(strings -> withoutSteps(strings, strategy))
                .toList();
        int[] pairwise = IntStream.range(0, needed.size())
                .filter(i -> isPairwise(needed.get(i), strategy))
                .toArray();
        List<Text> merged = ProgressiveMerge.ofEach(
                Arrays.stream(pairwise).mapToObj(needed::get).toList(), steps);
        List<Text> all = new ArrayList<>(alone);
        for (int i = 0; i < pairwise.length; i++) {
            Text byMajority = alone.get(pairwise[i]);
            boolean isShorter =
                    byMajority != null && byMajority.length() < merged.get(i).length();
            all.set(pairwise[i], isShorter ? byMajority : merged.get(i));
        }
        return all;
    }

    /** Whether the strategy merges the strings pairwise, each pair into its shortest common supersequence. */
    private static boolean isPairwise(List<Text> strings, Strategy strategy) {
        return switch (strategy) {
            case AUTO -> strings.size() == 2 || strings.size() > 2 && cells(strings) > MAX_CELLS;
            case EXACT -> strings.size() == 2;
            case MAJORITY_MERGE -> false;
            case PROGRESSIVE_MERGE -> strings.size() >= 2;
        };
    }

    /**
     * Returns the result that the strategy computes without merging pairs, or null if there is none. If {@code auto}
     * merges pairs of more than two strings, this is the result of the majority merge.
     */
    private static Text withoutSteps(List<Text> strings, Strategy strategy) {
        if (strings.size() < 2) {
            return strings.isEmpty() ? Text.of("") : strings.get(0);
        }
        return switch (strategy) {
            case AUTO ->
                strings.size() == 2 ? null : isPairwise(strings, strategy) ? majorityMerge(strings) : exact(strings);
            case EXACT -> strings.size() == 2 ? null : exact(strings);
            case MAJORITY_MERGE -> majorityMerge(strings);
            case PROGRESSIVE_MERGE -> null;
        };
    }

    /**
     * Returns the strings as a list.
     *
     * @param string returns the string with a given index, or null
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if a string is null
     */
    static List<Text> checked(int count, IntFunction<Text> string) {
        List<Text> strings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Text text = string.apply(i);
            if (text == null) {
                throw ArrayArguments.invalid("scs_all", "texts", i, "NULL", "a string");
            }
            strings.add(text);
        }
        return strings;
    }

    /** Returns the total number of cells in the tables of all pairs of strings. */
    static long pairCells(List<Text> strings) {
        long characters = 0;
        long cells = 0;
        for (Text string : strings) {
            long length = string.length();
            cells += characters * length;
            characters += length;
        }
        return cells;
    }

    private static List<Text> needed(List<Text> strings) {
        TaskMemory.take("scs_all", (long) BYTES_OF_A_STRING * strings.size(), "", () -> "a list of %,d strings"
                .formatted(strings.size()));
        long bytes = 0;
        for (Text string : strings) {
            bytes += string.bytes().length;
        }
        if (bytes > MAX_BYTES) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "scs_all: the strings have %,d bytes in total; the maximum is %,d. Use fewer or shorter strings"
                            .formatted(bytes, MAX_BYTES));
        }
        List<Text> distinct =
                strings.stream().filter(string -> !string.isEmpty()).distinct().toList();
        if (distinct.size() > MAX_COMPARED) {
            return distinct;
        }
        int[][] symbols = symbols(distinct);
        Cancellation cancellation = new Cancellation();
        return IntStream.range(0, symbols.length)
                .filter(i -> Arrays.stream(symbols).noneMatch(other -> {
                    cancellation.count(other.length);
                    return symbols[i].length < other.length && isSubsequence(symbols[i], other);
                }))
                .mapToObj(distinct::get)
                .toList();
    }

    private static boolean isSubsequence(int[] string, int[] other) {
        int found = 0;
        for (int at = 0; at < other.length && found < string.length; at++) {
            if (string[found] == other[at]) {
                found++;
            }
        }
        return found == string.length;
    }

    private static int[][] symbols(List<Text> strings) {
        return strings.stream().map(Text::characters).toArray(int[][]::new);
    }

    /** Returns the number of cells in the exact table, capped at the maximum plus 1. */
    private static long cells(List<Text> strings) {
        long cells = 1;
        for (Text string : strings) {
            cells = Math.min(MAX_CELLS + 1L, cells * (string.length() + 1));
        }
        return cells;
    }

    private static Text exact(List<Text> texts) {
        int[][] strings = symbols(texts);
        long cells = cells(texts);
        if (cells > MAX_CELLS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("scs_all: the exact table for %d strings has more than %,d cells (the product of length + 1 over "
                                    + "these strings). Use the strategy auto")
                            .formatted(strings.length, MAX_CELLS));
        }
        int[] lengths = new int[(int) cells];
        int[] prefixes = new int[strings.length];
        int[] strides = new int[strings.length];
        int stride = 1;
        for (int k = strings.length - 1; k >= 0; k--) {
            strides[k] = stride;
            stride *= strings[k].length + 1;
        }
        Cancellation cancellation = new Cancellation();
        for (int cell = 1; cell < cells; cell++) {
            cancellation.count((long) strings.length * strings.length);
            next(prefixes, strings);
            int shortest = Integer.MAX_VALUE;
            for (int k = 0; k < strings.length; k++) {
                if (prefixes[k] > 0) {
                    shortest = Math.min(
                            shortest, lengths[before(cell, strings[k][prefixes[k] - 1], prefixes, strings, strides)]);
                }
            }
            lengths[cell] = shortest + 1;
        }
        return walk(lengths, prefixes, strings, strides);
    }

    /** Advances to the prefixes of the next cell. */
    private static void next(int[] prefixes, int[][] strings) {
        int k = strings.length - 1;
        while (prefixes[k] == strings[k].length) {
            prefixes[k--] = 0;
        }
        prefixes[k]++;
    }

    /**
     * Returns the cell of the prefixes that remain if {@code symbol} is removed from the end of each prefix that ends
     * in it.
     */
    private static int before(int cell, int symbol, int[] prefixes, int[][] strings, int[] strides) {
        int before = cell;
        for (int k = 0; k < strings.length; k++) {
            if (prefixes[k] > 0 && strings[k][prefixes[k] - 1] == symbol) {
                before -= strides[k];
            }
        }
        return before;
    }

    private static Text walk(int[] lengths, int[] prefixes, int[][] strings, int[] strides) {
        BackwardText text = new BackwardText("scs_all");
        for (int cell = lengths.length - 1; cell > 0; ) {
            for (int k = 0; k < strings.length; k++) {
                if (prefixes[k] == 0) {
                    continue;
                }
                int symbol = strings[k][prefixes[k] - 1];
                int before = before(cell, symbol, prefixes, strings, strides);
                if (lengths[before] + 1 == lengths[cell]) {
                    text.prepend(symbol);
                    for (int other = k; other < strings.length; other++) {
                        if (prefixes[other] > 0 && strings[other][prefixes[other] - 1] == symbol) {
                            prefixes[other]--;
                        }
                    }
                    cell = before;
                    break;
                }
            }
        }
        return text.text();
    }

    /** A group of strings that have the same next character. */
    private static final class Heads {
        private final int symbol;
        private int[] strings = new int[4];
        private int count;
        private long left;

        Heads(int symbol) {
            this.symbol = symbol;
        }

        void add(int string, int charactersLeft) {
            if (count == strings.length) {
                strings = Arrays.copyOf(strings, 2 * count);
            }
            strings[count++] = string;
            left += charactersLeft;
        }

        int earliest() {
            return Arrays.stream(strings, 0, count).min().orElseThrow();
        }

        boolean goesBefore(Heads other) {
            if (count != other.count) {
                return count > other.count;
            }
            return left != other.left ? left > other.left : earliest() < other.earliest();
        }
    }

    private static Text majorityMerge(List<Text> texts) {
        int[][] strings = symbols(texts);
        int[] taken = new int[strings.length];
        Map<Integer, Heads> heads = new HashMap<>();
        for (int k = 0; k < strings.length; k++) {
            heads.computeIfAbsent(strings[k][0], Heads::new).add(k, strings[k].length);
        }
        long characters = Arrays.stream(strings).mapToLong(each -> each.length).sum();
        TaskMemory.take(
                "scs_all",
                Integer.BYTES * characters + (long) BYTES_OF_A_STRING * strings.length,
                "",
                () -> "a merge of %,d characters".formatted(characters));
        int[] merged = new int[(int) characters];
        int count = 0;
        Cancellation cancellation = new Cancellation();
        while (!heads.isEmpty()) {
            cancellation.count(strings.length);
            Heads best = null;
            for (Heads each : heads.values()) {
                if (best == null || each.goesBefore(best)) {
                    best = each;
                }
            }
            merged[count++] = best.symbol;
            heads.remove(best.symbol);
            for (int i = 0; i < best.count; i++) {
                int k = best.strings[i];
                if (++taken[k] < strings[k].length) {
                    heads.computeIfAbsent(strings[k][taken[k]], Heads::new).add(k, strings[k].length - taken[k]);
                }
            }
        }
        BackwardText text = new BackwardText("scs_all");
        while (count > 0) {
            text.prepend(merged[--count]);
        }
        return text.text();
    }
}
