package dev.bellman.function;

import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.FractionalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VariantType;

/** Implicit casts of arguments that Spark allows but that would silently change values, and hints on explicit casts. */
final class LossyCasts {
    private LossyCasts() {}

    static boolean isLossy(DataType from, DataType to) {
        return takesFractionForInteger(from, to) || takesOthersForStrings(from, to) || ignoresCollation(from, to);
    }

    /**
     * Returns a hint on how to convert an argument, or an empty string.
     *
     * @param types the names of all types that the argument may have
     */
    static String hint(DataType from, DataType to, List<String> types) {
        if (from instanceof StringType && types.contains(DataTypes.StringType.sql())) {
            return ". To compare strings regardless of their collation, write ... COLLATE UTF8_BINARY";
        }
        if (from instanceof StringType && types.contains("ARRAY<STRING>")) {
            return ". To split a string into words, write regexp_extract_all(..., '\\\\S+', 0)";
        }
        if (takesFractionForInteger(from, to)) {
            return ". To drop the fractional parts, write CAST(... AS %s)%s"
                    .formatted(
                            to.sql(),
                            to.sql().contains(DataTypes.LongType.sql())
                                    ? "; to keep them, use a smaller unit, such as cents"
                                    : "");
        }
        if (ignoresCollation(from, to)) {
            return ". To compare strings regardless of their collation, write CAST(... AS %s)".formatted(to.sql());
        }
        if (takesOthersForStrings(from, to)) {
            return ". To use the entries as strings, write CAST(... AS %s)".formatted(to.sql());
        }
        boolean array = from instanceof ArrayType && to instanceof ArrayType;
        DataType element = array ? ((ArrayType) from).elementType() : from;
        boolean numbers = (to instanceof ArrayType list ? list.elementType() : to) instanceof NumericType;
        if (numbers && to instanceof ArrayType && from instanceof StringType) {
            return ". To convert it, write CAST(split(..., ',') AS %s)".formatted(to.sql());
        }
        if (from instanceof VariantType || numbers && array && element instanceof StringType) {
            return ". To convert it, write CAST(... AS %s)".formatted(to.sql());
        }
        if (numbers
                && array == to instanceof ArrayType
                && (element instanceof TimestampType || element instanceof DateType)) {
            String convert = element instanceof DateType ? "unix_date" : "unix_micros";
            return ". To convert it, write " + (array ? "transform(..., t -> " + convert + "(t))" : convert + "(...)");
        }
        return "";
    }

    /**
     * Whether a cast would silently turn a fraction into an integer. ANSI casts check for overflow, but truncate
     * fractions.
     */
    private static boolean takesFractionForInteger(DataType from, DataType to) {
        if (from instanceof ArrayType fromArray && to instanceof ArrayType toArray) {
            return takesFractionForInteger(fromArray.elementType(), toArray.elementType());
        }
        if (from instanceof StructType fromStruct && to instanceof StructType toStruct) {
            int fields = Math.min(fromStruct.length(), toStruct.length());
            return Stream.iterate(0, i -> i < fields, i -> i + 1)
                    .anyMatch(i -> takesFractionForInteger(
                            fromStruct.fields()[i].dataType(), toStruct.fields()[i].dataType()));
        }
        return to instanceof IntegralType
                && (from instanceof DecimalType decimal ? decimal.scale() > 0 : from instanceof FractionalType);
    }

    /** Whether a cast would silently turn entries of an array that are not integers into strings. */
    private static boolean takesOthersForStrings(DataType from, DataType to) {
        if (!(from instanceof ArrayType fromArray && to instanceof ArrayType toArray)) {
            return false;
        }
        DataType entry = fromArray.elementType();
        return takesOthersForStrings(entry, toArray.elementType())
                || toArray.elementType() instanceof StringType
                        && !(entry instanceof StringType || entry instanceof IntegralType || entry instanceof NullType);
    }

    /** Whether a cast would silently replace a collation, by which other strings are equal. */
    private static boolean ignoresCollation(DataType from, DataType to) {
        return from instanceof ArrayType fromArray && to instanceof ArrayType toArray
                ? ignoresCollation(fromArray.elementType(), toArray.elementType())
                : from instanceof StringType one
                        && to instanceof StringType other
                        && one.collationId() != other.collationId();
    }
}
