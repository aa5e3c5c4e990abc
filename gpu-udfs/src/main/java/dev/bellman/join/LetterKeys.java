package dev.bellman.join;

import dev.bellman.join.measure.LetterMeasure;
import dev.bellman.join.measure.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Generates keys for strings that have at least {@code o} characters in common, in any order: such strings share a
 * sorted selection of {@code o} characters. This is symmetric deletion applied to sorted characters. A key of {@code s
 * <= o} of these characters is enough. Since {@code o - s} common characters follow the first {@code s} common
 * characters, the latter are among the first {@code n - o + s} of {@code n} sorted characters. This is the prefix
 * filter of Chaudhuri, Ganti and Kaushik, "A primitive operator for similarity joins in data cleaning" (2006), for
 * {@code s} tokens instead of one. Rare characters are sorted first.
 *
 * <p>If pairs with a common prefix need fewer other characters in common, pairs are divided into classes by the length
 * of their common prefix. A key then begins with the prefix, and the selections are made from the other characters.
 */
final class LetterKeys {
    /** The maximum number of keys that a string has for one class of pairs and one selection size. */
    private static final double MAX_KEYS = 2_000;

    /** The maximum number of characters of a key; more characters would hardly reduce the number of candidates. */
    private static final int MAX_SIZE = 64;

    /** The number of character classes whose frequencies are counted. */
    private static final int COUNTED = 256;

    private static final long SPREAD = 0xD6E8FEB86659FD93L;

    private final Strings strings;
    private final Sizes sizes;
    private final int beginning;
    private final long[] powers;
    private final long[] counts = new long[COUNTED];
    /** The selections for each common-prefix length and each string length. */
    private final Selection[][][] selections;

    private final int[] characters;
    private final int[] others;
    private final int[] sorted;
    private final int[] sortedOthers;
    private final long[] order;

    /** A selection of {@code size} characters from the first {@code of} characters in sorted order. */
    private record Selection(int of, int size) {
        double keys() {
            return ways(of, size);
        }
    }

    /** The sizes of selections for pairs with given lengths. */
    private static final class Sizes {
        private final LetterMeasure measure;
        private final Limits limits;
        private final int most;
        /** The size for each common-prefix length and each length of the longer string; 0 if not computed yet. */
        private final int[][] mostOf;

        Sizes(Limits limits, int most, int longest) {
            measure = (LetterMeasure) limits.measure();
            this.limits = limits;
            this.most = most < 0 ? MAX_SIZE : Math.max(1, Math.min(most, MAX_SIZE));
            mostOf = new int[measure.prefixes() + 1][longest + 1];
        }

        /** Returns the minimum number of common characters that follow a common prefix of {@code prefix} characters. */
        int common(int n, int m, int prefix) {
            return Math.max(prefix, measure.common(Math.min(n, m), Math.max(n, m), prefix)) - prefix;
        }

        boolean isPossible(int n, int m, int prefix) {
            int shorter = Math.min(n, m);
            return prefix <= shorter && measure.common(shorter, Math.max(n, m), prefix) <= shorter;
        }

        int size(int n, int m, int prefix) {
            int longer = Math.max(n, m);
            if (mostOf[prefix][longer] == 0) {
                mostOf[prefix][longer] = most(longer, prefix);
            }
            return Math.min(mostOf[prefix][longer], common(n, m, prefix));
        }

        /**
         * Returns the selection size for the shortest partner, which needs the fewest common characters and thus the
         * most keys.
         */
        private int most(int longer, int prefix) {
            int shorter = limits.shortestPartner(longer);
            while (shorter < longer && !isPossible(shorter, longer, prefix)) {
                shorter++;
            }
            int deleted = longer - prefix - common(shorter, longer, prefix);
            int size = 1;
            double keys = deleted + 1;
            while (size < Math.min(most, longer) && keys * (deleted + size + 1) / (size + 1) <= MAX_KEYS) {
                keys = keys * (deleted + size + 1) / (size + 1);
                size++;
            }
            return size;
        }

        Selection[] selections(boolean[] occur, int n, int prefix) {
            int[] fewest = new int[n + 1];
            Arrays.fill(fewest, Integer.MAX_VALUE);
            int longest = Math.min(occur.length - 1, limits.longestPartner(n));
            for (int m = limits.shortestPartner(n); m <= longest; m++) {
                if (occur[m] && isPossible(n, m, prefix)) {
                    int size = size(n, m, prefix);
                    fewest[size] = Math.min(fewest[size], common(n, m, prefix));
                }
            }
            List<Selection> selections = new ArrayList<>();
            for (int size = 0; size <= n; size++) {
                if (fewest[size] <= n) {
                    selections.add(new Selection(n - prefix - fewest[size] + size, size));
                }
            }
            return selections.toArray(Selection[]::new);
        }

        Selection[][][] all(boolean[] occur) {
            Selection[][][] all = new Selection[measure.prefixes() + 1][occur.length][];
            for (int prefix = 0; prefix < all.length; prefix++) {
                for (int n = prefix; n < occur.length; n++) {
                    all[prefix][n] = occur[n] ? selections(occur, n, prefix) : new Selection[0];
                }
            }
            return all;
        }
    }

