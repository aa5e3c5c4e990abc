package dev.bellman.check;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Formats Catalyst values as SQL literals, and instances as function calls. */
final class SqlText {
    private SqlText() {}

    /** Formats a call as {@code function(argument, ...)}. */
    static String call(String function, List<DataType> types, InternalRow arguments) {
        return IntStream.range(0, types.size())
                .mapToObj(i -> literal(types.get(i), arguments.get(i, types.get(i))))
                .collect(Collectors.joining(", ", function + "(", ")"));
    }

    static String literal(DataType type, Object value) {
        if (value == null) {
            return "CAST(NULL AS %s)".formatted(type.sql());
        }
        if (type instanceof ArrayType array) {
            return array(array, (ArrayData) value);
        }
        if (type instanceof StructType struct) {
            return struct(struct, (InternalRow) value);
        }
        if (value instanceof UTF8String text) {
            return text(text);
        }
        if (value instanceof Double number) {
            boolean finite = !number.isNaN() && !number.isInfinite();
            return finite ? number + "D" : "double('%s')".formatted(number);
        }
        if (value instanceof Float number) {
            return Float.isFinite(number) ? number + "F" : "float('%s')".formatted(number);
        }
        if (value instanceof Long number) {
            return number == Long.MIN_VALUE ? "(-9223372036854775807L - 1)" : number + "L";
        }
        return value.toString();
    }

    /** Returns a string literal if the text is printable, and otherwise a cast of its bytes. */
    private static String text(UTF8String value) {
        byte[] bytes = value.getBytes();
        String text = new String(bytes, StandardCharsets.UTF_8);
        boolean printable = Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)
                && text.codePoints().allMatch(each -> each < 0x7f ? each >= ' ' : Character.isLetterOrDigit(each));
        return printable
                ? "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
                : "CAST(X'%s' AS STRING)"
                        .formatted(HexFormat.of().withUpperCase().formatHex(bytes));
    }

    private static String array(ArrayType type, ArrayData values) {
        String entries = IntStream.range(0, values.numElements())
                .mapToObj(
                        i -> literal(type.elementType(), values.isNullAt(i) ? null : values.get(i, type.elementType())))
                .collect(Collectors.joining(", ", "array(", ")"));
        return values.numElements() == 0 ? "CAST(array() AS %s)".formatted(type.sql()) : entries;
    }

    private static String struct(StructType type, InternalRow values) {
        return IntStream.range(0, type.length())
                .mapToObj(i -> literal(
                        type.apply(i).dataType(), values.get(i, type.apply(i).dataType())))
                .collect(Collectors.joining(", ", "struct(", ")"));
    }

    /** Formats a result; null becomes {@code NULL}. */
    static String answer(DataType type, Object value) {
        if (value == null) {
            return "NULL";
        }
        return type.equals(DataTypes.IntegerType) || type.equals(DataTypes.LongType)
                ? value.toString()
                : literal(type, value);
    }
}
