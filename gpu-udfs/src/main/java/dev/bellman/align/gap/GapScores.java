package dev.bellman.align.gap;

import dev.bellman.BellmanException;
import java.util.Arrays;

/**
 * The scoring of an alignment: the score of two equal letters, the score of two different letters, and the costs of
 * gaps of 1, 2, ... letters in each sequence.
 *
 * @param aCosts the costs of letters of {@code a} opposite a gap, {@code I} in a CIGAR
 * @param bCosts the costs of letters of {@code b} opposite a gap, {@code D} in a CIGAR
 */
record GapScores(long match, long mismatch, long[] aCosts, long[] bCosts) {
    /** The shape of the gap costs, up to the longest gap that the sequences can have. */
    enum Shape {
        /** Each letter after the first adds the same cost: the second differences are 0. */
        AFFINE,
        /**
         * The next letter of a longer gap adds no more than the next letter of a shorter gap: no second difference is
         * positive.
         */
        CONCAVE,
        GENERAL
    }

    /** The bound below which sums of scores must stay so that no candidate overflows. */
    static final long BOUND = 1L << 60;

    /** The bound below which sums of scores must stay in a 32-bit table on a GPU. */
    static final long BOUND_OF_INTS = 1L << 28;

    static GapScores shared(long match, long mismatch, long[] costs) {
        return new GapScores(match, mismatch, costs, costs);
    }

    /**
     * Checks the scoring.
     *
     * @param context the caller, for messages
     * @throws BellmanException if there are too few costs for the sequences, a cost is negative, or a number is too
     *     large
     */
    void check(GapErrorContext context, int aLength, int bLength) {
        if (aCosts == bCosts) {
            checkLength(context, "gap_costs", aCosts, "the longer sequence", Math.max(aLength, bLength));
        } else {
            checkLength(context, "a_gap_costs", aCosts, "a", aLength);
            checkLength(context, "b_gap_costs", bCosts, "b", bLength);
        }
        checkSigns(context, aCosts == bCosts ? "gap_costs" : "a_gap_costs", aCosts);
        checkSigns(context, aCosts == bCosts ? "gap_costs" : "b_gap_costs", bCosts);
        if (aLength == 0 && bLength == 0) {
            // two empty sequences have no sums to check
            return;
        }
        long most = most(BOUND, aLength, bLength);
        checkSize(context, "match", match, most);
        checkSize(context, "mismatch", mismatch, most);
        checkSizes(context, aCosts == bCosts ? "gap_costs" : "a_gap_costs", aCosts, aLength, most);
        checkSizes(context, aCosts == bCosts ? "gap_costs" : "b_gap_costs", bCosts, bLength, most);
    }

    /** Returns the largest magnitude of a score or cost for which no sum reaches {@code bound}. */
    private static long most(long bound, int aLength, int bLength) {
        long columns = (long) aLength + bLength;
        return columns == 0 ? Long.MAX_VALUE : (bound - 1) / columns;
    }

    /** Whether all sums of a scoring that {@link #check} accepts stay below {@link #BOUND_OF_INTS}. */
    boolean fitsInts(int aLength, int bLength) {
        long most = most(BOUND_OF_INTS, aLength, bLength);
        return Math.abs(match) <= most
                && Math.abs(mismatch) <= most
                && Arrays.stream(aCosts, 0, aLength).allMatch(cost -> Math.abs(cost) <= most)
                && Arrays.stream(bCosts, 0, bLength).allMatch(cost -> Math.abs(cost) <= most);
    }

    private static void checkLength(GapErrorContext context, String name, long[] costs, String sequence, int letters) {
        if (costs.length < letters) {
            throw context.invalid(("%s has %d entries, but %s has %d letters; the array needs one cost for each gap "
                            + "length up to the number of letters")
                    .formatted(name, costs.length, sequence, letters));
        }
    }

    /** Rejects negative costs, which would reward gaps. */
    private static void checkSigns(GapErrorContext context, String name, long... costs) {
        for (int i = 0; i < costs.length; i++) {
            if (costs[i] < 0) {
                throw context.invalid("entry %d of %s (counted from 1) is %d; the cost of a gap must be at least 0"
                        .formatted(i + 1, name, costs[i]));
            }
        }
    }

    private static void checkSizes(GapErrorContext context, String name, long[] costs, int letters, long most) {
        for (int i = 0; i < letters; i++) {
            if (costs[i] > most || costs[i] < -most) {
                checkSize(context, "entry %d of %s (counted from 1)".formatted(i + 1, name), costs[i], most);
            }
        }
    }

    private static void checkSize(GapErrorContext context, String what, long value, long most) {
        if (value > most || value < -most) {
            throw context.overflow("%s is %d; for these sequences it must be from %d to %d, so that no sum overflows"
                    .formatted(what, value, -most, most));
        }
    }

    /** Returns the shape of the costs for both sequences. The costs of gaps longer than the sequences do not matter. */
    Shape shape(int aLength, int bLength) {
        Shape a = shape(aCosts, aLength);
        Shape b = shape(bCosts, bLength);
        return a.compareTo(b) > 0 ? a : b;
    }

    private static Shape shape(long[] costs, int longest) {
        Shape shape = Shape.AFFINE;
        for (int i = 2; i < longest; i++) {
            long secondDifference = costs[i] - costs[i - 1] - (costs[i - 1] - costs[i - 2]);
            if (secondDifference > 0) {
                return Shape.GENERAL;
            } else if (secondDifference < 0) {
                shape = Shape.CONCAVE;
            }
        }
        return shape;
    }

    /** Returns the cost of each letter of a gap after the first, if costs are affine. */
    static long extension(long[] costs, int longest) {
        return longest < 2 ? 0 : costs[1] - costs[0];
    }

    long score(boolean equal) {
        return equal ? match : mismatch;
    }
}
