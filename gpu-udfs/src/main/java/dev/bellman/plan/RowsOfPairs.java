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
    private final UnsafeRow left;
    private final UnsafeRow right;
    /** The number of bytes per row, for each side. */
    private final int leftBytes;

    private final int rightBytes;
    /** The two strings; null if no result needs them. */
    private final GenericInternalRow strings;

    private final JoinedRow rows = new JoinedRow();
    private final JoinedRow withStrings = new JoinedRow();
    private final BasePredicate condition;
    private final Runnable checkpoint;
    private final UnsafeProjection projection;

    /** The index of the word at which the left rows of each pair in the batch begin. */
    private final int[] leftFirst = new int[StringPairs.BATCH];

    /** The number of left rows of each pair in the batch. */
    private final long[] leftCounts = new long[StringPairs.BATCH];

    private final int[] rightFirst = new int[StringPairs.BATCH];
    private final long[] rightCounts = new long[StringPairs.BATCH];
    /** Accumulates the prefetched words, so that the compiler does not eliminate the reads. */
    private long touched;

    private long[] leftWords;
    private long leftAt;
    private long leftsToCome;
    private long[] rightWords;
    private long rightStart;
    private long rightAt;
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
        left = new UnsafeRow(kept.left().size());
        right = new UnsafeRow(kept.right().size());
        leftBytes = bytes(kept.left().size());
        rightBytes = bytes(kept.right().size());
        Seq<Attribute> columns = Scala.seq(Stream.of(kept.left(), kept.right())
                .flatMap(each -> Scala.list(each).stream())
                .toList());
        Seq<Attribute> all = Scala.seq(Stream.of(columns, ofStrings)
                .flatMap(each -> Scala.list(each).stream())
                .toList());
        condition = kept.condition().isDefined()
                ? Predicate$.MODULE$.create(kept.condition().get(), columns)
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

    private static int bytes(int columns) {
        return UnsafeRow.calculateBitSetWidthInBytes(columns) + Long.BYTES * columns;
    }

    /** Prefetches the memory of each pair's rows, so that cache misses overlap. */
    @Override
    void begin(StringPairs batch) {
        for (int pair = 0; pair < batch.count(); pair++) {
            StringBlock block = batch.leftBlock(pair);
            leftFirst[pair] = block.firstRow(batch.leftIndex(pair));
            leftCounts[pair] = block.left(batch.leftIndex(pair));
        }
        for (int pair = 0; pair < batch.count(); pair++) {
            StringBlock block = batch.rightBlock(pair);
            int index = batch.rightIndex(pair);
            // the rows of the left side come first
            rightFirst[pair] = block.firstRow(index) + (same ? 0 : (int) (leftBytes / Long.BYTES * block.left(index)));
            rightCounts[pair] = block.right(index);
        }
        if (leftBytes > 0 && rightBytes > 0) {
            for (int pair = 0; pair < batch.count(); pair++) {
                touched += batch.leftBlock(pair).rows()[leftFirst[pair]]
                        + batch.rightBlock(pair).rows()[rightFirst[pair]];
            }
        }
    }

    @Override
    void begin(StringPairs batch, int pair) {
        leftWords = batch.leftBlock(pair).rows();
        leftAt = Platform.LONG_ARRAY_OFFSET + (long) Long.BYTES * leftFirst[pair] - leftBytes;
        leftsToCome = leftCounts[pair];
        rightWords = batch.rightBlock(pair).rows();
        rightStart = Platform.LONG_ARRAY_OFFSET + (long) Long.BYTES * rightFirst[pair];
        rightCount = rightCounts[pair];
        rightsToCome = 0;
        if (strings != null) {
            strings.update(0, string(batch.leftBlock(pair), batch.leftIndex(pair)));
            strings.update(1, string(batch.rightBlock(pair), batch.rightIndex(pair)));
        }
    }

    @Override
    boolean advance() {
        while (true) {
            if (rightsToCome > 0) {
                rightsToCome--;
                right.pointTo(rightWords, rightAt, rightBytes);
                rightAt += rightBytes;
            } else if (leftsToCome > 0) {
                checkpoint.run();
                leftsToCome--;
                leftAt += leftBytes;
                left.pointTo(leftWords, leftAt, leftBytes);
                rightAt = rightStart;
                rightsToCome = rightCount;
                continue;
            } else {
                return false;
            }
            if (condition == null || condition.eval(rows.apply(left, right))) {
                return true;
            }
        }
    }

    @Override
    InternalRow row() {
        rows.apply(left, right);
        return projection.apply(strings == null ? rows : withStrings.apply(rows, strings));
    }
}
