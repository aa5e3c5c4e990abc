package dev.bellman.plan;

import dev.bellman.join.PairSearch;
import dev.bellman.join.Passes;
import dev.bellman.join.Strings;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The pairs of a part as batches: equal strings first, without those of other parts or passes. */
final class StringPairs implements Iterator<ColumnarBatch> {
    private static final int MOST_ROWS = 1 << 13;

    private final Strings strings;
    private final Passes.Counted counted;
    private final PairSearch search;
    private final int parts;
    private final boolean oneOrder;
    private final boolean grouped;
    private final SQLMetric rows;
    /** The next string that equals itself. */
    private int same;

    private int pair;
    private int[] left = {};
    private int[] right = {};
    private int count;

    /**
     * @param part the part of the pass that is searched
     * @param oneOrder whether no row makes a pair with itself
     * @param withEqual whether equal strings make pairs
     */
    StringPairs(
            Strings strings,
            Passes.Counted counted,
            PairSearch search,
            int part,
            int parts,
            boolean oneOrder,
            boolean withEqual,
            boolean grouped,
            SQLMetric rows) {
        this.strings = strings;
        this.counted = counted;
        this.search = search;
        this.parts = parts;
        this.oneOrder = oneOrder;
        this.grouped = grouped;
        this.rows = rows;
        same = withEqual ? Math.min(part, strings.count()) : strings.count();
    }

    @Override
    public boolean hasNext() {
        if (count == 0) {
            fill();
        }
        return count > 0;
    }

    private void fill() {
        left = new int[MOST_ROWS];
        right = new int[MOST_ROWS];
        // a pair may have two orders
        while (count < MOST_ROWS - 1) {
            if (same < strings.count()) {
                // a single row makes no pair in one order
                if (!oneOrder || strings.isSeveralTimesLeft(same)) {
                    add(same, same);
                }
                same += Math.min(parts, strings.count() - same);
            } else if (pair < search.count()) {
                int first = search.first(pair);
                int second = search.second(pair);
                add(first, second);
                add(second, first);
                pair++;
            } else if (search.advance()) {
                pair = 0;
            } else {
                return;
            }
        }
    }

    /** Adds a left and a right string, if rows have them. */
    private void add(int ofLeft, int ofRight) {
        if (strings.isLeft(ofLeft) && strings.isRight(ofRight) && counted.has(strings, ofLeft, ofRight)) {
            left[count] = ofLeft;
            right[count] = ofRight;
            count++;
        }
    }

    @Override
    public ColumnarBatch next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        ColumnVector[] columns = {
            PairColumn.ofStrings(strings, left),
            PairColumn.ofStrings(strings, right),
            PairColumn.ofGroups(strings, left)
        };
        ColumnarBatch batch = new ColumnarBatch(grouped ? columns : Arrays.copyOf(columns, 2), count);
        rows.add(count);
        count = 0;
        return batch;
    }
}
