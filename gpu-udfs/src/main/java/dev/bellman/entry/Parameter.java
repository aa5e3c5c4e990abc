package dev.bellman.entry;

import java.util.function.BiConsumer;
import org.apache.spark.sql.types.DataType;

/**
 * A parameter of a function. Arguments of other types are cast where Spark casts implicitly.
 *
 * @param check fails for a constant argument that is wrong, when the query is planned: of the function's name and the value, which is not NULL
 */
public record Parameter(String name, DataType type, BiConsumer<String, Object> check) {
    public Parameter(String name, DataType type) {
        this(name, type, (function, value) -> {});
    }
}
