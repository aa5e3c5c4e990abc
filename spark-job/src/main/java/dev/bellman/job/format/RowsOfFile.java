package dev.bellman.job.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/** Collects the rows of one file for {@link WrittenRows}. */
final class RowsOfFile {
    /**
     * The maximum number of rows that are collected per file, and the maximum number of bytes in each of the first
     * rows.
     */
    private static final int MAX_ROWS = 4_096;

    private static final int MAX_BYTES = 16 << 10;

    private final int[] columns;
    private final DataType[] types;
    private final List<InternalRow> first = new ArrayList<>();
    private final List<double[]> values = new ArrayList<>();
    private boolean collects = true;

    /** @param names the columns whose values a report shows */
    RowsOfFile(StructType schema, List<String> names) {
        columns = names.stream().mapToInt(schema::fieldIndex).toArray();
        types = Arrays.stream(columns)
                .mapToObj(column -> schema.fields()[column].dataType())
                .toArray(DataType[]::new);
    }

    void add(InternalRow row) {
        if (!collects) {
            return;
        }
        if (first.size() < WrittenRows.FIRST) {
            if (row instanceof UnsafeRow unsafe && unsafe.getSizeInBytes() > MAX_BYTES) {
                collects = false;
                return;
            }
            first.add(row.copy());
        }
        double[] numbers = new double[columns.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = row.isNullAt(columns[i]) ? Double.NaN : number(row, columns[i], types[i]);
        }
        values.add(numbers);
        collects = values.size() <= MAX_ROWS;
    }

    /** Returns the collected rows; empty if the file has too many rows or a row that is too large. */
    Optional<WrittenRows.InFile> inFile(String name) {
        return collects ? Optional.of(new WrittenRows.InFile(name, first, values)) : Optional.empty();
    }

    /**
     * Returns the number that a report shows for a value: the value itself if it is a number, and otherwise its length.
     */
    private static double number(InternalRow row, int column, DataType type) {
        if (type instanceof StringType) {
            return row.getUTF8String(column).numChars();
        }
        if (type instanceof ArrayType) {
            return row.getArray(column).numElements();
        }
        Object value = row.get(column, type);
        return value instanceof Decimal decimal ? decimal.toDouble() : ((Number) value).doubleValue();
    }
}
