package dev.bellman.plan.bound;

import dev.bellman.align.Text;
import dev.bellman.join.Strings;
import dev.bellman.join.measure.Measure;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Makes a join on {@code hamming_distance} fail, as the function does, if two strings have different lengths. */
public final class EqualLengths {
    private static final int NONE = -1;
    private static final int SIDES = 2;

    private final Strings strings;
    private final long[] groups;
    /** For each group, a shortest string on each side. */
    private final int[] shortest;

    /** For each group, a longest string on each side. */
    private final int[] longest;

    private EqualLengths(Strings strings) {
        this.strings = strings;
        groups = IntStream.range(0, strings.count())
                .mapToLong(strings::group)
                .sorted()
                .distinct()
                .toArray();
        shortest = new int[SIDES * groups.length];
        longest = new int[SIDES * groups.length];
        Arrays.fill(shortest, NONE);
        Arrays.fill(longest, NONE);
    }

    /** Throws an exception if strings that would be compared must have the same length but do not. */
    public static void check(Strings strings, Measure measure) {
        if (!measure.needsEqualLengths()) {
            return;
        }
        EqualLengths lengths = new EqualLengths(strings);
        // strings are in ascending order of length
        for (int string = 0; string < strings.count(); string++) {
            lengths.add(string);
        }
        for (int left = 0; left < lengths.shortest.length; left += SIDES) {
            lengths.compare(lengths.shortest[left], lengths.longest[left + 1], measure);
            lengths.compare(lengths.longest[left], lengths.shortest[left + 1], measure);
        }
    }

    private void add(int string) {
        int left = SIDES * Arrays.binarySearch(groups, strings.group(string));
        if (strings.isLeft(string)) {
            add(string, left);
        }
        if (strings.isRight(string)) {
            add(string, left + 1);
        }
    }

    private void add(int string, int side) {
        shortest[side] = shortest[side] == NONE ? string : shortest[side];
        longest[side] = string;
    }

    private void compare(int left, int right, Measure measure) {
        if (left != NONE && right != NONE && strings.length(left) != strings.length(right)) {
            measure.isPair(text(left), text(right));
        }
    }

    private Text text(int string) {
        return Text.of(strings.bytes(string));
    }
}
