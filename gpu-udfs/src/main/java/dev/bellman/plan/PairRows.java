package dev.bellman.plan;

import dev.bellman.join.StringBlock;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Builds the result rows of one part of a join from the pairs of strings found there. */
abstract class PairRows implements Iterator<InternalRow> {
    private final StringPairs pairs;
    private int pair = -1;
    /** Whether the pair may have further rows. */
    private boolean isOpen;

    private boolean isReady;
    private long returned;

    PairRows(StringPairs pairs) {
        this.pairs = pairs;
    }

    abstract void begin(StringPairs batch);

    abstract void begin(StringPairs batch, int pair);

    /** Builds the next row of the pair; returns false at the end. */
    abstract boolean advance();

    /** Returns the row that was built last. */
    abstract InternalRow row();

    @Override
    public final boolean hasNext() {
        while (!isReady) {
            if (isOpen && advance()) {
                isReady = true;
            } else if (pair + 1 < pairs.count()) {
                pair++;
                isOpen = pairs.isWanted(pair);
                if (isOpen) {
                    begin(pairs, pair);
                }
            } else if (pairs.advance()) {
                isOpen = false;
                pair = -1;
                begin(pairs);
            } else {
                return false;
            }
        }
        return true;
    }

    @Override
    public final InternalRow next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        isReady = false;
        returned++;
        return row();
    }

    /** Returns the number of rows that {@link #next} has returned. */
    final long returned() {
        return returned;
    }

    /** Returns a string of a batch. */
    static UTF8String string(StringPairs batch, int string) {
        StringBlock block = batch.block(string);
        int index = batch.index(string);
        return UTF8String.fromBytes(block.bytes(), block.start(index), block.end(index) - block.start(index));
    }
}
