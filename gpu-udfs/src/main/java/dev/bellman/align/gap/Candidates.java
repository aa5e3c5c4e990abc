package dev.bellman.align.gap;

import java.util.Arrays;

/**
 * For each target in turn, finds the maximum of {@code value(p) - cost(target - p)} over the positions {@code p} before
 * the target, for concave costs. From one target to the next, an earlier position never falls further behind a later
 * one: the gap from the earlier position is longer, so the next letter adds no more to its cost than to the cost of the
 * shorter gap. A new position that is not ahead at the next target will never be ahead. A new position that is ahead
 * stays ahead up to some target, which is found by bisection; after that target, an earlier position is at least as
 * good. The positions that are best for some target form a stack, with the positions for the next targets on top.
 *
 * <p>For example, let gaps of 1 to 4 letters cost 4, 6, 7 and 7, and let the values be 0 at position 0 and -2 at
 * position 2. At target 3, position 2 is ahead, with -2 - 4 against 0 - 7. At target 4, position 0 is ahead, with 0 - 7
 * against -2 - 6.
 */
final class Candidates {
    private final long[] costs;
    private final int lastTarget;
    private int[] positions = new int[4];
    private long[] values = new long[4];
    /**
     * The last target for which each position is best. The range of these targets begins right after the last target of
     * the position above it on the stack.
     */
    private int[] ends = new int[4];

    private int size;

    /** @param costs the costs of gaps with 1, 2, ... letters */
    Candidates(long[] costs, int lastTarget) {
        this.costs = costs;
        this.lastTarget = lastTarget;
    }

    void clear() {
        size = 0;
    }

    /** Adds a position after all others. */
    void add(int position, long value) {
        int next = position + 1;
        if (next > lastTarget) {
            return;
        }
        drop(next);
        if (size > 0 && valueAt(size - 1, next) >= value - cost(position, next)) {
            return;
        }
        int ahead = next;
        while (size > 0 && value - cost(position, ends[size - 1]) > valueAt(size - 1, ends[size - 1])) {
            ahead = ends[--size];
        }
        if (size == 0) {
            push(position, value, lastTarget);
            return;
        }
        // the position on top of the stack is behind at the target `ahead`, but not at the target `behind`
        int behind = ends[size - 1];
        while (behind - ahead > 1) {
            int middle = ahead + behind >>> 1;
            if (value - cost(position, middle) > valueAt(size - 1, middle)) {
                ahead = middle;
            } else {
                behind = middle;
            }
        }
        push(position, value, ahead);
    }

    private void push(int position, long value, int end) {
        if (size == positions.length) {
            positions = Arrays.copyOf(positions, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
        positions[size] = position;
        values[size] = value;
        ends[size++] = end;
    }

    /** Returns the maximum for a target that comes after all positions; targets must not decrease. */
    long best(int target) {
        drop(target);
        return valueAt(size - 1, target);
    }

    private void drop(int target) {
        while (size > 0 && ends[size - 1] < target) {
            size--;
        }
    }

    private long valueAt(int candidate, int target) {
        return values[candidate] - cost(positions[candidate], target);
    }

    private long cost(int position, int target) {
        return costs[target - position - 1];
    }
}
