package dev.bellman.columns;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.StructData;
import ai.rapids.cudf.HostColumnVectorCore;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Converts single values between cudf's columns and functions on the CPU. */
final class HostValues {
    private HostValues() {}

    /** Returns a value in Spark's internal form, which functions take as an argument. */
    static Object read(HostColumnVectorCore column, int row) {
        if (column.isNull(row)) {
            return null;
        }
        DType type = column.getType();
        if (type.equals(DType.LIST)) {
            HostColumnVectorCore elements = column.getChildColumnView(0);
            return new GenericArrayData(
                    IntStream.range((int) column.getStartListOffset(row), (int) column.getEndListOffset(row))
                            .mapToObj(i -> read(elements, i))
                            .toArray());
        } else if (type.equals(DType.STRUCT)) {
            return new GenericInternalRow(IntStream.range(0, column.getNumChildren())
                    .mapToObj(i -> read(column.getChildColumnView(i), row))
                    .toArray());
        } else if (type.equals(DType.STRING)) {
            return UTF8String.fromBytes(column.getUTF8(row));
        } else if (type.equals(DType.INT64)) {
            return column.getLong(row);
        } else if (type.equals(DType.FLOAT64)) {
            return column.getDouble(row);
        } else if (type.equals(DType.FLOAT32)) {
            return column.getFloat(row);
        } else if (type.equals(DType.INT32)) {
            return column.getInt(row);
        } else if (type.equals(DType.BOOL8)) {
            return column.getBoolean(row);
        }
        throw new IllegalArgumentException("no function has an argument of type " + type);
    }

    /** Converts a function's result to cudf's form: arrays become lists, and rows become structs. */
    static Object write(Object result) {
        if (result instanceof Row row) {
            return new StructData(IntStream.range(0, row.length())
                    .mapToObj(i -> write(row.get(i)))
                    .toList()
                    .toArray());
        } else if (result instanceof UTF8String text) {
            return text.getBytes();
        } else if (result instanceof Seq<?> sequence) {
            return write(CollectionConverters.asJava(sequence).toArray());
        } else if (result instanceof List<?> list) {
            return write(list.toArray());
        } else if (result != null && result.getClass().isArray()) {
            List<Object> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(result); i++) {
                elements.add(write(Array.get(result, i)));
            }
            return elements;
        }
        return result;
    }
}
