package dev.bellman.plan;

import dev.bellman.join.Strings;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/** A column of a batch of pairs, read where {@link Strings} has it: one string of each pair, or its group. */
final class PairColumn extends ColumnVector {
    private final Strings strings;
    private final int[] ids;

    private PairColumn(DataType type, Strings strings, int[] ids) {
        super(type);
        this.strings = strings;
        this.ids = ids;
    }

    static PairColumn ofStrings(Strings strings, int[] ids) {
        return new PairColumn(DataTypes.StringType, strings, ids);
    }

    static PairColumn ofGroups(Strings strings, int[] ids) {
        return new PairColumn(DataTypes.LongType, strings, ids);
    }

    @Override
    public UTF8String getUTF8String(int row) {
        int id = ids[row];
        int start = strings.start(id);
        return UTF8String.fromBytes(strings.array(id), start, strings.end(id) - start);
    }

    @Override
    public long getLong(int row) {
        return strings.group(ids[row]);
    }

    @Override
    public boolean hasNull() {
        return false;
    }

    @Override
    public int numNulls() {
        return 0;
    }

    @Override
    public boolean isNullAt(int row) {
        return false;
    }

    @Override
    public void close() {}

    private UnsupportedOperationException other() {
        return new UnsupportedOperationException("the column has values of type " + type.sql());
    }

    @Override
    public boolean getBoolean(int row) {
        throw other();
    }

    @Override
    public byte getByte(int row) {
        throw other();
    }

    @Override
    public short getShort(int row) {
        throw other();
    }

    @Override
    public int getInt(int row) {
        throw other();
    }

    @Override
    public float getFloat(int row) {
        throw other();
    }

    @Override
    public double getDouble(int row) {
        throw other();
    }

    @Override
    public ColumnarArray getArray(int row) {
        throw other();
    }

    @Override
    public ColumnarMap getMap(int row) {
        throw other();
    }

    @Override
    public Decimal getDecimal(int row, int precision, int scale) {
        throw other();
    }

    @Override
    public byte[] getBinary(int row) {
        throw other();
    }

    @Override
    public ColumnVector getChild(int ordinal) {
        throw other();
    }
}
