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
            if (pair >= 0 && advance()) {
                isReady = true;
            } else if (pair + 1 < pairs.count()) {
                pair++;
                begin(pairs, pair);
            } else if (pairs.advance()) {
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

    static UTF8String string(StringBlock block, int index) {
        return UTF8String.fromBytes(block.bytes(), block.start(index), block.end(index) - block.start(index));
    }
}
