package dev.bellman.schedule;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;

/**
 * Finds the subarray with the maximum sum: {@code sum(t) = value(t) + max(0, sum(t - 1))} is the maximum sum of a
 * subarray that ends at {@code t} (Kadane, in Bentley, "Programming pearls", 1984). Ties: the subarray that ends first
 * wins, then the shortest.
 */
public final class MaximumSubarray {
    /** Both strategies use the same algorithm. */
    public enum Strategy {
        AUTO,
        SERIAL
    }

    private MaximumSubarray() {}

    /**
     * The sum and the positions of a subarray.
     *
     * @param sum a Long or a Double
     * @param end exclusive
     */
    record Part(Object sum, int begin, int end) {}

    static Part of(String function, long... values) {
        long best = 0;
        int bestBegin = 0;
        int bestEnd = 0;
        long sum = 0;
        int begin = 0;
        for (int i = 0; i < values.length; i++) {
            if (sum <= 0) {
                sum = 0;
                begin = i;
            }
            long next = sum + values[i];
            if (sum > 0 && values[i] > 0 && next < 0) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_OVERFLOW,
                        "%s: the sum of values exceeds %d, the maximum BIGINT value; use smaller values"
                                .formatted(function, Long.MAX_VALUE));
            }
            sum = next;
            if (bestEnd == 0 || sum > best) {
                best = sum;
                bestBegin = begin;
                bestEnd = i + 1;
            }
        }
        return new Part(best, bestBegin, bestEnd);
    }

    static Part of(double... values) {
        double best = 0;
        int bestBegin = 0;
        int bestEnd = 0;
        double sum = 0;
        int begin = 0;
        for (int i = 0; i < values.length; i++) {
            if (sum <= 0) {
                sum = 0;
                begin = i;
            }
            sum += values[i];
            if (bestEnd == 0 || sum > best) {
                best = sum;
                bestBegin = begin;
                bestEnd = i + 1;
            }
        }
        return new Part(best, bestBegin, bestEnd);
    }
}
