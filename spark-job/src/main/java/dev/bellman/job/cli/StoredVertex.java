package dev.bellman.job.cli;

import dev.bellman.large.GraphPaths;
import java.util.Optional;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.io.api.Binary;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A vertex of type STRING, INT or BIGINT in the output of a shortest-paths job.
 *
 * @param isSource selects the rows whose source is this vertex
 */
record StoredVertex(Object value, FilterCompat.Filter isSource) {
    /**
     * Parses a vertex in the same way as Spark casts a string. Returns empty if the text is not valid for the type, or
     * if vertices have a different type.
     */
    static Optional<StoredVertex> of(StructType schema, String text) {
        DataType type = schema.apply(GraphPaths.SOURCE).dataType();
        UTF8String string = UTF8String.fromString(text);
        if (type.equals(DataTypes.StringType)) {
            return Optional.of(new StoredVertex(
                    text,
                    FilterCompat.get(
                            FilterApi.eq(FilterApi.binaryColumn(GraphPaths.SOURCE), Binary.fromString(text)))));
        }
        UTF8String.IntWrapper number = new UTF8String.IntWrapper();
        if (type.equals(DataTypes.IntegerType) && string.toInt(number)) {
            return Optional.of(new StoredVertex(
                    number.value,
                    FilterCompat.get(FilterApi.eq(FilterApi.intColumn(GraphPaths.SOURCE), number.value))));
        }
        UTF8String.LongWrapper large = new UTF8String.LongWrapper();
        if (type.equals(DataTypes.LongType) && string.toLong(large)) {
            return Optional.of(new StoredVertex(
                    large.value, FilterCompat.get(FilterApi.eq(FilterApi.longColumn(GraphPaths.SOURCE), large.value))));
        }
        return Optional.empty();
    }
}
