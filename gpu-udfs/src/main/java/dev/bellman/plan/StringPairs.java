package dev.bellman.plan;

import dev.bellman.join.PairSearch;
import dev.bellman.join.Passes;
import dev.bellman.join.StringBlock;
import dev.bellman.join.Strings;
import dev.bellman.join.measure.Measure;

/**
 * Finds the pairs of strings for one part of a join, in batches. Equal strings come first. Part 0 begins its search
 * before it returns them, so that the strings are copied to a GPU while the other parts return equal strings. Pairs
 * that belong to other parts or passes are skipped. All strings of a batch are looked up in the blocks together, so
 * that cache misses overlap.
 *
 * <p>A batch is a list of strings, two for each pair of equal or close strings: if the strings {@code x} and {@code y}
 * are at the indexes 0 and 1, pair 0 is {@code (x, y)}, and pair 1 is {@code (y, x)}. One of them may be unwanted.
 */
final class StringPairs {
    static final int BATCH = 1 << 10;
    /** The number of strings per share; their pairs fill a batch. */
    private static final int SHARE = BATCH / 2;

    private final Strings strings;
    private final Passes.Counted counted;
    private final PairSearch search;
    private final Measure measure;
    private final boolean oneOrder;

    private final int[] ids = new int[BATCH];
    private final boolean[] wanted = new boolean[BATCH];
    private final StringBlock[] blocks = new StringBlock[BATCH];
    private final int[] indexes = new int[BATCH];
    private int count;

    /** The next string to be paired with itself. String numbers, unlike blocks, are the same in every process. */
    private long equal;

    /** The number of strings from the end of a share to the beginning of the part's next share. */
    private final long ofOthers;
    /** Whether this part searches before it returns equal strings. */
    private boolean searchesFirst;

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
        equal = (long) SHARE * part;
        ofOthers = (long) SHARE * (parts - 1);
        searchesFirst = part == 0;
    }

    /** Finds the next pairs; returns false at the end. */
    boolean advance() {
        count = 0;
        if (searchesFirst) {
            search.advance();
            searchesFirst = false;
        }
        while (count == 0) {
            if (equal < strings.count()) {
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
            blocks[i] = strings.block(ids[i]);
            indexes[i] = strings.index(ids[i]);
        }
        return true;
    }

    private void addEqual() {
        while (count < BATCH && equal < strings.count()) {
            int string = (int) equal++;
            // if only one order counts, a row does not form a pair with itself
            if (measure.isPairWithItself(strings.length(string)) && (!oneOrder || strings.isSeveralTimesLeft(string))) {
                add(string, string, isWanted(string, string), false);
            }
            if (equal % SHARE == 0) {
                equal += ofOthers;
            }
        }
    }

    private void addFound() {
        for (; count < BATCH && pair < search.count(); pair++) {
            int x = search.first(pair);
            int y = search.second(pair);
            add(x, y, isWanted(x, y), isWanted(y, x));
        }
    }

    /** Whether rows of the left side contain the left string, and rows of the right side contain the right string. */
    private boolean isWanted(int left, int right) {
        return strings.isLeft(left) && strings.isRight(right);
    }

    /** Adds a pair of strings in both orders if it counts in this pass and either order is wanted. */
    private void add(int x, int y, boolean isWanted, boolean isReverseWanted) {
        if ((isWanted || isReverseWanted) && counted.has(strings, x, y)) {
            ids[count] = x;
            ids[count + 1] = y;
            wanted[count] = isWanted;
            wanted[count + 1] = isReverseWanted;
            count += 2;
        }
    }

    /** Returns the number of pairs, which is also the number of strings. */
    int count() {
        return count;
    }

    boolean isWanted(int pair) {
        return wanted[pair];
    }

    /** Returns the index of a pair's left string. */
    static int left(int pair) {
        return pair;
    }

    /** Returns the index of a pair's right string. */
    static int right(int pair) {
        return pair ^ 1;
    }

    /** Returns the block that contains a string, at {@link #index}. */
    StringBlock block(int string) {
        return blocks[string];
    }

    int index(int string) {
        return indexes[string];
    }
}
