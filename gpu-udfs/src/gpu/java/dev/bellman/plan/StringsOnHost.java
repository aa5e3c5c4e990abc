package dev.bellman.plan;

import ai.rapids.cudf.HostColumnVector;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** A column of strings in host memory. A string refers to this memory, so it is valid until the column is closed. */
final class StringsOnHost extends ColumnVector {
    private final ColumnVector column;
    private final long characters;
    private final long offsets;

    /**
     * @param column a column in host memory, as RAPIDS reads it
     * @param host the same column, as cudf stores it
     */
    StringsOnHost(ColumnVector column, HostColumnVector host) {
        super(column.dataType());
        this.column = column;
        // there is no such memory if all strings are empty or NULL
        characters = host.getData() == null ? 0 : host.getData().getAddress();
        offsets = host.getOffsets() == null ? 0 : host.getOffsets().getAddress();
    }

    @Override
    public UTF8String getUTF8String(int row) {
        if (offsets == 0) {
            return column.getUTF8String(row);
        }
        int start = Platform.getInt(null, offsets + (long) Integer.BYTES * row);
        int end = Platform.getInt(null, offsets + (long) Integer.BYTES * (row + 1));
        return UTF8String.fromAddress(null, characters + start, end - start);
    }

    @Override
    public void close() {
        column.close();
    }

    @Override
    public boolean hasNull() {
        return column.hasNull();
    }

    @Override
    public int numNulls() {
        return column.numNulls();
    }

    @Override
    public boolean isNullAt(int row) {
        return column.isNullAt(row);
    }

    @Override
    public byte[] getBinary(int row) {
        return getUTF8String(row).getBytes();
    }

    @Override
    public boolean getBoolean(int row) {
        return column.getBoolean(row);
    }

    @Override
    public byte getByte(int row) {
        return column.getByte(row);
    }

    @Override
    public short getShort(int row) {
        return column.getShort(row);
    }

    @Override
    public int getInt(int row) {
        return column.getInt(row);
    }

    @Override
    public long getLong(int row) {
        return column.getLong(row);
    }

    @Override
    public float getFloat(int row) {
        return column.getFloat(row);
    }

    @Override
    public double getDouble(int row) {
        return column.getDouble(row);
    }

    @Override
    public ColumnarArray getArray(int row) {
        return column.getArray(row);
    }

    @Override
    public ColumnarMap getMap(int row) {
        return column.getMap(row);
    }

    @Override
    public Decimal getDecimal(int row, int precision, int scale) {
        return column.getDecimal(row, precision, scale);
    }

    @Override
    public ColumnVector getChild(int child) {
        throw new UnsupportedOperationException();
    }
}