    /**
     * @param most the maximum number of characters of a selection; negative for {@link #MAX_SIZE}
     * @param beginning the number of characters of a selection that determine the slice of a key
     */
    LetterKeys(Strings strings, Limits limits, int most, int beginning) {
        this.strings = strings;
        this.beginning = beginning;
        sizes = new Sizes(limits, most, strings.longest());
        boolean[] occur = strings.lengthsThatOccur();
        selections = sizes.all(occur);
        int room = strings.longest() + 1;
        powers = Hash.powers(room);
        characters = new int[room];
        others = new int[room];
        sorted = new int[room];
        sortedOthers = new int[room];
        order = new long[room];
        for (int id = 0; id < strings.count(); id++) {
            strings.characters(id, characters);
            for (int i = 0; i < strings.length(id); i++) {
                counts[characters[i] & COUNTED - 1]++;
            }
        }
        // the sort packs each count into half a word
        Arrays.setAll(counts, i -> Math.min(counts[i], Integer.MAX_VALUE));
    }

    /** Returns the number of ways to select {@code selected} of {@code of} characters. */
    private static double ways(int of, int selected) {
        double ways = 1;
        for (int r = 1; r <= Math.min(selected, of - selected); r++) {
            ways = ways * (of - r + 1) / r;
        }
        return ways;
    }

    /** Estimates, for each string length, the number of keys of a string. */
    static double[] count(boolean[] occur, Limits limits, int most) {
        double[] keys = new double[occur.length];
        for (Selection[][] ofPrefix : new Sizes(limits, most, occur.length - 1).all(occur)) {
            for (int length = 0; length < keys.length; length++) {
                keys[length] += ofPrefix[length] == null
                        ? 0
                        : Arrays.stream(ofPrefix[length])
                                .mapToDouble(Selection::keys)
                                .sum();
            }
        }
        return keys;
    }

    void add(int string, KeyBuffer to) {
        int n = strings.length(string);
        strings.characters(string, characters);
        for (int prefix = 0; prefix < selections.length && prefix <= n; prefix++) {
            if (selections[prefix][n].length > 0) {
                long seed = seed(string, prefix);
                sort(characters, prefix, n, sorted);
                for (Selection selection : selections[prefix][n]) {
                    select(string, selection, 0, 0, seed, to);
                }
            }
        }
    }

    /**
     * Adds a key for each way to select the remaining characters, starting at {@code from}, after {@code selected}
     * characters.
     */
    private void select(int string, Selection selection, int selected, int from, long hash, KeyBuffer to) {
        if (selected == Math.min(beginning, selection.size()) && !to.hasBeginning(Hash.mix(hash))) {
            return;
        }
        if (selected == selection.size()) {
            to.add(Hash.mix(hash), string, KeyBuffer.DELETION);
            return;
        }
        int end = selection.of() - (selection.size() - selected);
        for (int i = from; i <= end; i++) {
            // select only the first of several equal characters
            if (i == from || sorted[i] != sorted[i - 1]) {
                select(string, selection, selected + 1, i + 1, hash + term(sorted[i], selected), to);
            }
        }
    }

    private long term(int character, int place) {
        return Hash.character(character) * powers[place];
    }

    private long seed(int string, int prefix) {
        long seed = DeletionKeys.seed(strings.group(string)) + prefix;
        for (int i = 0; i < prefix; i++) {
            seed = Hash.mix(seed * SPREAD + Hash.character(characters[i]));
        }
        return seed;
    }

    /** Sorts the characters from {@code from} to {@code to} into a different array, with rare classes first. */
    private void sort(int[] of, int from, int to, int[] into) {
        for (int i = from; i < to; i++) {
            order[i - from] = counts[of[i] & COUNTED - 1] << Integer.SIZE | of[i] & 0xffff_ffffL;
        }
        Arrays.sort(order, 0, to - from);
        for (int i = 0; i < to - from; i++) {
            into[i] = (int) order[i];
        }
    }

    /**
     * Whether the buffer accepts a pair's owner and the owner's word is between {@code firstWord} and {@code lastWord},
     * inclusive. The owner is the shared key that consists of the first common characters.
     *
     * @param x the string with the smaller number
     */
    boolean isOwner(int x, int y, KeyBuffer keys, long firstWord, long lastWord) {
        int xLength = strings.length(x);
        int yLength = strings.length(y);
        strings.characters(x, characters);
        strings.characters(y, others);
        int prefix = 0;
        while (prefix < Math.min(selections.length - 1, xLength) && characters[prefix] == others[prefix]) {
            prefix++;
        }
        sort(characters, prefix, xLength, sorted);
        sort(others, prefix, yLength, sortedOthers);
        int size = sizes.size(xLength, yLength, prefix);
        long hash = seed(x, prefix);
        long hashOfFirst = hash;
        int common = 0;
        for (int i = 0, j = 0; common < size; ) {
            if (sorted[i] == sortedOthers[j]) {
                hash += term(sorted[i], common);
                common++;
                hashOfFirst = common <= beginning ? hash : hashOfFirst;
                i++;
                j++;
            } else if (isBefore(sorted[i], sortedOthers[j])) {
                i++;
            } else {
                j++;
            }
        }
        return keys.has(Hash.mix(hashOfFirst), Hash.mix(hash), firstWord, lastWord);
    }

    private boolean isBefore(int one, int other) {
        int byCount = Long.compare(counts[one & COUNTED - 1], counts[other & COUNTED - 1]);
        return byCount != 0 ? byCount < 0 : Integer.compareUnsigned(one, other) < 0;
    }
}
