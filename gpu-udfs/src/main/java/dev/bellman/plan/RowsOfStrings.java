package dev.bellman.plan;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Returns one row per pair of strings, which contains both strings and, if there are groups, their group. */
final class RowsOfStrings extends PairRows {
    private final UnsafeProjection projection;
    private final GenericInternalRow row;
    private boolean made;

    RowsOfStrings(StringPairs pairs, boolean grouped) {
        super(pairs);
        DataType[] types = grouped
                ? new DataType[] {DataTypes.StringType, DataTypes.StringType, DataTypes.LongType}
                : new DataType[] {DataTypes.StringType, DataTypes.StringType};
        projection = UnsafeProjection.create(types);
        row = new GenericInternalRow(types.length);
    }

    @Override
    void begin(StringPairs batch) {}

    @Override
    void begin(StringPairs batch, int pair) {
        made = false;
        int left = StringPairs.left(pair);
        row.update(0, string(batch, left));
        row.update(1, string(batch, StringPairs.right(pair)));
        if (row.numFields() > 2) {
            row.update(2, batch.block(left).group(batch.index(left)));
        }
    }

    @Override
    boolean advance() {
        boolean isFirst = !made;
        made = true;
        return isFirst;
    }

    @Override
    InternalRow row() {
        return projection.apply(row);
    }
}
