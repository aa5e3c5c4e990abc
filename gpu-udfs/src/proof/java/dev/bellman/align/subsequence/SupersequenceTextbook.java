package dev.bellman.align.subsequence;

import dev.bellman.align.Characters;
import dev.bellman.align.subsequence.SupersequenceOfAll.Strategy;
import dev.bellman.proof.Leeway;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Finds the shortest common supersequence of several strings by its recurrence: tries each possible last character
 * {@code c}, and removes {@code c} from all strings that end in {@code c}. Ties: the result ends with the last
 * character of the first string for which this is optimal; the same rule then determines the characters before it.
 */
final class SupersequenceTextbook {
    /**
     * The leeway that accepts every common supersequence, because strategies that merge strings step by step may find
     * longer ones. The exact strategy solves only instances whose table is small enough.
     */
    static final Leeway LEEWAY = new Leeway() {
        private static final long serialVersionUID = 1L;

        /** The maximum number of cells of the exact table in {@code SupersequenceOfAll}. */
        private static final long MAX_CELLS = 1L << 22;

        @Override
        public boolean isRight(InternalRow arguments, Object expected, Object answer) {
            int[] all = Characters.of((UTF8String) answer);
            return strings(arguments.getArray(0)).stream()
                    .allMatch(string -> SubsequenceTextbook.isSubsequence(string, all));
        }

        @Override
        public boolean isLimited(Enum<?> strategy) {
            return strategy == Strategy.EXACT;
        }

        @Override
        public boolean serves(Enum<?> strategy, InternalRow arguments) {
            if (strategy != Strategy.EXACT || arguments.isNullAt(0) || Values.hasNull(arguments.getArray(0))) {
                return true;
            }
            List<int[]> strings = needed(strings(arguments.getArray(0)));
            double cells = 1;
            for (int[] string : strings) {
                cells *= string.length + 1;
            }
            return strings.size() <= 2 || cells <= MAX_CELLS;
        }
    };

    private final List<int[]> strings;
    private final Map<List<Integer>, Integer> lengths = new HashMap<>();

    private SupersequenceTextbook(List<int[]> strings) {
        this.strings = strings;
    }

    static UTF8String solve(ArrayData argument) {
        if (Values.hasNull(argument)) {
            throw Values.invalid();
        }
        List<int[]> strings = needed(strings(argument));
        SupersequenceTextbook table = new SupersequenceTextbook(strings);
        List<Integer> prefixes = strings.stream().map(string -> string.length).toList();
        int[] backwards = new int[table.length(prefixes)];
        for (int at = backwards.length - 1; at >= 0; at--) {
            int last = table.last(prefixes);
            backwards[at] = last;
            prefixes = table.without(prefixes, last);
        }
        return Characters.text(backwards);
    }

    private static List<int[]> strings(ArrayData argument) {
        List<int[]> strings = new ArrayList<>();
        for (int i = 0; i < argument.numElements(); i++) {
            strings.add(Characters.of(argument.getUTF8String(i)));
        }
        return strings;
    }

    /**
     * Returns the nonempty strings that are not subsequences of other strings; of several equal strings, only the first
     * is returned.
     */
    private static List<int[]> needed(List<int[]> strings) {
        List<int[]> needed = new ArrayList<>();
        for (int i = 0; i < strings.size(); i++) {
            int[] string = strings.get(i);
            boolean spare = string.length == 0;
            for (int j = 0; j < strings.size(); j++) {
                int[] other = strings.get(j);
                spare |= Arrays.equals(string, other)
                        ? j < i
                        : j != i && SubsequenceTextbook.isSubsequence(string, other);
            }
            if (!spare) {
                needed.add(string);
            }
        }
        return needed;
    }

    /** Returns the length of the shortest common supersequence of the given prefixes of the strings. */
    private int length(List<Integer> prefixes) {
        if (prefixes.stream().allMatch(length -> length == 0)) {
            return 0;
        }
        Integer known = lengths.get(prefixes);
        if (known == null) {
            int shortest = Integer.MAX_VALUE;
            for (int k = 0; k < prefixes.size(); k++) {
                if (prefixes.get(k) > 0) {
                    shortest = Math.min(shortest, 1 + length(without(prefixes, end(prefixes, k))));
                }
            }
            known = shortest;
            lengths.put(prefixes, known);
        }
        return known;
    }

    private int end(List<Integer> prefixes, int k) {
        return strings.get(k)[prefixes.get(k) - 1];
    }

    private List<Integer> without(List<Integer> prefixes, int last) {
        List<Integer> shorter = new ArrayList<>(prefixes);
        for (int k = 0; k < shorter.size(); k++) {
            if (shorter.get(k) > 0 && end(prefixes, k) == last) {
                shorter.set(k, prefixes.get(k) - 1);
            }
        }
        return shorter;
    }

    private int last(List<Integer> prefixes) {
        for (int k = 0; k < prefixes.size(); k++) {
            if (prefixes.get(k) > 0 && 1 + length(without(prefixes, end(prefixes, k))) == length(prefixes)) {
                return end(prefixes, k);
            }
        }
        throw new IllegalStateException("no last character yields a shortest supersequence");
    }
}
