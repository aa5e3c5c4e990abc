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
 * that cache misses overlap. Equal strings of packed rows are read in the order in which they are stored instead, which
 * causes hardly any cache misses.
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

    private final int part;
    private final int parts;

    /** The number of the next block whose strings are paired with themselves. */
    private int nextBlock;

    private StringBlock block;
    /** The index of the next string of the block; {@code blockEnd} is the end of the part's share of the block. */
    private int index;

    private int blockEnd;

    /**
     * The next string to be paired with itself if the rows are not packed. String numbers, unlike blocks, are the same
     * in every process.
     */
    private long equal;

    /** The number of strings from the end of a share to the beginning of the part's next share. */
    private final long ofOthers;
    /** Whether this part searches before it returns equal strings. */
    private boolean searchesFirst;

    private int pair;

    /**
     * @param measure determines whether a string forms a pair with itself
     * @param packed whether {@link PackedRows} created the blocks of strings
     */
    StringPairs(
            Strings strings,
            Passes.Counted counted,
            PairSearch search,
            int part,
            int parts,
            Measure measure,
            boolean oneOrder,
            boolean packed) {
        this.strings = strings;
        this.counted = counted;
        this.search = search;
        this.measure = measure;
        this.oneOrder = oneOrder;
        this.part = part;
        this.parts = parts;
        nextBlock = packed ? 0 : strings.blocks().size();
        equal = packed ? strings.count() : (long) SHARE * part;
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
            if (hasStored()) {
                addStored();
            } else if (equal < strings.count()) {
                addEqual();
                find();
            } else if (pair < search.count()) {
                addFound();
                find();
            } else if (search.advance()) {
                pair = 0;
            } else {
                return false;
            }
        }
        return true;
    }

    /** Looks up the strings of the batch. */
    private void find() {
        for (int i = 0; i < count; i++) {
            blocks[i] = strings.block(ids[i]);
            indexes[i] = strings.index(ids[i]);
        }
    }

    /** Whether the blocks have more strings of this part. */
    private boolean hasStored() {
        while (index == blockEnd && nextBlock < strings.blocks().size()) {
            block = strings.blocks().get(nextBlock++);
            index = PackedRows.first(block, part, parts);
            blockEnd = PackedRows.first(block, part + 1, parts);
        }
        return index < blockEnd;
    }

    /** Pairs strings of a block with themselves. */
    private void addStored() {
        for (; count < BATCH && index < blockEnd; index++) {
            long left = block.left(index);
            // if only one order counts, a row does not form a pair with itself
            if (left > (oneOrder ? 1 : 0)
                    && block.right(index) > 0
                    && measure.isPairWithItself(block.length(index))
                    && counted.hasEqual(block, index)) {
                blocks[count] = block;
                indexes[count] = index;
                blocks[count + 1] = block;
                indexes[count + 1] = index;
                wanted[count] = true;
                wanted[count + 1] = false;
                count += 2;
            }
        }
    }

    private void addEqual() {
        while (count < BATCH && equal < strings.count()) {
            int string = (int) equal++;
            // if only one order counts, a row does not form a pair with itself
            if (measure.isPairWithItself(strings.length(string))
                    && (!oneOrder || strings.isSeveralTimesLeft(string))
                    && isWanted(string, string)
                    && counted.hasEqual(strings, string)) {
                add(string, string, true, false);
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
            boolean isWanted = isWanted(x, y);
            boolean isReverseWanted = isWanted(y, x);
            if ((isWanted || isReverseWanted) && counted.has(strings, x, y)) {
                add(x, y, isWanted, isReverseWanted);
            }
        }
    }

    /** Whether rows of the left side contain the left string, and rows of the right side contain the right string. */
    private boolean isWanted(int left, int right) {
        return strings.isLeft(left) && strings.isRight(right);
    }

    private void add(int x, int y, boolean isWanted, boolean isReverseWanted) {
        ids[count] = x;
        ids[count + 1] = y;
        wanted[count] = isWanted;
        wanted[count + 1] = isReverseWanted;
        count += 2;
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
