package dev.bellman.plan;

import dev.bellman.join.StringBlock;
import dev.bellman.plan.catalyst.Scala;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Predicate$;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import scala.collection.immutable.Seq;

/** For each pair of strings, returns the pairs of rows that contain these strings and satisfy the condition. */
final class RowsOfPairs extends PairRows {
    private final boolean same;
    private final int leftColumns;
    private final int rightColumns;
    /** The number of words per row of the left side. */
    private final int leftSize;

    private final int rightSize;
    /** The columns of both rows as one row: a word with a bit for each NULL, then a word for each column. */
    private final long[] columns;

    private final UnsafeRow row;
    /** The two strings; null if no result needs them. */
    private final GenericInternalRow strings;

    private final JoinedRow withStrings = new JoinedRow();
    private final BasePredicate condition;
    private final Runnable checkpoint;
    private final UnsafeProjection projection;

    /** For each string of the batch, the index of the word at which its rows begin. */
    private final int[] firsts = new int[StringPairs.BATCH];

    /** For each string of the batch, the number of its left rows. */
    private final long[] lefts = new long[StringPairs.BATCH];

    private final long[] rights = new long[StringPairs.BATCH];
    /** Accumulates the prefetched words, so that the compiler does not eliminate the reads. */
    private long touched;

    private long[] leftWords;
    private int leftAt;
    private long leftsToCome;
    private long leftNulls;
    private long[] rightWords;
    private int rightStart;
    private int rightAt;
    private long rightCount;
    private long rightsToCome;

    /** @param checkpoint a callback that is called periodically */
    RowsOfPairs(
            StringPairs pairs,
            Seq<Attribute> ofStrings,
            Seq<NamedExpression> results,
            SimilarStrings.Rows kept,
            Runnable checkpoint) {
        super(pairs);
        this.checkpoint = checkpoint;
        same = kept.same();
        leftColumns = kept.left().size();
        rightColumns = kept.right().size();
        leftSize = words(leftColumns);
        rightSize = words(rightColumns);
        columns = new long[1 + leftColumns + rightColumns];
        row = new UnsafeRow(leftColumns + rightColumns);
        row.pointTo(columns, Platform.LONG_ARRAY_OFFSET, Long.BYTES * columns.length);
        Seq<Attribute> ofRows = Scala.seq(Stream.of(kept.left(), kept.right())
                .flatMap(each -> Scala.list(each).stream())
                .toList());
        Seq<Attribute> all = Scala.seq(Stream.of(ofRows, ofStrings)
                .flatMap(each -> Scala.list(each).stream())
                .toList());
        condition = kept.condition().isDefined()
                ? Predicate$.MODULE$.create(kept.condition().get(), ofRows)
                : null;
        if (condition != null) {
            condition.initialize(TaskContext.getPartitionId());
        }
        Seq<Expression> expressions = Scala.seq(
                Scala.list(results).stream().map(Expression.class::cast).toList());
        projection = UnsafeProjection.create(expressions, all);
        AttributeSet needed = AttributeSet.fromAttributeSets(Scala.seq(
                Scala.list(expressions).stream().map(Expression::references).toList()));
        strings = Scala.list(ofStrings).stream().anyMatch(needed::contains) ? new GenericInternalRow(2) : null;
    }

    /** Returns the number of words of a row: a word with a bit for each NULL, and a word for each column. */
    private static int words(int columns) {
        return columns == 0 ? 0 : 1 + columns;
    }

    /** Prefetches the memory of each string's rows, so that cache misses overlap. */
    @Override
    void begin(StringPairs batch) {
        for (int string = 0; string < batch.count(); string++) {
            StringBlock block = batch.block(string);
            int index = batch.index(string);
            firsts[string] = block.firstRow(index);
            lefts[string] = block.left(index);
            rights[string] = block.right(index);
        }
        if (leftSize > 0 && rightSize > 0) {
            for (int string = 0; string < batch.count(); string++) {
                touched += batch.block(string).rows()[firsts[string]];
            }
        }
    }

    @Override
    void begin(StringPairs batch, int pair) {
        int leftString = StringPairs.left(pair);
        int rightString = StringPairs.right(pair);
        leftWords = batch.block(leftString).rows();
        leftAt = firsts[leftString] - leftSize;
        leftsToCome = lefts[leftString];
        rightWords = batch.block(rightString).rows();
        // the rows of the left side come first
        rightStart = firsts[rightString] + (same ? 0 : (int) (leftSize * lefts[rightString]));
        rightCount = rights[rightString];
        rightsToCome = 0;
        if (strings != null) {
            strings.update(0, string(batch, leftString));
            strings.update(1, string(batch, rightString));
        }
    }

    @Override
    boolean advance() {
        while (true) {
            if (rightsToCome > 0) {
                rightsToCome--;
                columns[0] = leftNulls | copied(rightWords, rightAt, rightColumns, leftColumns) << leftColumns;
                rightAt += rightSize;
            } else if (leftsToCome > 0) {
                checkpoint.run();
                leftsToCome--;
                leftAt += leftSize;
                leftNulls = copied(leftWords, leftAt, leftColumns, 0);
                rightAt = rightStart;
                rightsToCome = rightCount;
                continue;
            } else {
                return false;
            }
            if (condition == null || condition.eval(row)) {
                return true;
            }
        }
    }

    /** Copies the values of a row to the columns from {@code to} on, and returns the row's bits for NULL. */
    private long copied(long[] words, int at, int count, int to) {
        if (count == 0) {
            return 0;
        }
        for (int i = 1; i <= count; i++) {
            columns[to + i] = words[at + i];
        }
        return words[at];
    }

    @Override
    InternalRow row() {
        return projection.apply(strings == null ? row : withStrings.apply(row, strings));
    }
}
