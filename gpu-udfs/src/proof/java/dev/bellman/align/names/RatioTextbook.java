package dev.bellman.align.names;

import dev.bellman.align.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the ratios as rapidfuzz's documentation does. */
final class RatioTextbook {
    private RatioTextbook() {}

    /** Returns the characters of a string as a list. */
    static List<Integer> text(UTF8String text, boolean normalize) {
        List<Integer> characters =
                Arrays.stream(Text.of(text.getBytes()).characters()).boxed().toList();
        return normalize ? normalized(characters) : characters;
    }

    static List<Integer> normalized(List<Integer> text) {
        List<Integer> normalized = text.stream()
                .map(character -> Character.isLetterOrDigit(character)
                                || Character.getType(character) == Character.LETTER_NUMBER
                                || Character.getType(character) == Character.OTHER_NUMBER
                        ? Character.toLowerCase(character)
                        : ' ')
                .toList();
        int from = 0;
        int to = normalized.size();
        while (from < to && normalized.get(from) == ' ') {
            from++;
        }
        while (from < to && normalized.get(to - 1) == ' ') {
            to--;
        }
        return normalized.subList(from, to);
    }

    static double ratio(List<Integer> a, List<Integer> b) {
        double both = a.size() + b.size();
        return both == 0 ? 100 : (1 - (both - 2 * common(a, b)) / both) * 100;
    }

    private static int common(List<Integer> a, List<Integer> b) {
        int[][] table = new int[a.size() + 1][b.size() + 1];
        for (int i = 1; i <= a.size(); i++) {
            for (int j = 1; j <= b.size(); j++) {
                table[i][j] = a.get(i - 1).equals(b.get(j - 1))
                        ? table[i - 1][j - 1] + 1
                        : Math.max(table[i - 1][j], table[i][j - 1]);
            }
        }
        return table[a.size()][b.size()];
    }

    static double partialRatio(List<Integer> a, List<Integer> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.equals(b) ? 100 : 0;
        }
        if (a.size() > b.size()) {
            return partialRatio(b, a);
        }
        double best = a.size() == b.size() ? windows(b, a) : 0;
        return Math.max(best, windows(a, b));
    }

    private static double windows(List<Integer> shorter, List<Integer> longer) {
        int n = shorter.size();
        double best = 0;
        for (int from = 1 - n; from < longer.size(); from++) {
            List<Integer> window = longer.subList(Math.max(0, from), Math.min(longer.size(), from + n));
            best = Math.max(best, ratio(shorter, window));
        }
        return best;
    }

    /**
     * Splits a string at the characters for which Python's {@code str.isspace} is true; U+0085 and U+00A0 count as
     * space only if the string contains characters beyond Latin-1.
     */
    static List<List<Integer>> words(List<Integer> text) {
        boolean wide = text.stream().anyMatch(character -> character < 0 || character > 0xff);
        List<List<Integer>> words = new ArrayList<>();
        List<Integer> word = new ArrayList<>();
        for (int character : text) {
            boolean space = "\t\n\u000b\f\r\u001c\u001d\u001e\u001f ".indexOf(character) >= 0
                    || wide && "\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000".indexOf(character) >= 0
                    || character >= 0x2000 && character <= 0x200a;
            if (!space) {
                word.add(character);
            } else if (!word.isEmpty()) {
                words.add(word);
                word = new ArrayList<>();
            }
        }
        if (!word.isEmpty()) {
            words.add(word);
        }
        return words;
    }

    private static int order(List<Integer> a, List<Integer> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = Integer.compareUnsigned(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return a.size() - b.size();
    }

    private static List<Integer> joined(Iterable<List<Integer>> words) {
        List<Integer> joined = new ArrayList<>();
        for (List<Integer> word : words) {
            if (!joined.isEmpty()) {
                joined.add((int) ' ');
            }
            joined.addAll(word);
        }
        return joined;
    }

    private static List<Integer> sorted(List<Integer> text) {
        return joined(words(text).stream().sorted(RatioTextbook::order).toList());
    }

    private static Set<List<Integer>> set(List<Integer> text) {
        Set<List<Integer>> set = new TreeSet<>(RatioTextbook::order);
        set.addAll(words(text));
        return set;
    }

    /** Returns the words that are, or that are not, among the other words. */
    private static List<List<Integer>> shared(Set<List<Integer>> words, Set<List<Integer>> others, boolean wanted) {
        return words.stream().filter(word -> others.contains(word) == wanted).toList();
    }

    static double tokenSortRatio(List<Integer> a, List<Integer> b) {
        return ratio(sorted(a), sorted(b));
    }

    static double partialTokenSortRatio(List<Integer> a, List<Integer> b) {
        return partialRatio(sorted(a), sorted(b));
    }

    static double tokenSetRatio(List<Integer> a, List<Integer> b) {
        return words(a).isEmpty() || words(b).isEmpty() ? 0 : ofSets(a, b);
    }

    private static double ofSets(List<Integer> a, List<Integer> b) {
        List<List<Integer>> common = shared(set(a), set(b), true);
        List<Integer> onlyA = joined(shared(set(a), set(b), false));
        List<Integer> onlyB = joined(shared(set(b), set(a), false));
        if (!common.isEmpty() && (onlyA.isEmpty() || onlyB.isEmpty())) {
            return 100;
        }
        int joined = joined(common).size();
        int before = joined + (joined == 0 ? 0 : 1);
        double both = 2.0 * before + onlyA.size() + onlyB.size();
        double distance = onlyA.size() + onlyB.size() - 2 * common(onlyA, onlyB);
        double best = both == 0 ? 100 : 100 - 100 * distance / both;
        for (List<Integer> only : List.of(onlyA, onlyB)) {
            double added = before - joined + only.size();
            best = Math.max(best, joined == 0 ? 0 : 100 - 100 * added / (2 * joined + added));
        }
        return best;
    }

    /**
     * Returns the weighted ratio. A ratio that would not increase the best weighted ratio so far counts as 0: it is
     * compared with the best ratio divided by its weight. This quotient is rounded, so its rounding is part of the
     * definition.
     */
    static double weightedRatio(List<Integer> a, List<Integer> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return 0;
        }
        double longer = (double) Math.max(a.size(), b.size()) / Math.min(a.size(), b.size());
        double best = ratio(a, b);
        if (longer < 1.5) {
            return Math.max(best, above(best / 0.95, Math.max(tokenSortRatio(a, b), ofSets(a, b))) * 0.95);
        }
        double weight = longer <= 8 ? 0.9 : 0.6;
        best = Math.max(best, above(best / weight, partialRatio(a, b)) * weight);
        return Math.max(best, above(best / 0.95, partialTokenRatio(a, b)) * 0.95 * weight);
    }

    private static double above(double cutoff, double ratio) {
        return cutoff <= 100 && ratio >= cutoff ? ratio : 0;
    }

    private static double partialTokenRatio(List<Integer> a, List<Integer> b) {
        if (!shared(set(a), set(b), true).isEmpty()) {
            return 100;
        }
        return Math.max(partialTokenSortRatio(a, b), partialRatio(joined(set(a)), joined(set(b))));
    }
}
