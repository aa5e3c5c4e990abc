package dev.bellman.join;

import dev.bellman.join.measure.Limits;

/**
 * Compares each string of the smaller side with all strings of similar length on the other side. A join uses this
 * search if there are few such comparisons, or if nearly every pair is close.
 */
final class PlainSearch extends PairSearch {
    private static final int ENOUGH = 1 << 14;

    /**
     * The estimated time that a GPU takes to compare two signatures. The population counts account for half of this
     * time.
     */
    private static final double NANOSECONDS_A_GPU_COMPARISON = 0.001;

    private static final double NANOSECONDS_A_GPU_VERIFICATION = 0.3;

    /** The time that a CPU takes to compare two strings of up to 64 characters. */
    private static final double NANOSECONDS_A_VERIFICATION = 100;

    private final Strings strings;
    private final Limits limits;
    private final Verifier verifier;
    private final int smallSide;
    private final int from;
    private final int to;
    private final Runnable checkpoint;
    private int next;

    /**
     * Creates a search that compares the strings of the smaller side with those in part number {@code part} of {@code
     * parts} equal parts of all strings.
     */
    PlainSearch(Strings strings, Limits limits, int part, int parts, Runnable checkpoint) {
        strings.readable();
        this.strings = strings;
        this.limits = limits;
        this.checkpoint = checkpoint;
        verifier = new Verifier(strings, limits);
        smallSide = smallSide(strings);
        from = (int) ((long) strings.count() * part / parts);
        to = (int) ((long) strings.count() * (part + 1) / parts);
    }

    private static int smallSide(Strings strings) {
        return of(strings, Strings.LEFT) < of(strings, Strings.RIGHT) ? Strings.LEFT : Strings.RIGHT;
    }

    private static long of(Strings strings, int side) {
        long count = 0;
        for (int id = 0; id < strings.count(); id++) {
            count += (strings.sides(id) & side) == 0 ? 0 : 1;
        }
        return count;
    }

    /** Returns an upper bound on the number of pairs that a plain search compares. */
    static double comparisons(Strings strings, Limits limits) {
        int small = smallSide(strings);
        int from = 0;
        int to = 0;
        double comparisons = 0;
        for (int x = 0; x < strings.count(); x++) {
            while (strings.length(from) < limits.shortestPartner(strings.length(x))) {
                from++;
            }
            while (to < strings.count() && strings.length(to) <= limits.longestPartner(strings.length(x))) {
                to++;
            }
            comparisons += (strings.sides(x) & small) == 0 ? 0 : to - from;
        }
        return comparisons;
    }

    /** Estimates the time that a CPU takes to compare two strings, from their average length. */
    static double nanosecondsAVerification(Strings strings, Limits limits) {
        long characters = 0;
        for (int length = 0; length <= strings.longest(); length++) {
            characters += (long) length * (strings.first(length + 1) - strings.first(length));
        }
        int length = (int) (characters / Math.max(1, strings.count()));
        int words = Math.min(length, 2 * limits.edits(length)) / Long.SIZE + 1;
        return NANOSECONDS_A_VERIFICATION * Math.max(1, (double) length / Long.SIZE * words);
    }

    /**
     * Estimates the time in which a GPU compares each string with all strings of similar length, on either side.
     *
     * @param similar the fraction of pairs whose signatures are similar enough
     */
    static double nanosecondsOnGpu(Strings strings, Limits limits, double similar) {
        double pairs = 0;
        for (int n = 0; n <= strings.longest(); n++) {
            double count = strings.first(n + 1) - strings.first(n);
            for (int m = n; m <= Math.min(strings.longest(), limits.longestPartner(n)); m++) {
                if (limits.apart(n, m) >= 0) {
                    pairs += count * (strings.first(m + 1) - strings.first(m)) / (n == m ? 2 : 1);
                }
            }
        }
        return pairs * (NANOSECONDS_A_GPU_COMPARISON + similar * NANOSECONDS_A_GPU_VERIFICATION);
    }

    @Override
    public boolean advance() {
        found.clear();
        if (next == strings.count() || limits.maxEdits() < 1) {
            return false;
        }
        while (next < strings.count() && found.count() < ENOUGH) {
            if ((next & 255) == 0) {
                checkpoint.run();
            }
            if ((strings.sides(next) & smallSide) != 0) {
                compare(next);
            }
            next++;
        }
        return true;
    }

    private void compare(int x) {
        int wanted = Strings.BOTH & ~smallSide;
        long group = strings.group(x);
        boolean xIsBoth = strings.sides(x) == Strings.BOTH;
        int end = Math.min(to, firstLongerThan(limits.longestPartner(strings.length(x))));
        for (int y = Math.max(from, firstLongerThan(limits.shortestPartner(strings.length(x)) - 1)); y < end; y++) {
            int sides = strings.sides(y);
            // if a pair occurs in both orders, count it only once
            if ((sides & wanted) == 0 || y == x || y < x && sides == Strings.BOTH && xIsBoth) {
                continue;
            }
            counts.compared++;
            if (strings.mayBeApart(x, y, limits.apart(strings.length(x), strings.length(y)))
                    && strings.group(y) == group) {
                counts.candidates++;
                counts.verified++;
                if (verifier.isPair(x, y)) {
                    found.add(Math.min(x, y), Math.max(x, y));
                }
            }
        }
    }

    private int firstLongerThan(int length) {
        int low = 0;
        int high = strings.count();
        while (low < high) {
            int middle = low + high >>> 1;
            if (strings.length(middle) <= length) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
