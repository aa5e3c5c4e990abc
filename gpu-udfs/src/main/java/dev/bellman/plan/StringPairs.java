package dev.bellman.plan;

import dev.bellman.join.PairSearch;
import dev.bellman.join.Passes;
import dev.bellman.join.StringBlock;
import dev.bellman.join.Strings;
import dev.bellman.join.measure.Measure;

/**
 * Finds the pairs of strings for one part of a join, in batches. Equal strings come first. Pairs that belong to other
 * parts or passes are skipped. All pairs of a batch are looked up in the blocks together, so that cache misses overlap.
 */
final class StringPairs {
    static final int BATCH = 1 << 9;

    private final Strings strings;
    private final Passes.Counted counted;
    private final PairSearch search;
    private final Measure measure;
    private final boolean oneOrder;

    private final int[] leftIds = new int[BATCH];
    private final int[] rightIds = new int[BATCH];
    private final StringBlock[] leftBlocks = new StringBlock[BATCH];
    private final int[] leftIndexes = new int[BATCH];
    private final StringBlock[] rightBlocks = new StringBlock[BATCH];
    private final int[] rightIndexes = new int[BATCH];
    private int count;

    /** The next string to be paired with itself. String numbers, unlike blocks, are the same in every process. */
    private int equal;

    private final int end;
    private int pair;

    /** @param measure determines whether a string forms a pair with itself */
    StringPairs(
            Strings strings,
            Passes.Counted counted,
            PairSearch search,
            int part,
            int parts,
            Measure measure,
            boolean oneOrder) {
        this.strings = strings;
        this.counted = counted;
        this.search = search;
        this.measure = measure;
        this.oneOrder = oneOrder;
        equal = (int) ((long) strings.count() * part / parts);
        end = (int) ((long) strings.count() * (part + 1) / parts);
    }

    /** Finds the next pairs; returns false at the end. */
    boolean advance() {
        count = 0;
        while (count == 0) {
            if (equal < end) {
                addEqual();
            } else if (pair < search.count()) {
                addFound();
            } else if (search.advance()) {
                pair = 0;
            } else {
                return false;
            }
        }
        for (int i = 0; i < count; i++) {
            leftBlocks[i] = strings.block(leftIds[i]);
            leftIndexes[i] = strings.index(leftIds[i]);
        }
        for (int i = 0; i < count; i++) {
            rightBlocks[i] = strings.block(rightIds[i]);
            rightIndexes[i] = strings.index(rightIds[i]);
        }
        return true;
    }

    private void addEqual() {
        for (; count < BATCH && equal < end; equal++) {
            // if only one order counts, a row does not form a pair with itself
            if (measure.isPairWithItself(strings.length(equal)) && (!oneOrder || strings.isSeveralTimesLeft(equal))) {
                add(equal, equal);
            }
        }
    }

    private void addFound() {
        for (; count < BATCH - 1 && pair < search.count(); pair++) {
            int x = search.first(pair);
            int y = search.second(pair);
            add(x, y);
            add(y, x);
        }
    }

    /**
     * Adds a pair of strings if it counts in this pass, if rows of the left side contain its left string, and if rows
     * of the right side contain its right string.
     */
    private void add(int left, int right) {
        if (strings.isLeft(left) && strings.isRight(right) && counted.has(strings, left, right)) {
            leftIds[count] = left;
            rightIds[count] = right;
            count++;
        }
    }

    int count() {
        return count;
    }

    /** Returns the block that contains the left string of a pair, at {@link #leftIndex}. */
    StringBlock leftBlock(int pair) {
        return leftBlocks[pair];
    }

    int leftIndex(int pair) {
        return leftIndexes[pair];
    }

    /** Returns the block that contains the right string of a pair, at {@link #rightIndex}. */
    StringBlock rightBlock(int pair) {
        return rightBlocks[pair];
    }

    int rightIndex(int pair) {
        return rightIndexes[pair];
    }
}
