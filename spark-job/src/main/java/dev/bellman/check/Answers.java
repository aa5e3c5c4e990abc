package dev.bellman.check;

import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Compares Catalyst values exactly: doubles bit for bit, except that all NaNs are equal. */
final class Answers {
    private Answers() {}

    static boolean equal(DataType type, Object left, Object right) {
        if (left == null || right == null) {
            return left == right;
        }
        if (type instanceof ArrayType array) {
            return equal(array.elementType(), (ArrayData) left, (ArrayData) right);
        }
        if (type instanceof StructType struct) {
            return equal(struct, (InternalRow) left, (InternalRow) right);
        }
        return Objects.equals(left, right);
    }

    private static boolean equal(DataType element, ArrayData left, ArrayData right) {
        int count = left.numElements();
        if (count != right.numElements()) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            boolean isNull = left.isNullAt(i);
            if (isNull != right.isNullAt(i) || !isNull && !equal(element, left, right, i)) {
                return false;
            }
        }
        return true;
    }

    /** Compares entry {@code i}. Does not box numbers, because answers may contain many. */
    private static boolean equal(DataType element, ArrayData left, ArrayData right, int i) {
        if (element instanceof IntegerType) {
            return left.getInt(i) == right.getInt(i);
        }
        if (element instanceof LongType) {
            return left.getLong(i) == right.getLong(i);
        }
        if (element instanceof DoubleType) {
            return Double.doubleToLongBits(left.getDouble(i)) == Double.doubleToLongBits(right.getDouble(i));
        }
        return equal(element, left.get(i, element), right.get(i, element));
    }

    private static boolean equal(StructType type, InternalRow left, InternalRow right) {
        for (int i = 0; i < type.length(); i++) {
            StructField field = type.apply(i);
            boolean isNull = left.isNullAt(i);
            if (isNull != right.isNullAt(i)
                    || !isNull
                            && !equal(
                                    field.dataType(), left.get(i, field.dataType()), right.get(i, field.dataType()))) {
                return false;
            }
        }
        return true;
    }
}
